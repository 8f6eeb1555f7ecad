"""What columns are that no name tells, by their values. Pure; used when a volume is read."""

from collections.abc import Callable, Sequence

from redwell.core.loadfiles.mapping import Column
from redwell.core.loadfiles.mapping import Mapping as ColumnMapping

GUESSED = "every value is another one"  # why a column is taken for the id


def by_values(mapping: ColumnMapping, rows: Sequence[Sequence[str]], is_path: Callable[[str], bool]) -> ColumnMapping:
    """Columns that no name tells: one whose values are files of the volume, and, failing an id, the first that is one.

    What a person mapped stays as it is.
    """
    known = set(mapping.fields)
    columns = []
    for column in mapping.columns:
        values = [row[column.number - 1].strip() for row in rows if column.number <= len(row)]
        values = [value for value in values if value]
        name = "" if column.field or column.reason == "the mapping" else _path_field(values, is_path)
        if name and name not in known:
            known.add(name)
            column = Column(number=column.number, name=column.name, field=name, reason="its values are such files")
        columns.append(column)
    if not known & {"docid", "begbates"}:
        columns = _with_id(columns, rows)
    return ColumnMapping(columns=tuple(columns))


def _path_field(values: Sequence[str], is_path: Callable[[str], bool]) -> str:
    found = [value for value in values if ("." in value[-6:]) and is_path(value)]
    if not found:
        return ""
    suffixes = {value.rpartition(".")[2].lower() for value in found}
    if suffixes <= {"txt", "ocr"}:
        return "textpath"
    return "imagepath" if suffixes <= {"tif", "tiff", "jpg", "jpeg"} else "nativepath"


def _with_id(columns: list[Column], rows: Sequence[Sequence[str]]) -> list[Column]:
    for at, column in enumerate(columns):
        values = [row[column.number - 1].strip() for row in rows if column.number <= len(row)]
        is_id = len(values) == len(rows) and all(values) and len(set(values)) == len(values)
        if not column.field and values and is_id:
            columns[at] = Column(number=column.number, name=column.name, field="docid", reason=GUESSED)
            break
    return columns
