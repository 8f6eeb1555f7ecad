"""What can be read without any model: values behind their labels, and what a mail says of itself. Pure.

A rule takes only what stands where its label says; what it does not find it leaves to a person.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from redwell.core.understanding.proposals import By, Doubt, Place, Proposal
from redwell.core.understanding.schemas import DataSchema, Field
from redwell.core.understanding.values import Format, Reading, amounts_in, dates_in, read

LABELLED, FROM_HEADER, ONLY_ONE = 0.8, 0.95, 0.5  # how sure a rule is, before anybody has checked it
_HEADERS = {
    "from": ("from", "sender", "author"),
    "to": ("to", "recipient", "recipients", "addressee"),
    "cc": ("cc",),
    "subject": ("subject",),
    "date": ("date", "sent"),
}
_GAP = r"\s*(?:no\b\.?|nr\b\.?|number\b|#)?\s*[:.#\u2013-]*[ \t]*"
_LONGEST_PARTY = 120
_IN_WORDS = {Format.TEXT, Format.PARTY, Format.ADDRESS}
_CELL = r"(?:[-\d.,'\u2019%x]+|[$€£] ?[\d.,']+|[\d.,']+ ?[$€£]|[A-Z]{3})"
_ROW = re.compile(rf"^[ \t\f]*(?P<said>[^\W\d_][^\n]*?)[ \t|]+(?P<rest>{_CELL}(?:[ \t|]+{_CELL})*)[ \t|]*$", re.M)


def by_rules(schema: DataSchema, text: str, metadata: Mapping[str, Any], kind: str) -> list[Proposal]:
    found = list[Proposal]()
    for field in schema.fields:
        if field.format is Format.LINES:
            found += _rows(field, schema, text)
            continue
        proposal = _from_header(field, metadata) if kind == "mail" else None
        proposal = proposal or _labelled(field, text) or _only_one(field, text)
        if proposal:
            found.append(proposal)
    return found


def _from_header(field: Field, metadata: Mapping[str, Any]) -> Proposal | None:
    header = next((name for name, names in _HEADERS.items() if field.name in names), "")
    said = metadata.get(header)
    if not said:
        return None
    quote = " ; ".join(map(str, said)) if isinstance(said, list) else str(said)
    reading = read(field.format, quote[:10] if field.format is Format.DATE else quote)
    if reading is None:
        return None
    place = Place(page=0, start=0, end=len(quote))
    return Proposal(path=field.name, value=reading.value, quote=quote, score=FROM_HEADER, place=place)


def _labelled(field: Field, text: str) -> Proposal | None:
    """Behind the first label that has a value; where the same label has another one elsewhere, that is said."""
    for label in field.labels:
        found = list(_behind(field, label, text))
        if found:
            first = found[0]
            others = {each.value for each in found} - {first.value}
            return first.with_doubts([Doubt.SEVERAL]) if others else first
    return None


def _label(field: Field, label: str) -> str:
    """Words follow a label only behind a colon or below it: in a sentence anything may follow."""
    if field.format in _IN_WORDS:
        return rf"^[ \t\f|]*{re.escape(label)}[ \t]*(?::[ \t]*|$)"
    return rf"(?<!\w){re.escape(label)}(?!\w){_GAP}"


def _behind(field: Field, label: str, text: str) -> Iterator[Proposal]:
    for match in re.finditer(_label(field, label), text, re.IGNORECASE | re.MULTILINE):
        line_end = text.find("\n", match.end())
        line_end = len(text) if line_end < 0 else line_end
        line = text[match.end() : line_end]
        start = match.end()
        if not line.strip():  # the value may stand below its label
            start = line_end + 1
            line_end = text.find("\n", start)
            line = text[start : len(text) if line_end < 0 else line_end]
        taken = _value_in(field.format, line)
        if taken:
            begin, end, reading = taken
            place_start, place_end = match.start(), start + end
            quote = text[place_start:place_end]
            page = text.count("\f", 0, place_start) + 1
            place = Place(page=page, start=place_start, end=place_end)
            value = reading.value if field.format is not Format.PARTY else line[begin:end].strip()
            yield Proposal(path=field.name, value=value, quote=quote, by=By.RULE, score=LABELLED, place=place)


def _value_in(form: Format, line: str) -> tuple[int, int, Reading] | None:
    if form is Format.DATE:
        found = dates_in(line)
        return found[0] if found and found[0][0] < 20 else None
    if form in {Format.MONEY, Format.NUMBER}:
        sums = amounts_in(line)
        return sums[-1] if sums else None  # the last column of a table is the sum
    if form is Format.IDENTIFIER:
        match = re.match(r"\s*(\S+)", line)
        reading = read(form, match[1]) if match else None
        return (
            (match.start(1), match.end(1), reading)
            if match and reading and reading.value == match[1].strip(".,;")
            else None
        )
    text = re.split(r"\s{3,}|\t", line.strip(), maxsplit=1)[0].strip()[:_LONGEST_PARTY]
    if not any(char.isalpha() for char in text):
        return None
    begin = line.find(text)
    return begin, begin + len(text), Reading(text)


def _only_one(field: Field, text: str) -> Proposal | None:
    """A document with one date has that date; which of several is meant, a rule cannot say."""
    found = dates_in(text) if field.format is Format.DATE and field.name == "date" else []
    if len({reading.value for _, _, reading in found}) != 1:
        return None
    start, end, reading = found[0]
    place = Place(page=text.count("\f", 0, start) + 1, start=start, end=end)
    return Proposal(path=field.name, value=reading.value, quote=text[start:end], score=ONLY_ONE, place=place)


def _rows(field: Field, schema: DataSchema, text: str) -> Iterator[Proposal]:
    """Rows that begin with words and end with a sum, but for those that a label of the document's own sums begins."""
    sums = [each for each in field.columns if each.format in {Format.MONEY, Format.NUMBER}]
    words = [each for each in field.columns if each.format in {Format.TEXT, Format.PARTY}]
    if not sums or not words:
        return
    own = [label.casefold() for each in schema.fields if each.format is Format.MONEY for label in each.labels]
    number = 0
    for match in _ROW.finditer(text):
        said = match["said"].strip(" |\t")
        if any(said.casefold().startswith(label) for label in own) or ":" in said:
            continue
        cell = next((cell for cell in reversed(match["rest"].split()) if _has_cents(cell)), "")
        amounts = amounts_in(cell)
        if not amounts:
            continue
        place = Place(page=text.count("\f", 0, match.start()) + 1, start=match.start(), end=match.end())
        for column, value in ((words[0].name, said), (sums[-1].name, amounts[-1][2].value)):
            path = f"{field.name}[{number}].{column}"
            yield Proposal(path=path, value=value, quote=match[0].strip(), score=ONLY_ONE, place=place)
        number += 1


def _has_cents(written: str) -> bool:
    return bool(re.search(r"[.,]\d\d(?!\d)", written))
