"""The processing report (report.py) as a person reads it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redwell.core.jobs.job import JobState


def report_in_words(account: Mapping[str, Any]) -> str:
    now = account["reported_by"]
    lines = [f"Processing report: case {account['case']!r}, made by {_program(now)}"]
    for batch in account["batches"]:
        lines += ["", *_batch_in_words(batch)]
    return "\n".join(lines)


def _batch_in_words(batch: Mapping[str, Any]) -> list[str]:
    return [
        f"Batch {batch['batch']} ({batch['type']}), custodian {batch['custodian'] or 'not named'}",
        f"  begun {batch['begun']}, {_end_in_words(batch)}",
        *(f"  source {_source_in_words(source)}" for source in batch["sources"]),
        f"  {batch['documents']:,} documents, {batch['duplicates']:,} of known content",
        *[f"    {outcome}: {count:,}" for outcome, count in batch["outcomes"].items()],
        *[f"  volume {each['path']}: {line}" for each in batch["volumes"] for line in each["balance"]],
        *_gaps_in_words(batch["numbers_not_used"]),
        *_runs_in_words(batch["runs"]),
        *([] if batch["runs"] else _without_runs(batch)),
    ]


def _end_in_words(batch: Mapping[str, Any]) -> str:
    if batch["state"] == JobState.CANCELLED:
        return f"CANCELLED {batch['cancelled']}"
    return f"finished {batch['finished']}" if batch["finished"] else f"not finished ({batch['state']})"


def _source_in_words(source: Mapping[str, Any]) -> str:
    if "unread" in source:
        return f"{source['path']} {source['unread']}"
    listed = "not counted yet" if source["listed"] is None else f"{source['listed']:,} files"
    return f"{source['path']}: {listed}"


def _gaps_in_words(count: int) -> list[str]:
    if not count:
        return []
    return [f"  gaps in control numbers: {count:,} members of containers are no documents, such as folders"]


def _runs_in_words(runs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Libraries where they are not those of the run before."""
    before: Mapping[str, Any] = {}
    for run in runs:
        ended = run["ended"] or "it did not end in order"
        yield f"  {run['command']} by {run['user']} on {run['host']}, {run['begun']} to {ended}: {_program(run)}"
        yield "    settings: " + (_pairs(run["settings"], "=") or "as they are by default")
        yield "    sandbox: " + _pairs(run["sandbox"], " ")
        if run["libraries"] != before:
            yield "    libraries: " + _pairs(run["libraries"], " ")
        if run["changed"]:
            yield "    changed: " + _changed(run["changed"])
        before = run["libraries"]


def _without_runs(batch: Mapping[str, Any]) -> list[str]:
    """Nobody has begun, or it was an older release, which kept less."""
    return [
        "  sandbox: " + (_pairs(batch["sandbox"], " ") or "no child was started"),
        "  settings: " + _pairs(batch["settings"], "="),
    ]


def _changed(account: Mapping[str, Any]) -> str:
    told = [f"{row['count']:,} were {row['before']}, are {row['after']}" for row in account["changed"]]
    return "; ".join([*told, f"{account['unchanged']:,} as they were, {account['new']:,} new exhibits"])


def _program(of: Mapping[str, Any]) -> str:
    return f"Redwell {of['redwell']}, Python {of['python']}, {of['system']}"


def _pairs(values: Mapping[str, Any], sign: str) -> str:
    return ", ".join(f"{key}{sign}{value}" for key, value in values.items())
