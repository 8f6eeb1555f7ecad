"""Dates of documents as ISO 8601: UTC where the zone is known, without a zone where it is not. Used in a child."""

import re
from datetime import UTC, datetime, timedelta, timezone

_PDF_DATE = re.compile(r"(?:D:)?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:([Zz])|([+-])(\d\d)'?:?(\d\d)?)?")
_FIRST_TICK = datetime(1601, 1, 1, tzinfo=UTC)
_FRACTION = re.compile(r"(T\d\d:\d\d:\d\d)[.,]\d+")


def iso(moment: datetime) -> str:
    """Seconds are enough; a zone becomes UTC."""
    if moment.tzinfo is None:
        return moment.isoformat(timespec="seconds")
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def from_xml(raw: str) -> str | None:
    """W3CDTF and ODF dates; None where the text is no date."""
    try:
        return iso(datetime.fromisoformat(_FRACTION.sub(r"\1", raw.strip())))
    except (ValueError, OverflowError):
        return None


def from_filetime(ticks: int) -> str | None:
    """Tenths of microseconds since 1601, as Windows counts; zero, and what no calendar holds, mean unset."""
    try:
        return iso(_FIRST_TICK + timedelta(microseconds=ticks // 10)) if ticks else None
    except OverflowError:
        return None


def from_pdf(raw: str) -> str | None:
    """`D:20230405061500+02'00'`, cut short anywhere behind the year."""
    match = _PDF_DATE.match(raw.strip())
    if not match:
        return None
    year, month, day, hour, minute, second = (
        int(part or low) for part, low in zip(match.groups()[:6], "011000", strict=True)
    )
    zone = None
    if match[7]:
        zone = UTC
    elif match[8]:
        offset = timedelta(hours=int(match[9]), minutes=int(match[10] or 0))
        zone = timezone(offset if match[8] == "+" else -offset)
    try:
        return iso(datetime(year, month, day, hour, minute, second, tzinfo=zone))
    except (ValueError, OverflowError):
        return None


def dated(name: str, raw: str, value: str | None) -> dict[str, str | bool]:
    """The field as ISO where it could be read, with the raw text beside it where the two differ; no zone is marked."""
    if value is None:
        return {f"{name}_raw": raw} if raw else {}
    told: dict[str, str | bool] = {name: value} if value == raw else {name: value, f"{name}_raw": raw}
    return told if value.endswith("Z") else {**told, f"{name}_has_zone": False}
