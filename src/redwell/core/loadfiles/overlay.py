"""An overlay: rows of a load file that change fields of exhibits which are there already, by their ids. Pure.

A row may name a file with a new text. What names other files or families is left alone: pages, natives and what is
attached to what come with a volume.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from redwell.core.errors import UserError
from redwell.core.handler import MetaValue
from redwell.core.loadfiles.dates import Order
from redwell.core.loadfiles.fields import FIELDS, Kind
from redwell.core.loadfiles.records.guessed_columns import GUESSED
from redwell.core.loadfiles.records.record_fields import DateOrders, bates_of, metadata_of, read_dates
from redwell.core.loadfiles.records.record_files import LoadFile, RawRecord

FAMILY = frozenset({"parentid", "begattach", "endattach", "attachrange", "attachids", "familyid"})
_FILES = frozenset(name for name, each in FIELDS.items() if each.kind is Kind.PATH)
_TEXT = "textpath"
_LEFT_OUT = FAMILY | _FILES
# what was found out while the volume was read
_FOUND = (
    "record_id",
    "loadfile",
    "loadfile_row",
    "native_path",
    "native_sha256",
    "native_size",
    "text_path",
    "pages_given",
)


class NewValue(NamedTuple):
    """A field of an exhibit before and after; None: it has no such field."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class OverlayRow:
    row: int  # the header counted
    id: str
    values: dict[str, MetaValue | None]  # by the names that metadata has; None: the field goes
    troubles: list[str] = field(default_factory=list)
    text: str = ""  # the path of its new text, as it stands there


class OverlayFile:
    """Its rows by id. UserError where nothing says which column is the id."""

    def __init__(self, file: LoadFile, *, clears: bool = False) -> None:
        if file.has_pages:
            raise UserError(f"{file.name} lists pages; an overlay has records: a DAT, CSV, DII or EDRM XML file")
        self._file, self._clears = file, clears
        columns: Sequence[str] = ()
        if file.kind == "delimited":
            file.map_columns([], lambda _: False)
            assert file.mapping is not None
            guessed = any(column.field == "docid" and column.reason == GUESSED for column in file.mapping.columns)
            if guessed or file.mapping.id_field is None:
                raise UserError(f"no column of {file.name} is an id by its name: say which with --mapping (docid)")
            columns = [column.field or column.name for column in file.mapping.columns if column.field != "-"]
        self._id = file.mapping.id_field or "docid" if file.mapping else "docid"
        self._columns = [name for name in columns if name != self._id]
        self._orders = self._date_orders()

    @property
    def left_out(self) -> list[str]:
        """Fields that it has and that an overlay does not change."""
        return [name for name in self._columns if name in _LEFT_OUT and name != _TEXT]

    def _date_orders(self) -> dict[str, Order]:
        orders = DateOrders()
        for raw in self._file.records():
            orders.see(raw.values, raw.row)
        return orders.found()

    def __iter__(self) -> Iterator[OverlayRow]:
        for raw in self._file.records():
            name, text = (raw.values.get(each, "") for each in (self._id, _TEXT))
            yield OverlayRow(raw.row, name, self._values(raw), raw.troubles, text)

    def _values(self, raw: RawRecord) -> dict[str, MetaValue | None]:
        kept = {name: value for name, value in raw.values.items() if name not in _LEFT_OUT and name != self._id}
        found: dict[str, MetaValue | None] = {**metadata_of(kept, raw.others, read_dates(kept, self._orders))}
        if bates := bates_of(raw.values):
            found["bates"] = bates
        if self._clears:
            fields = {name: "" for name in self._columns if name in FIELDS and name not in _LEFT_OUT}
            others = {name: "" for name in self._columns if name not in FIELDS}
            found = {**dict.fromkeys(metadata_of(fields, others, {})), **found}
        return {name: value for name, value in found.items() if name not in _FOUND}


def new_values(now: Mapping[str, Any], wanted: Mapping[str, MetaValue | None]) -> list[NewValue]:
    """What of it is not so already."""
    return [NewValue(name, now.get(name), after) for name, after in wanted.items() if now.get(name) != after]
