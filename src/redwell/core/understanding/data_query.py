"""`data.invoice.total:>1000` in a query: which values of documents' data it asks for. Pure."""

import re
from decimal import Decimal, InvalidOperation

import msgspec

DATA = "data."
_RANGE = re.compile(r"(?P<low>[^.<>]*(?:\.\d+)?)\.\.(?P<high>[^<>]*)|(?P<sign>[<>]=?)(?P<end>.+)")
_DAY = re.compile(r"\d{4}(-\d\d){0,2}")
_AFTER = "\U0010ffff"
_LEAST, _MOST = -(2**62), 2**62


class DataQuery(msgspec.Struct, frozen=True):
    """Numbers from `low` thousandths on and below `high`; other values from `first` on and before `last`, or with
    `part` in them."""

    name: str  # of the schema
    path: str  # of the field; empty: any
    low: int = _LEAST
    high: int = _MOST
    first: str = ""
    last: str = _AFTER
    part: str = ""


def read_data_query(field: str, text: str) -> DataQuery:
    """`field` without its `data.`"""
    name, _, path = field.partition(".")
    text = text.strip().casefold()
    found = _RANGE.fullmatch(text)
    if text == "*":
        return DataQuery(name, path)
    if found is None:
        return _equal(name, path, text)
    if found["sign"]:
        return _compared(name, path, found["sign"], found["end"].strip())
    low, high = found["low"].strip(), found["high"].strip()
    return DataQuery(
        name,
        path,
        low=_thousandths(low, _LEAST),
        high=_thousandths(high, _MOST - 1) + 1,
        first=low,
        last=high + _AFTER if high else _AFTER,
    )


def _equal(name: str, path: str, text: str) -> DataQuery:
    number = _thousandths(text, -1)
    bounds = (number, number + 1) if _is_number(text) else (0, 0)
    if _DAY.fullmatch(text):
        return DataQuery(name, path, *bounds, first=text, last=text + _AFTER)
    if _is_number(text):
        return DataQuery(name, path, *bounds, first=_AFTER, last="")
    return DataQuery(name, path, 0, 0, part=text.strip("*"))


def _compared(name: str, path: str, sign: str, end: str) -> DataQuery:
    number = _thousandths(end, 0)
    is_more, with_it = sign[0] == ">", sign.endswith("=")
    numbers = (number + (not with_it), _MOST) if is_more else (_LEAST, number + with_it)
    days = (end if with_it else end + _AFTER, _AFTER) if is_more else ("", end + _AFTER if with_it else end)
    return DataQuery(name, path, *(numbers if _is_number(end) else (0, 0)), first=days[0], last=days[1])


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _thousandths(text: str, default: int) -> int:
    return int(Decimal(text) * 1000) if _is_number(text) and abs(Decimal(text)) < 10**15 else default
