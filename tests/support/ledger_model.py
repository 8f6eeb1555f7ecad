"""Made-up evidence for the ledger: what lies in it, and what must come out of it, said as plainly as can be.

Contents may contain each other and themselves, members fail, are skipped, kill whoever opens them, or are locked
until the passwords are known. The store never sees the bytes, so a content is little more than its name.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hypothesis import strategies as st

from redwell.core.artifacts import ArtifactKind
from redwell.core.blobs import Digests, Location, Stored
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.records import Artifact, Found

MAX_DEPTH = 3
LARGE_BYTES = 12
DEATHS = (Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
LOCKED = Outcome.PASSWORD_PROTECTED


def as_text(text: Stored | None, chars: int = 0) -> tuple[Artifact, ...]:
    """The artifacts of a content whose text this is."""
    return (Artifact(kind=ArtifactKind.TEXT, stored=text, amount=chars),) if text else ()


def stored(text: str) -> Stored:
    data = text.encode()
    return Stored(Digests.of(data), len(data), Location("pack", 0, len(data)))


@dataclass(frozen=True)
class Part:
    """A member of a content: another content's number, or `lost`, or neither: skipped."""

    content: int | None = None
    lost: Outcome | None = None
    kills: bool = False  # whoever opens it dies of `lost`
    locked: bool = False
    suffix: str = "bin"
    role: str = "member"  # of a store; or attached to what it lies in


@dataclass(frozen=True)
class Content:
    parts: tuple[Part, ...] = ()
    dies: Outcome | None = None  # behind its last member, each time
    locked: bool = False


@dataclass(frozen=True)
class File:
    """A content's number, or what the walk or the reading says is wrong with the file."""

    content: int | None = None
    walked: Outcome | None = None
    suffix: str = "bin"


@dataclass(frozen=True)
class Exhibit:
    path: str
    family: str  # the path of its head
    place: str  # in its family: what stands behind the number of its head
    depth: int
    outcome: Outcome
    sha256: bytes | None


@dataclass
class World:
    contents: tuple[Content, ...]
    sources: tuple[tuple[File, ...], ...]
    unlocked: bool = False
    by_sha: dict[bytes, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_sha = {self.stored(number).digests.sha256: number for number in range(len(self.contents))}

    @staticmethod
    def stored(content: int) -> Stored:
        return stored(f"content {content} " + "x" * content)  # of growing size: some begin in the large lane

    @staticmethod
    def text(content: int) -> Stored:
        return stored(f"text of {content}")

    def source_names(self) -> list[str]:
        return [f"/evidence/{number}" for number in range(len(self.sources))]

    def found(self, source: str) -> list[Found]:
        number = int(source.rpartition("/")[2])
        return [_found(number, place, file) for place, file in enumerate(self.sources[number])]

    def file(self, locator: str) -> File:
        source, place = locator.partition(".")[0].split("-")
        return self.sources[int(source)][int(place)]

    def exhibits(self) -> Iterator[Exhibit]:
        """Everything that must come out of one import."""
        for found in (found for source in self.source_names() for found in self.found(source)):
            file, head = self.file(found.locator), (found.path, found.path, "", 0)
            if file.content is None:
                yield Exhibit(*head, file.walked or Outcome.INVALID_FILE, None)
            else:
                yield from self._with_members(file.content, *head)

    def in_order_of_numbers(self) -> list[str]:
        """The paths of heads: files as they are walked, then what lies in the first of these, in the next, and so on
        through what was added."""
        everything = list(self.exhibits())
        heads = [each.path for each in everything if each.depth == 0]
        for path in heads:
            inside = f"{path}//"
            heads += [e.path for e in everything if e.path == e.family and e.path.rpartition("//")[0] + "//" == inside]
        return heads

    def _with_members(self, content: int, path: str, family: str, place: str, depth: int) -> Iterator[Exhibit]:
        sha256, parts = self.stored(content).digests.sha256, self.parts(content)
        cut = depth >= MAX_DEPTH and parts
        yield Exhibit(path, family, place, depth, Outcome.PARTIAL if cut else self.outcome(content), sha256)
        for ordinal, part in enumerate(() if cut else parts):
            inner = f"{path}//{part_name(ordinal, part)}"
            is_head = part.role == "member" and path == family
            stands = (inner, "") if is_head else (family, f"{place}.{ordinal + 1:04d}")
            if loss := self.loss(part, self.unlocked):
                yield Exhibit(inner, *stands, depth + 1, loss, None)
            elif part.content is not None:
                yield from self._with_members(part.content, inner, *stands, depth + 1)

    def parts(self, content: int) -> tuple[Part, ...]:
        hidden = self.contents[content].locked and not self.unlocked
        return () if hidden else self.contents[content].parts

    @staticmethod
    def loss(part: Part, unlocked: bool) -> Outcome | None:
        return LOCKED if part.locked and not unlocked else part.lost

    def outcome(self, number: int) -> Outcome:
        content, parts = self.contents[number], self.parts(number)
        if content.locked and not self.unlocked:
            return LOCKED
        if content.dies:
            return Outcome.PARTIAL if parts else content.dies
        return Outcome.PARTIAL if any(self.loss(part, self.unlocked) for part in parts) else Outcome.SUCCESS


def part_name(ordinal: int, part: Part) -> str:
    return f"m{ordinal}.{part.suffix}"


def _found(source: int, place: int, file: File) -> Found:
    name = f"{source}-{place}.{file.suffix}"
    problem = Problem(code=Code.SPECIAL_FILE, detail="a pipe") if file.walked else None
    return Found(locator=name, name=name, path=f"folder/{name}", size=1, outcome=file.walked, problem=problem)


_suffixes = st.sampled_from(["bin", "bin", "eml"])  # eml is a hint, so it makes a derivation of its own


def _parts(contents: int) -> st.SearchStrategy[Part]:
    numbers, roles = st.integers(0, contents - 1), st.sampled_from(["member", "attachment"])
    return st.one_of(
        st.builds(Part, content=numbers, suffix=_suffixes, role=roles),
        st.builds(Part, content=numbers, suffix=_suffixes, role=roles, locked=st.booleans()),
        st.builds(Part, lost=st.sampled_from([Outcome.INVALID_FILE, Outcome.TOO_LARGE]), role=roles),
        st.builds(Part, lost=st.sampled_from(DEATHS), kills=st.just(True)),
        st.just(Part()),
    )


def _contents(count: int) -> st.SearchStrategy[Content]:
    parts = st.lists(_parts(count), max_size=3).map(tuple)
    return st.one_of(
        st.builds(Content, parts=parts),
        st.builds(Content, parts=parts, dies=st.none() | st.sampled_from(DEATHS), locked=st.booleans()),
    )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    count = draw(st.integers(1, 5))
    files = st.one_of(
        st.builds(File, content=st.integers(0, count - 1), suffix=_suffixes),
        st.builds(File, content=st.integers(0, count - 1), suffix=_suffixes),
        st.builds(File, walked=st.none() | st.just(Outcome.UNSUPPORTED)),
    )
    contents = draw(st.lists(_contents(count), min_size=count, max_size=count))
    sources = draw(st.lists(st.lists(files, max_size=4).map(tuple), min_size=1, max_size=2))
    return World(tuple(contents), tuple(sources))
