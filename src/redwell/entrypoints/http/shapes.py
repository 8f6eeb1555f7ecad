"""What the API takes. Everything has a limit, and text has no characters that a database refuses."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from redwell.core.access.rights import Right, Role
from redwell.core.jobs.priority import DEFAULT, LOWEST
from redwell.core.outcomes import Outcome
from redwell.core.review.rounds import LARGEST_SIZE, LEASE_S, LONGEST_LEASE_S, SIZE
from redwell.entrypoints.http.visits import LARGEST_ID


def _plain(text: str) -> str:
    if any((ord(c) < 32 and c not in "\t\n\r") or 0xD800 <= ord(c) <= 0xDFFF for c in text):
        raise ValueError("text has no control characters")
    return text


Plain = Annotated[str, AfterValidator(_plain)]
Line = Annotated[Plain, Field(min_length=1, max_length=200)]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CaseNamed(_Shape):
    name: Line


class UploadImportAsked(_Shape):
    """`options`: settings of this import alone, such as `ocr` and `pages`."""

    custodian: Line | None = None
    type: Literal["files", "mailbox", "loadfile", "transcript", "manual"] = "files"
    priority: Annotated[int, Field(ge=0, le=LOWEST)] = DEFAULT
    passwords: list[Plain] = Field(default=[], max_length=1000)
    options: dict[Annotated[str, Field(max_length=40)], Annotated[Plain, Field(max_length=1000)]] = Field(
        default={}, max_length=20
    )
    mapping: dict[Annotated[str, Field(max_length=1000)], Annotated[Plain, Field(max_length=40)]] = Field(
        default={}, max_length=5000, description="of a volume: each column, and the field that it is"
    )


class ImportAsked(UploadImportAsked):
    """Sources are paths as the server sees them."""

    sources: list[Line] = Field(min_length=1, max_length=100)


class RetryAsked(_Shape):
    outcome: Outcome
    passwords: list[Plain] = Field(default=[], max_length=1000)


class TermsCounted(_Shape):
    """One query a line."""

    terms: Annotated[Plain, Field(max_length=100_000)]


class CodingAsked(_Shape):
    """`documents`, or all that a search finds, narrowed as the search itself: by tags, by what you have read, to your
    portion of a round; `family`: their families too. `seen`: the version of the one document that was looked at."""

    tag: Id
    on: bool = True
    documents: list[Id] = Field(default=[], max_length=1000)
    query: Annotated[Plain, Field(max_length=10_000)] | None = None
    tags: list[Id] = Field(default=[], max_length=20)
    without: list[Id] = Field(default=[], max_length=20)
    read: Literal["", "read", "unread"] = ""
    round: Id | None = None
    family: bool = False
    seen: Annotated[int, Field(ge=0, le=LARGEST_ID)] | None = None


class TagNamed(_Shape):
    name: Line


class NoteWritten(_Shape):
    text: Annotated[Plain, Field(min_length=1, max_length=10_000)]


class SearchSaved(_Shape):
    name: Line
    query: Annotated[Plain, Field(max_length=10_000)]


class MemberSet(_Shape):
    role: Role


class UserNamed(_Shape):
    name: Line
    admin: bool = False


class TokenAsked(_Shape):
    name: Line
    rights: list[Right] = Field(min_length=1)
    cases: Annotated[list[Id], Field(max_length=1000)] | None = None
    days: Annotated[int, Field(ge=1, le=3650)] | None = None


class ReplacementAsked(_Shape):
    """`upload` has the file that takes the place of the damaged one."""

    upload: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    passwords: list[Plain] = Field(default=[], max_length=1000)


class RoundAsked(_Shape):
    """Documents that a search finds, handed out `size` at a time, for so many `hours`."""

    name: Annotated[Plain, Field(min_length=1, max_length=80)]
    query: Annotated[Plain, Field(max_length=10_000)] = ""
    tags: list[Id] = Field(default=[], max_length=20)
    size: Annotated[int, Field(ge=1, le=LARGEST_SIZE)] = SIZE
    hours: Annotated[float, Field(gt=0, le=LONGEST_LEASE_S / 3600)] = LEASE_S / 3600


class SecondLookAsked(_Shape):
    count: Annotated[int, Field(ge=1, le=10_000)]
    name: Annotated[Plain, Field(max_length=80)] = ""
    seed: Annotated[int, Field(ge=1, le=2**31)] | None = None


class TermsAsked(_Shape):
    """Terms one a line, in the language of searches; none: the set is dropped."""

    name: Annotated[Plain, Field(min_length=1, max_length=80)]
    colour: Literal["a", "b", "c", "d", "e", "f"] = "b"
    terms: Annotated[Plain, Field(max_length=10_000)]


class LinkAsked(_Shape):
    ext: Literal["pdf", "generated", "native"] = "native"
    hours: Annotated[float, Field(gt=0, le=168)] = 24
