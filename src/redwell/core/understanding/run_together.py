"""Whether a value has swallowed its neighbour: `Site visit 4 571.93` is a description and an amount. Pure.

Such words do stand in the document, side by side, so their quote proves nothing; the form of the document tells.
"""

import re
from collections.abc import Iterator, Mapping

from redwell.core.understanding.schemas import DataSchema, Field
from redwell.core.understanding.values import Format, amounts_in, dates_in, same

_WORDS = {Format.TEXT, Format.PARTY}
_SUMS = {Format.MONEY, Format.NUMBER}
_CENTS = re.compile(r"\d[.,]\d{2}\W*$")


def swallowed(schema: DataSchema, path: str, values: Mapping[str, str]) -> bool:
    """Whether the words at `path` end with what another field of the same record holds, or, in a list of lines
    with sums, with any sum: the other may have been misread."""
    field, value = schema.field_of(path), values.get(path, "")
    if field is None or field.format not in _WORDS or not value:
        return False
    prefix = _record(path)
    if prefix and _CENTS.search(value) and _has_sums(schema, path):
        return True
    said = list(_said_last(value))
    return any(
        same(other.format, kept, reading)
        for other, kept in _neighbours(schema, prefix, values)
        for form, reading in said
        if (other.format in _SUMS) == (form is Format.MONEY)
    )


def _record(path: str) -> str:
    """`lines[3].amount` is of the record `lines[3].`, `total` of the document, which has no prefix."""
    head, bracket, _ = path.partition("].")
    return head + bracket if bracket else ""


def _has_sums(schema: DataSchema, path: str) -> bool:
    lines = schema.field_of(path.partition("[")[0])
    return lines is not None and any(column.format is Format.MONEY for column in lines.columns)


def _said_last(value: str) -> Iterator[tuple[Format, str]]:
    """What the last words of a value mean as a day or as a sum of two digits or more: `Item 5` is a name."""
    for form, found in ((Format.DATE, dates_in(value)), (Format.MONEY, amounts_in(value))):
        for start, end, reading in found[-1:]:
            alone = not value[:start].strip()
            if not alone and not value[end:].strip(" .,;:") and sum(map(str.isdigit, value[start:end])) > 1:
                yield from ((form, each) for each in (reading.value, *reading.others))


def _neighbours(schema: DataSchema, prefix: str, values: Mapping[str, str]) -> Iterator[tuple[Field, str]]:
    for path, value in values.items():
        field = schema.field_of(path)
        if value and field and _record(path) == prefix and field.format in {*_SUMS, Format.DATE}:
            yield field, value
