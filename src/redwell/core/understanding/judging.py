"""All that was proposed for a document, brought together and judged: which fields need a person.

Pure. The same proposals give the same verdict.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from redwell.core.understanding.calibration import Threshold, band_of
from redwell.core.understanding.evidence import POOR
from redwell.core.understanding.proposals import By, Doubt, Proposal
from redwell.core.understanding.run_together import swallowed
from redwell.core.understanding.schemas import DataSchema, Field
from redwell.core.understanding.values import Format, same

AGREED, MODEL_ALONE = 0.97, 0.75
SAMPLE_PERCENT = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    proposals: tuple[Proposal, ...]
    failed_checks: tuple[str, ...]

    @property
    def is_flagged(self) -> bool:
        return any(each.doubts for each in self.proposals)

    @property
    def doubt(self) -> float:
        """How doubtful the document is, from 0: what is looked at first."""
        doubted = [each for each in self.proposals if each.is_doubted]
        return round(sum(1 - each.score for each in doubted) + len(doubted), 3)


def merged(schema: DataSchema, rules: Sequence[Proposal], model: Sequence[Proposal]) -> list[Proposal]:
    """One proposal for each field. Where both have read it they confirm, or contradict, each other."""
    by_rule, by_model = {each.path: each for each in rules}, {each.path: each for each in model if each.value}
    whole = {field.name for field in schema.fields if field.format is Format.LINES and _has_rows(field, by_model)}
    kept = dict[str, Proposal]()
    for path in [*by_model, *(path for path in by_rule if path not in by_model)]:
        head = path.partition("[")[0]
        if path not in by_model:
            if head not in whole:
                kept[path] = by_rule[path]
            continue
        kept[path] = _one(schema.field_of(path), by_rule.get(path), by_model[path])
    return [*kept.values(), *(Proposal(path=each.name, value="") for each in schema.fields if _lacks(each, kept))]


def _has_rows(field: Field, proposals: Mapping[str, Proposal]) -> bool:
    return any(path.startswith(f"{field.name}[") for path in proposals)


def _lacks(field: Field, kept: Mapping[str, Proposal]) -> bool:
    there = _has_rows(field, kept) if field.format is Format.LINES else field.name in kept
    return not there


def _one(field: Field | None, rule: Proposal | None, model: Proposal) -> Proposal:
    if rule is None or field is None or "[" in model.path:
        return replace(model, score=MODEL_ALONE)
    if same(field.format, rule.value, model.value):
        return replace(rule, by=By.BOTH, score=AGREED, value=max(rule.value, model.value, key=len))
    return replace(model, score=MODEL_ALONE / 2).with_doubts([Doubt.DISAGREEMENT])


def judged(
    schema: DataSchema, proposals: Sequence[Proposal], thresholds: Mapping[tuple[str, str], Threshold], chosen: bool
) -> Verdict:
    """`chosen`: the document is in the sample that a person sees whatever the score."""
    values = values_of(proposals)
    failed = [check for check in schema.checks if check.holds(values) is False]
    suspect = {path for check in failed for path in check.paths}
    said = {each.path: each.value for each in proposals}
    told = list[Proposal]()
    for each in proposals:
        field = schema.field_of(each.path)
        doubts = [Doubt.CHECK_FAILED] if column_of(each.path) in suspect else []
        if not each.value and field and not field.is_required:
            told.append(each)  # nothing there, and nothing has to be
            continue
        if not each.value:
            doubts.append(Doubt.NOT_FOUND)
        if swallowed(schema, each.path, said):
            doubts.append(Doubt.SWALLOWED)
        doubts += _for_want_of_trust(each, thresholds)
        if chosen:
            doubts.append(Doubt.SAMPLE)
        told.append(each.with_doubts(doubts))
    return Verdict(tuple(told), tuple(check.text for check in failed))


def _for_want_of_trust(each: Proposal, thresholds: Mapping[tuple[str, str], Threshold]) -> list[Doubt]:
    confidence = each.place.confidence if each.place else 1.0
    doubts = [Doubt.POOR_PAGE] if confidence < POOR else []
    threshold = thresholds.get((column_of(each.path), band_of(confidence)))
    if threshold is None:
        return [*doubts, Doubt.UNPROVEN]
    return [*doubts, Doubt.BELOW_THRESHOLD] if each.score < threshold.score else doubts


def column_of(path: str) -> str:
    """`lines[3].amount` is of `lines.amount`."""
    head, bracket, rest = path.partition("[")
    return head + rest.partition("]")[2] if bracket else path


def values_of(proposals: Sequence[Proposal]) -> dict[str, str | list[str]]:
    """By path; a column of lines is the list of its values."""
    values: dict[str, str | list[str]] = {}
    for each in proposals:
        if "[" not in each.path:
            values[each.path] = each.value
            continue
        column = values.setdefault(column_of(each.path), [])
        assert isinstance(column, list), "a field has lines or none"
        column.append(each.value)
    return values


def structured(schema: DataSchema, values: Mapping[str, str]) -> dict[str, object]:
    """The document's data, from values by path: what is stored, searched and exported."""
    data: dict[str, object] = {}
    for field in schema.fields:
        if field.format is not Format.LINES:
            data[field.name] = values.get(field.name) or None
            continue
        rows: dict[int, dict[str, str]] = {}
        for path, value in values.items():
            head, bracket, rest = path.partition("[")
            if bracket and head == field.name and value:
                number, _, column = rest.partition("].")
                rows.setdefault(int(number), {})[column] = value
        data[field.name] = [rows[number] for number in sorted(rows)]
    return data


def in_sample(document: str, percent: int = SAMPLE_PERCENT) -> bool:
    """The same documents each time, and nobody can guess which."""
    return int.from_bytes(hashlib.sha256(f"sample {document}".encode()).digest()[:4], "big") % 100 < percent
