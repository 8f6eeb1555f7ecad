"""How a batch was worked on, in the processing report: runs, retries, versions, settings, sandbox."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redwell.core.report.sheet import Block, Line, Pairs


def history(batch: Mapping[str, Any]) -> Iterator[Block]:
    """Versions of libraries where they are not those of the run before."""
    before: Mapping[str, Any] = {}
    for number, run in enumerate(batch["runs"], 1):
        pairs = [*_run(number, run)]
        if run["libraries"] != before:
            pairs.append(("libraries", _pairs(run["libraries"], " ")))
        yield Pairs(pairs)
        before = run["libraries"]
    if not batch["runs"]:
        yield Line("Nobody has begun to work on it, or an older release did, which kept no record of it.")
        yield Pairs([("sandbox", _pairs(batch["sandbox"], " ") or "no child was started")])
    retries = [f"{job['kind']} (job {job['job']}, {job['state']}) {_time(job['begun'])}" for job in batch["retries"]]
    yield Pairs([("Tried again", "; ".join(retries) or "never")])


def _run(number: int, run: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    ended = _time(run["ended"]) if run["ended"] else "it did not end in order"
    yield f"Run {number}", f"{run['command']} by {run['user']} on {run['host']}, {_time(run['begun'])} to {ended}"
    if run.get("command_line"):
        yield "command", run["command_line"]
    yield "program", f"Redwell {run['redwell']}, Python {run['python']}, {run['system']}"
    yield "settings", _pairs(run["settings"], "=") or "as they are by default"
    yield "sandbox", _pairs(run["sandbox"], " ")
    if run["changed"]:
        yield "changed", _changed(run["changed"])


def settings_of(batch: Mapping[str, Any]) -> Iterator[Block]:
    """First what somebody chose."""
    chosen, others = batch["settings_changed"], batch["settings_default"]
    if chosen:
        yield Line("Not as by default:")
        yield Pairs([(name, str(value)) for name, value in sorted(chosen.items())])
    yield Line(f"{len(others)} as by default; those with a value: {_pairs(dict(sorted(others.items())), '=')}")


def _changed(account: Mapping[str, Any]) -> str:
    told = [f"{row['count']:,} were {row['before']}, are {row['after']}" for row in account["changed"]]
    return "; ".join([*told, f"{account['unchanged']:,} as they were, {account['new']:,} new exhibits"])


def _pairs(values: Mapping[str, Any] | Sequence[tuple[str, Any]], sign: str) -> str:
    return ", ".join(f"{key}{sign}{value}" for key, value in dict(values).items() if value != "")


def _time(stamp: str | None) -> str:
    return f"{stamp[:10]} {stamp[11:19]} UTC" if stamp else "not yet"
