"""Which column of a load file is which field: proposed by name, edited by a person, read back. Pure.

A column that nobody knows is kept under its own name; none is left out unless the mapping says so.
"""

from collections.abc import Mapping as MappingOf
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from redwell.core.errors import UserError
from redwell.core.loadfiles.fields import BY_ALIAS, FIELDS, plain

# FILE_PATH is the native where the file is at hand, and where the file lay everywhere else: only paths tell
_FILE_PATH = frozenset({"filepath", "path", "filelocation"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    number: int  # from 1
    name: str  # as the file has it; `column 7` where it has none
    field: str  # one of FIELDS; "" where it is kept under its own name
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    columns: tuple[Column, ...]

    def of(self, field: str) -> int | None:
        """The index of the column that is a field."""
        return next((column.number - 1 for column in self.columns if column.field == field), None)

    @property
    def id_field(self) -> str | None:
        return next((name for name in ("docid", "begbates") if self.of(name) is not None), None)

    @property
    def fields(self) -> dict[str, int]:
        return {column.field: column.number - 1 for column in self.columns if column.field}


def column_names(header: Sequence[str]) -> list[str]:
    """Names that part the columns: one without a name, or with one that is taken, gets its number."""
    seen: set[str] = set()
    names = []
    for number, raw in enumerate(header, 1):
        name = raw.strip() or f"column {number}"
        names.append(f"{name} (column {number})" if name in seen else name)
        seen.add(name)
    return names


def propose(header: Sequence[str], first_row: Sequence[str] = ()) -> Mapping:
    """Each column by its name; of two for one field the first has it. `first_row` tells a path here from one there."""
    taken: dict[str, int] = {}
    columns = []
    for number, (name, shown) in enumerate(zip(header, column_names(header), strict=True), 1):
        value = first_row[number - 1] if number <= len(first_row) else ""
        field, reason = _guess(name, value)
        if field in taken:
            field, reason = "", f"column {taken[field]} is {field} already"
        elif field:
            taken[field] = number
        columns.append(Column(number=number, name=shown, field=field, reason=reason))
    return Mapping(columns=tuple(columns))


def _guess(name: str, value: str) -> tuple[str, str]:
    key = plain(name)
    if key in _FILE_PATH and value.strip().startswith((".\\", "./", "\\")):
        return "nativepath", "its first value is a path from here"
    if key in BY_ALIAS:
        field = BY_ALIAS[key]
        return field, "its name" if key == field else f"{name.strip()!r} is a usual name of it"
    return "", "no usual name; kept under its own"


def as_toml(mapping: Mapping) -> str:
    """A file for a person to edit: a line for each column, the reason behind it."""
    lines = [
        "# Which field each column is. Change the right side: a field of docs/loadfiles.md,",
        '# "" to keep the column under its own name, "-" to leave it out.',
        "[columns]",
    ]
    for column in mapping.columns:
        lines.append(f'{_quoted(column.name)} = "{column.field}"  # {column.number}: {_comment(column.reason)}')
    return "\n".join(lines) + "\n"


def from_table(table: MappingOf[str, Any], header: Sequence[str]) -> Mapping:
    """A mapping as a person left it, for the file that has this header; what does not fit is refused by name."""
    told = table.get("columns")
    if not isinstance(told, dict):
        raise UserError("the mapping has no [columns]; `redwell loadfile map FILE -o MAPPING` writes one")
    names = column_names(header)
    if missing := [name for name in told if name not in names]:
        raise UserError(f"the mapping names {missing[0]!r}, which is no column of the load file")
    if wrong := [f for f in told.values() if not isinstance(f, str) or (f not in FIELDS and f not in ("", "-"))]:
        raise UserError(f"the mapping names the field {wrong[0]!r}; docs/loadfiles.md lists those that there are")
    used = [field for field in told.values() if field in FIELDS]
    if twice := [field for field in used if used.count(field) > 1]:
        raise UserError(f"the mapping gives two columns for {twice[0]}")
    return Mapping(
        columns=tuple(
            Column(number=number, name=name, field=told.get(name, ""), reason="the mapping")
            for number, name in enumerate(names, 1)
        )
    )


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in escaped) + '"'


def _comment(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
