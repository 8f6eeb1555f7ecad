"""How good the data of documents are, against known values: by field right, flagged, wrong but not flagged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from redwell.core.understanding.judging import column_of, values_of
from redwell.core.understanding.proposals import ROUTINE, Proposal
from redwell.core.understanding.schemas import DataSchema
from redwell.core.understanding.values import Format, same


@dataclass(slots=True)
class Figures:
    """Of one field. `wrong_unflagged` is the one that matters: nobody would have looked."""

    documents: int = 0
    right: int = 0
    missing: int = 0
    wrong: int = 0
    flagged: int = 0  # by evidence, not only for want of experience
    wrong_unflagged: int = 0

    def told(self) -> dict[str, float]:
        given = self.right + self.wrong
        return {
            "documents": self.documents,
            "right": self.right,
            "missing": self.missing,
            "wrong": self.wrong,
            "flagged": self.flagged,
            "wrong_unflagged": self.wrong_unflagged,
            "precision": round(self.right / given, 4) if given else 0.0,
            "recall": round(self.right / self.documents, 4) if self.documents else 0.0,
        }


@dataclass(slots=True)
class Evaluation:
    fields: dict[str, Figures] = field(default_factory=dict)

    def add(self, schema: DataSchema, proposals: Sequence[Proposal], gold: Mapping[str, Any]) -> None:
        """One document. A field that the gold does not name is not counted; null means that it has no value."""
        found, flagged = values_of(proposals), {column_of(each.path) for each in proposals if _is_flagged(each)}
        for name, wanted in _flat(gold).items():
            known = schema.field_of(name.replace(".", "[0].", 1)) or schema.field_of(name)
            if known is None:
                continue
            given = found.get(name, [] if isinstance(wanted, list) else "")
            self._count(name, known.format, given, wanted, name in flagged)

    def _count(self, name: str, form: Format, given: str | list[str], wanted: Any, is_flagged: bool) -> None:
        figures = self.fields.setdefault(name, Figures())
        figures.documents += 1
        figures.flagged += is_flagged
        if _equal(form, given, wanted):
            figures.right += 1
        elif not given:
            figures.missing += 1
        else:
            figures.wrong += 1
            figures.wrong_unflagged += not is_flagged

    def told(self) -> dict[str, Any]:
        values = sum(each.documents for each in self.fields.values())
        unflagged = sum(each.wrong_unflagged for each in self.fields.values())
        return {
            "fields": {name: figures.told() for name, figures in sorted(self.fields.items())},
            "values": values,
            "right": sum(each.right for each in self.fields.values()),
            "flagged": sum(each.flagged for each in self.fields.values()),
            "wrong_unflagged": unflagged,
            "wrong_unflagged_percent": round(100 * unflagged / values, 2) if values else 0.0,
        }


def _is_flagged(each: Proposal) -> bool:
    return any(doubt not in ROUTINE for doubt in each.doubts)


def _flat(gold: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in gold.items():
        if not isinstance(value, list):
            flat[name] = value
            continue
        for column in {column for row in value for column in row}:
            flat[f"{name}.{column}"] = [row.get(column) or "" for row in value]
    return flat


def _equal(form: Format, given: str | list[str], wanted: Any) -> bool:
    if not wanted:
        return not given
    if isinstance(wanted, list):
        return len(given) == len(wanted) and all(
            same(form, one, str(two)) for one, two in zip(given, wanted, strict=True)
        )
    return isinstance(given, str) and same(form, given, str(wanted))
