"""Every field that can be searched by name, with its type: what the parser and every search index go by.

docs/search.md is written from this table.
"""

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from redwell.core.outcomes import Code, Outcome

FieldValue = str | int | tuple[str, ...]  # as an exhibit has it


class FieldType(Enum):
    """How a field is searched; the value says it in words."""

    TEXT = "words"
    KEYWORD = "the whole value, or its beginning with `*`"
    DATE = "a year, month, day or time, or a range of them"
    NUMBER = "a number, or a range of them"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    type: FieldType
    is_main: bool = False  # a word without a field is looked for in it, besides the text
    is_metadata: bool = False  # its value is the metadata of the same name
    is_counted: bool = False  # how often each of its values occurs can be asked for
    may_be_absent: bool = False  # what it names is given by people or by later work: a case may have none yet
    values: frozenset[str] = frozenset()  # in lower case; where any but these is probably a mistake


KINDS = frozenset(
    "archive calendar contact database delivery document image image-of-disk loadfile mail mailbox other pdf program "
    "record recording slides spreadsheet text transcript volume".split()
)


def _text(*, is_main: bool = False, is_metadata: bool = False, is_counted: bool = False) -> Field:
    return Field(type=FieldType.TEXT, is_main=is_main, is_metadata=is_metadata, is_counted=is_counted)


def _keyword(*, is_metadata: bool = False, is_counted: bool = False, values: frozenset[str] = frozenset()) -> Field:
    return Field(type=FieldType.KEYWORD, is_metadata=is_metadata, is_counted=is_counted, values=values)


HAS = frozenset({"attachment", "text", "notext", "duplicate", "copies"})  # what `has:` asks for
_GIVEN = Field(type=FieldType.KEYWORD)  # looked up in the rows of the case (core.search.given)


_DATE = Field(type=FieldType.DATE, is_metadata=True)
FIELDS: dict[str, Field] = {
    "text": _text(),
    "name": _text(is_main=True),
    "path": _text(),
    **dict.fromkeys(
        ("subject", "from", "to", "cc", "bcc", "title", "author", "keywords"), _text(is_main=True, is_metadata=True)
    ),
    "custodian": _text(is_counted=True),
    "media_type": _text(is_counted=True),
    "kind": _keyword(is_counted=True, values=KINDS),
    "outcome": _keyword(is_counted=True, values=frozenset(outcome.lower() for outcome in Outcome)),
    "problem": _keyword(is_counted=True, values=frozenset(code.lower() for code in Code)),
    "has": _keyword(is_counted=True, values=HAS),
    "family": _keyword(),
    "duplicate": Field(type=FieldType.KEYWORD, may_be_absent=True),
    **dict.fromkeys(("tag", "thread", "near"), _GIVEN),
    "batch": _keyword(is_counted=True),
    "folder": _keyword(is_counted=True),
    "language": _keyword(is_metadata=True, is_counted=True),
    "control_number": _keyword(),
    "sha256": _keyword(),
    "md5": _keyword(),
    "date": _DATE,
    "sort_date": Field(type=FieldType.DATE),
    "created": _DATE,
    "modified": _DATE,
    "size": Field(type=FieldType.NUMBER),
    # of deposition volumes: what was said, an utterance a value, so that words side by side are those of one speaker
    **dict.fromkeys(("q", "a", "deponent", "taken_on", "transcript_volume"), _text(is_metadata=True)),
}
# `type:` is `kind:`, and what load files are asked for needs no `meta.`
ALIASES = {
    "type": "kind",
    **{name: f"meta.{name}" for name in ("bates", "begbates", "endbates", "docid")},
}
META = "meta."  # meta.<name> is any other metadata, cut into words


AS_WRITTEN = "_raw"  # the metadata beside a date that cannot be read
MAIN = tuple(name for name, field in FIELDS.items() if field.is_main)
SPOKEN = ("q", "a")  # of transcripts: words that their text has too, here without the numbers of its lines
SIDE_BY_SIDE = ("text", *MAIN, *SPOKEN)  # where several words may stand that are asked for without a field


def type_of(name: str) -> FieldType:
    """Of a field that the table has, or of metadata."""
    return FIELDS[name].type if name in FIELDS else FieldType.TEXT


def metadata_field(name: str) -> str:
    """The field that a document's metadata of this name is searched by."""
    field = FIELDS.get(name)
    return name if field is not None and field.is_metadata else META + name


@lru_cache(maxsize=4096)
def metadata_key(name: str) -> str:
    """A metadata name as it is indexed and asked for: `X-Mailer` and `x_mailer` are one."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_")
