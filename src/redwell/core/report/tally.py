"""Items counted for the report, in files and bytes: by what became of them, custodian, type, source and outcome. Pure.

It is given every exhibit once, and grows with the number of types and sources, not with the case.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redwell.core.case.families import FILE_DEPTH
from redwell.core.case.rows import OPEN, Exhibit
from redwell.core.outcomes import Outcome
from redwell.core.report.became import Became, became

UNTYPED = "not looked into"


@dataclass(slots=True)
class Count:
    items: int = 0
    bytes: int = 0

    def add(self, size: int | None) -> None:
        self.items += 1
        self.bytes += size or 0

    def for_json(self) -> dict[str, int]:
        return {"items": self.items, "bytes": self.bytes}


@dataclass(slots=True)
class Line:
    """One line of a table: all, and of these what became of them."""

    all: Count = field(default_factory=Count)
    ends: dict[Became, Count] = field(default_factory=dict)

    def add(self, end: Became, size: int | None) -> None:
        self.all.add(size)
        self.ends.setdefault(end, Count()).add(size)

    def for_json(self) -> dict[str, Any]:
        ends = {str(end): self.ends[end].for_json() for end in Became if end in self.ends}
        return {**self.all.for_json(), "became": ends}


@dataclass(slots=True)
class Tally:
    total: Line = field(default_factory=Line)
    loose: Count = field(default_factory=Count)  # files of the sources; all else was found inside of them
    with_text: int = 0  # of the documents
    with_problems: int = 0
    opened_with_password: int = 0  # of all items
    custodians: dict[str, Line] = field(default_factory=dict)
    types: dict[str, Line] = field(default_factory=dict)
    sources: dict[str, Line] = field(default_factory=dict)
    outcomes: dict[str, Count] = field(default_factory=dict)

    def add(self, exhibit: Exhibit) -> Became:
        end, size = became(exhibit), exhibit.size
        self.total.add(end, size)
        if exhibit.depth == FILE_DEPTH:
            self.loose.add(size)
        if end is Became.DOCUMENT:
            self.with_text += exhibit.text_chars > 0
            self.with_problems += exhibit.outcome != Outcome.SUCCESS
        self.opened_with_password += bool(exhibit.metadata.get("opened_with_password"))
        self.custodians.setdefault(exhibit.custodian or "", Line()).add(end, size)
        self.types.setdefault(exhibit.media_type or UNTYPED, Line()).add(end, size)
        self.sources.setdefault(exhibit.source, Line()).add(end, size)
        self.outcomes.setdefault(exhibit.outcome or OPEN, Count()).add(size)
        return end

    def for_json(self) -> dict[str, Any]:
        total = self.total.all
        inside = Count(total.items - self.loose.items, total.bytes - self.loose.bytes)
        return {
            **self.total.for_json(),
            "loose_files": self.loose.for_json(),
            "found_inside": inside.for_json(),
            "documents_with_text": self.with_text,
            "documents_with_problems": self.with_problems,
            "opened_with_password": self.opened_with_password,
            "by_outcome": {name: self.outcomes[name].for_json() for name in sorted(self.outcomes)},
            "by_custodian": _lines("custodian", self.custodians),
            "by_type": _lines("type", self.types),
            "by_source": _lines("source", self.sources),
        }


def _lines(what: str, lines: Mapping[str, Line]) -> list[dict[str, Any]]:
    """The largest first."""
    return [
        {what: name, **line.for_json()}
        for name, line in sorted(lines.items(), key=lambda pair: (-pair[1].all.items, pair[0]))
    ]
