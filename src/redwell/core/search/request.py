"""What a search asks besides its query: order, pages, counts. Pure."""

import base64
import json
import zlib
from dataclasses import dataclass

from redwell.core.errors import UserError
from redwell.core.search.fields import FIELDS, FieldType
from redwell.core.search.query import Node

SCORE = "score"
CONTROL_NUMBER = "control_number"
_DESCENDING = ":desc"
SORTABLE = (
    SCORE,
    CONTROL_NUMBER,
    *(name for name, field in FIELDS.items() if field.type in {FieldType.DATE, FieldType.NUMBER}),
)


@dataclass(frozen=True, slots=True)
class Sort:
    """Ties are in the order of control numbers; an exhibit without a value comes last. The best score is first."""

    field: str = SCORE
    descending: bool = False

    def __str__(self) -> str:
        return self.field + _DESCENDING * self.descending

    @classmethod
    def read(cls, text: str) -> "Sort":
        """`date` or `date:desc`."""
        field = text.removesuffix(_DESCENDING)
        if field not in SORTABLE or (field in {SCORE, CONTROL_NUMBER} and field != text):
            raise UserError(
                f"cannot sort by {text}; sort by {', '.join(SORTABLE)}, dates and numbers also with {_DESCENDING}"
            )
        return cls(field, descending=field != text)


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last hit of a page: the next one begins behind it, wherever that is by then."""

    sort: Sort
    of_query: int
    key: float | int | None  # what it was sorted by
    place: str  # its control number
    seen: int  # hits up to it, when it was found

    def __str__(self) -> str:
        told = json.dumps([str(self.sort), self.of_query, self.key, self.place, self.seen], separators=(",", ":"))
        return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str) -> "Cursor":
        try:
            sort, of_query, key, place, seen = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
            return cls(Sort.read(sort), int(of_query), key, str(place), int(seen))
        except (ValueError, TypeError, AttributeError) as error:
            raise UserError(f"{text} is no cursor; take the one that the last page ended with") from error


@dataclass(frozen=True, slots=True)
class Facet:
    """How often each value of a field occurs among all hits; the most frequent ones first."""

    field: str
    limit: int = 20

    def __post_init__(self) -> None:
        if not (self.field in FIELDS and FIELDS[self.field].is_counted):
            counted = ", ".join(name for name, field in FIELDS.items() if field.is_counted)
            raise UserError(f"cannot count by {self.field}; count by {counted}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One page of hits. `filters` leave hits out and score nothing."""

    query: Node
    filters: tuple[Node, ...] = ()
    sort: Sort = Sort()
    limit: int = 20
    after: Cursor | None = None
    facets: tuple[Facet, ...] = ()
    snippets: bool = True
    positions: bool = False
    asked: int | None = None  # the digest of what a person asked for, where parts of it were looked up since

    def __post_init__(self) -> None:
        if self.after and (self.after.sort != self.sort or self.after.of_query != self.digest):
            raise UserError("the cursor is of another query or order; take the one that the last page ended with")

    @property
    def digest(self) -> int:
        if self.asked is not None:
            return self.asked
        return zlib.crc32(repr((self.query, self.filters)).encode("utf-8", "surrogatepass"))

    def cursor(self, key: float | int | None, place: str, seen: int) -> Cursor:
        return Cursor(self.sort, self.digest, key, place, seen)
