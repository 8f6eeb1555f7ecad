"""Values of keyword, date and number fields: as a query writes them, and as an exhibit has them. Pure."""

import re
from collections.abc import Callable
from datetime import MAXYEAR, UTC, datetime, timedelta, tzinfo

from redwell.core.errors import UserError
from redwell.core.search.fields import FieldType, type_of
from redwell.core.search.query import Range, Value
from redwell.core.search.query_tokens import Token, mistake
from redwell.core.search.words import cleaned, lowered

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?)?([Zz])?")
_STEPS = (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1))  # a year, a month: no step
_RANGE = re.compile(r"(?P<low>[^.<>]*)\.\.(?P<high>[^.<>]*)|(?P<sign>[<>]=?)(?P<end>[^.<>]+)")
_LARGEST, _DIGITS = 2**63 - 1, 19  # what search indexes can hold
_HASHES = {"sha256": 64, "md5": 32}  # digits of the whole value
_FORMS = {
    FieldType.DATE: "a date is written 2024, 2024-05 or 2024-05-17, a range 2023..2024-05, 2023.. or >=2023",
    FieldType.NUMBER: "a number is written 1000, a range 1000..2000, 1000.. or >=1000",
}
Period = tuple[int, int]  # from the first on, below the second


def read_value(field: str, token: Token, zone: tzinfo) -> Value | Range:
    """What a query asks of a field that is not cut into words."""
    if type_of(field) is FieldType.KEYWORD:
        return _keyword(field, token)
    is_date = type_of(field) is FieldType.DATE

    def period(text: str) -> Period:
        found = _days(text.strip(), zone) if is_date else _number(text.strip())
        if found is None:
            raise _unread(field, token)
        return found

    low, high = _bounds(token.text.strip(), period, _unread(field, token))
    if low is not None and high is not None and low >= high:
        raise mistake(token.column, f"{token.text} ends before it begins; the smaller or earlier end comes first")
    return Range(field, low, high, column=token.column)


def moment(text: str) -> int | None:
    """The second at which a date of an exhibit begins, one without a zone taken as UTC; None where it is no date."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        period = _days(text, UTC)
        return period[0] if period else None
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp())


def _keyword(field: str, token: Token) -> Value:
    value = lowered(cleaned(token.text.strip()))
    wanted = value.removesuffix("*")
    if not any(char.isalnum() for char in wanted):
        raise mistake(token.column, f"{token.text or 'an empty phrase'} has no letter or digit to search for")
    if "*" in wanted:
        raise mistake(token.column, "a * is understood only at the end of a value")
    digits = _HASHES.get(field)
    if digits and not re.fullmatch(rf"[0-9a-f]{{1,{digits}}}" if wanted != value else rf"[0-9a-f]{{{digits}}}", wanted):
        raise mistake(token.column, f"{field} has {digits} digits from 0 to f; for its beginning, write a * behind it")
    return Value(field, wanted, prefix=wanted != value, column=token.column)


def _bounds(text: str, period: Callable[[str], Period], unread: UserError) -> tuple[int | None, int | None]:
    found = _RANGE.fullmatch(text)
    if not found:
        return period(text)
    if found["sign"]:
        low, high = period(found["end"])
        return {">": (high, None), ">=": (low, None), "<": (None, low), "<=": (None, high)}[found["sign"]]
    if not (found["low"] or found["high"]):
        raise unread
    first, last = found["low"], found["high"]
    return period(first)[0] if first else None, period(last)[1] if last else None


def _unread(field: str, token: Token) -> UserError:
    return mistake(token.column, f"{token.text} cannot be read; {_FORMS[type_of(field)]}")


def _number(text: str) -> Period | None:
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text) < _LARGEST):
        return None
    return int(text), int(text) + 1


def _days(text: str, zone: tzinfo) -> Period | None:
    """The year, month, day, hour, minute or second that is written."""
    found = _DATE.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second = (
        int(part or low) for part, low in zip(found.groups()[:6], "011000", strict=True)
    )
    try:
        start = datetime(year, month, day, hour, minute, second, tzinfo=UTC if found[7] else zone)
        written = sum(part is not None for part in found.groups()[:6])
        return int(start.timestamp()), int(_following(start, written).timestamp())
    except (ValueError, OverflowError):
        return None


def _following(start: datetime, parts: int) -> datetime:
    if parts > 2:
        return start + _STEPS[parts - 3]
    if parts == 2 and start.month < 12:
        return start.replace(month=start.month + 1)
    return start.replace(year=start.year + 1, month=1) if start.year < MAXYEAR else datetime.max.replace(tzinfo=UTC)
