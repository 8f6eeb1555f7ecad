"""What a transcript says of itself: deponent, day, volume, case, reporter, exhibits marked. Pure.

Found in the words of the first pages, exhibits in all of them. A fact that is not clear is left out.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from datetime import date

from redwell.core.loadfiles.dates import parse_date
from redwell.core.transcripts.layout import Layout
from redwell.core.transcripts.speech import spoken

_FIRST_PAGES = 4
_NAME = r"((?:[A-Z][A-Za-z.'\-]*[ \t]*){1,5}(?:,[ \t]*(?:M\.?D|Ph\.?D|Jr|Sr|Esq)\.?)?)"
_TITLES = frozenset({"jr", "sr", "esq", "phd", "md"})
_DEPONENT = (
    re.compile(rf"DEPOSITION(?:\s+UPON\s+ORAL\s+EXAMINATION)?\s+OF:?\s+{_NAME}", re.MULTILINE),
    re.compile(r"^\s*([A-Z][A-Z.'\- ]+[A-Z])\s*,\s*(?:called|a witness|having been|the (?:witness|deponent))", re.M),
)
_DAY = re.compile(
    r"\b((?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4})\b"
    r"|\b(\d{1,2}/\d{1,2}/\d{4})\b",
    re.IGNORECASE,
)
_VOLUME = re.compile(r"\bVOL(?:UME|\.)?\s+(\d{1,3}|[IVXL]{1,6})\b", re.IGNORECASE)
_CASE = re.compile(
    r"\b(?:(?:case|cause|civil action|docket|index|action)\s*(?:no\.?|number|#)|No\.)\s*:?"
    r"\s*(\w[\w:.\-/]*\d[\w\-/]*)",
    re.IGNORECASE,
)
_REPORTER = re.compile(r"\breported by:?\s+([A-Z][^\n,]{2,60})", re.IGNORECASE)
_EXHIBIT = r"exhibits?\s+(?:no\.?\s*)?([A-Z]{0,3}-?\d{1,5}(?:-?[A-Z])?|[A-Z]{1,2})\b"
_MARKED = re.compile(
    rf"{_EXHIBIT}[^.]{{0,60}}?\b(?:was|were|is)?\s*marked\b|\bmarked\b[^.]{{0,80}}?\b{_EXHIBIT}", re.IGNORECASE
)
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50}
Value = str | int | list[str]


def facts(text: str, layout: Layout) -> Mapping[str, Value]:
    """Metadata of a transcript; `exhibits_marked` with the place of each."""
    first = _words(text, layout, _FIRST_PAGES)
    pages = layout.pages
    speakers = [each.speaker for each in spoken(text, layout)]
    found: dict[str, Value] = {
        "deponent": _deponent(first),
        "taken_on": _day(first),
        "transcript_volume": _volume(first),
        "case_number": _first(_CASE, first),
        "reporter": _first(_REPORTER, first),
        "transcript_form": layout.form,
        "first_page": pages[0],
        "last_page": pages[-1],
        "lines_per_page": max(line.line for line in layout.lines),
        "numbered_lines": len(layout.lines),
        "question_lines": speakers.count("Q"),
        "answer_lines": speakers.count("A"),
        "exhibits_marked": exhibits(text, layout),
    }
    return {name: value for name, value in found.items() if value not in ("", 0, [])}


def exhibits(text: str, layout: Layout) -> list[str]:
    """`12 at 45:12`, in order, each once."""
    starts, parts, at = [], [], 0
    for line in layout.lines:
        starts.append(at)
        parts.append(text[line.words : line.end].strip() + " ")
        at += len(parts[-1])
    found: dict[str, str] = {}
    for marked in _MARKED.finditer("".join(parts)):
        group = 1 if marked[1] else 2
        line = layout.lines[bisect_right(starts, marked.start(group)) - 1]
        found.setdefault(marked[group].upper(), f"{line.page}:{line.line}")
    return [f"{name} at {place}" for name, place in found.items()]


def _words(text: str, layout: Layout, pages: int) -> str:
    """Words of the first pages, a line for each of theirs, without their numbers; what stands before them too."""
    last = layout.pages[:pages][-1]
    lines = [text[line.words : line.end].strip() for line in layout.lines if line.page <= last]
    return "\n".join([text[: layout.lines[0].start].strip(), *lines])


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return " ".join(found[1].split()) if found else ""


def _deponent(text: str) -> str:
    for pattern in _DEPONENT:
        found = pattern.search(text)
        if found:
            return _without_full_stop(" ".join(found[1].split()).rstrip(", "))
    return ""


def _without_full_stop(name: str) -> str:
    """The stop of an abbreviation stays: `M.D.`, `Jr.`"""
    last = name.rpartition(" ")[2]
    return name if "." in last[:-1] or last.rstrip(".").lower() in _TITLES else name.rstrip(". ")


def _day(text: str) -> str:
    found = _DAY.search(text)
    day = parse_date((found[1] or found[2]).title()) if found else None
    return day.isoformat() if isinstance(day, date) else ""


def _volume(text: str) -> int:
    found = _VOLUME.search(text)
    if not found:
        return 0
    return int(found[1]) if found[1].isdecimal() else _roman(found[1].upper())


def _roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    return sum(-value if value < max([*values[at + 1 :], 0]) else value for at, value in enumerate(values))
