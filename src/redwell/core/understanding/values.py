"""What is written in a document, read as a value of a format: dates, sums, identifiers, parties, addresses. Pure.

A value is kept in one form (2023-04-03; 1234.50 or 1234.50 EUR), so that equal things are equal and can be compared.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from redwell.core.errors import UserError


class Format(StrEnum):
    TEXT = "text"
    DATE = "date"
    MONEY = "money"
    NUMBER = "number"
    PARTY = "party"
    ADDRESS = "address"
    IDENTIFIER = "identifier"
    LINES = "lines"  # a list of rows with columns of their own


@dataclass(frozen=True, slots=True)
class Reading:
    """`others` are what the same words may mean as well: 3/4/2023 is a day in April or in March."""

    value: str
    others: tuple[str, ...] = ()


_MONTHS = {
    name[:3]: number
    for number, names in enumerate(
        (
            "january januar janvier",
            "february februar fevrier feb fév",
            "march märz mars mar mrz",
            "april avril apr avr",
            "may mai",
            "june juni juin jun",
            "july juli juillet jul",
            "august août aout aug",
            "september sep septembre",
            "october oktober octobre oct okt",
            "november nov novembre",
            "december dezember décembre decembre dec dez déc",
        ),
        1,
    )
    for name in names.split()
} | {"juin": 6, "juil": 7}
_WORD = r"[^\W\d_]{3,10}"
_DATES = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b"),
    re.compile(r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4}|\d{2})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<n>{_WORD})\.?,?\s+(?P<y>\d{{4}})\b"),
    re.compile(rf"\b(?P<n>{_WORD})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})\b"),
    re.compile(r"\b(?P<a>\d{1,2})[/-](?P<b>\d{1,2})[/-](?P<y>\d{4}|\d{2})\b"),
)
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "US$": "USD", "¥": "JPY"}
_CURRENCY = r"US\$|[$€£¥]|USD|EUR|GBP|CHF|JPY|CAD|AUD"
_AMOUNT = r"[-\u2212]?\d{1,3}(?:[.,'\u2019\u00a0 ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|[-\u2212]?\d+(?:[.,]\d{1,2})?(?!\d)"
MONEY = re.compile(
    rf"(?P<before>{_CURRENCY})?\s?(?P<minus>-)?(?P<amount>{_AMOUNT})(?:\s?(?P<after>{_CURRENCY})(?!\w))?"
)
_IDENTIFIER = re.compile(r"(?=[A-Z0-9/_.-]*\d)[A-Z0-9][A-Z0-9/_.-]{1,30}[A-Z0-9]|\d+", re.IGNORECASE)
_SPACES = re.compile(r"\s+")


def dates_in(text: str) -> list[tuple[int, int, Reading]]:
    """Start, end and reading of every date, in the order of the text; what is no day of a calendar is none."""
    found: dict[int, tuple[int, int, Reading]] = {}
    for pattern in _DATES:
        for match in pattern.finditer(text):
            days = _days(match.groupdict())
            if days and not any(match.start() < end and start < match.end() for start, end, _ in found.values()):
                found[match.start()] = (match.start(), match.end(), Reading(days[0], tuple(days[1:])))
    return [found[start] for start in sorted(found)]


def _days(parts: Mapping[str, str | None]) -> list[str]:
    written = parts["y"] or ""
    year = int(written) + (0 if len(written) == 4 else 2000 if int(written) < 70 else 1900)
    if parts.get("a"):
        first, second = int(parts["a"] or 0), int(parts["b"] or 0)
        pairs = [(first, second), (second, first)]  # month first, as in English letters of America, then day first
    elif parts.get("n"):
        pairs = [(_MONTHS.get((parts["n"] or "").lower()[:3], 0), int(parts["d"] or 0))]
    else:
        pairs = [(int(parts["m"] or 0), int(parts["d"] or 0))]
    return list(dict.fromkeys(day for month, number in pairs if (day := _day(year, month, number))))


def _day(year: int, month: int, number: int) -> str:
    try:
        return date(year, month, number).isoformat()
    except ValueError:
        return ""


def amounts_in(text: str) -> list[tuple[int, int, Reading]]:
    return [
        (match.start(), match.end(), reading)
        for match in MONEY.finditer(text)
        if (reading := _amount(match)) is not None
    ]


def _amount(match: re.Match[str]) -> Reading | None:
    plain = re.sub(r"['\u2019\u00a0 ]", "", match["amount"]).replace("\u2212", "-")
    minus = "-" if match["minus"] else ""
    currency = match["before"] or match["after"] or ""
    currency = _SIGNS.get(currency, currency)
    values = _decimals(plain)
    if " " in match["amount"]:  # a thousand and some, or two columns side by side
        values += _decimals(match["amount"].rpartition(" ")[2])
    readings = [f"{minus}{value} {currency}".strip() for value in values]
    return Reading(readings[0], tuple(readings[1:])) if readings else None


def _decimals(plain: str) -> list[str]:
    """1.234 is a thousand and some, or one and some: a single sign before three digits can be either."""
    signs = [sign for sign in plain if sign in ".,"]
    if not signs:
        return _decimal(plain)
    last = max(plain.rfind("."), plain.rfind(","))
    whole = re.sub("[.,]", "", plain[:last])
    if len(plain) - last - 1 == 3:
        thousands = _decimal(re.sub("[.,]", "", plain))
        return thousands + (_decimal(f"{whole}.{plain[last + 1 :]}") if len(signs) == 1 else [])
    return _decimal(f"{whole}.{plain[last + 1 :]}")


def _decimal(text: str) -> list[str]:
    try:
        return [f"{Decimal(text):.2f}"]
    except InvalidOperation:
        return []


def number_of(value: str) -> Decimal | None:
    """Of a sum or a number as it is kept, without its currency."""
    try:
        return Decimal(value.split()[0])
    except (InvalidOperation, IndexError):
        return None


def _first(found: list[tuple[int, int, Reading]]) -> Reading | None:
    return found[0][2] if found else None


def _plain(text: str) -> Reading | None:
    kept = _SPACES.sub(" ", text).strip(" \t\n,;:")
    return Reading(kept) if kept else None


def _identifier(text: str) -> Reading | None:
    found = _IDENTIFIER.search(text)
    return Reading(found[0]) if found else None


def _number(text: str) -> Reading | None:
    reading = _first(amounts_in(text))
    return reading and Reading(reading.value.split()[0], tuple(each.split()[0] for each in reading.others))


_READERS: dict[Format, Callable[[str], Reading | None]] = {
    Format.DATE: lambda text: _first(dates_in(text)),
    Format.MONEY: lambda text: _first(amounts_in(text)),
    Format.NUMBER: _number,
    Format.IDENTIFIER: _identifier,
}


def read(form: Format, text: str) -> Reading | None:
    """The first value of this format in the text; None where there is none."""
    return _READERS.get(form, _plain)(text)


_WRITTEN = {Format.DATE: "a day, as 2023-04-30", Format.MONEY: "a sum, as 1234.50 EUR", Format.NUMBER: "a number"}


def as_kept(form: Format, said: str) -> str:
    """What a person wrote, in the one form of its format; UserError where it is none, or may be another."""
    said = said.strip()
    if form not in _WRITTEN or not said:
        return said
    readings = readings_in(form, said)
    if len(readings) != 1 or readings[0].others:
        raise UserError(f"{said[:80]!r} can't be taken for one value: write {_WRITTEN[form]}")
    return readings[0].value


def readings_in(form: Format, text: str) -> list[Reading]:
    """Every one that the text has."""
    if form is Format.DATE:
        return [reading for _, _, reading in dates_in(text)]
    if form in {Format.MONEY, Format.NUMBER}:
        return [reading for _, _, reading in amounts_in(text)]
    if form is Format.IDENTIFIER:
        return [Reading(found[0]) for found in _IDENTIFIER.finditer(text)]
    reading = _plain(text)
    return [reading] if reading else []


def same(form: Format, one: str, other: str) -> bool:
    """Whether two values mean the same; a sum without a currency is that sum in any."""
    if form in {Format.MONEY, Format.NUMBER}:
        currencies = {value.partition(" ")[2] for value in (one, other)} - {""}
        return number_of(one) == number_of(other) and number_of(one) is not None and len(currencies) < 2
    return folded(one) == folded(other)


def folded(text: str) -> str:
    """Letters and digits alone, for comparing."""
    return "".join(char for char in text.casefold() if char.isalnum())
