"""How a batch was worked on, in the processing report: runs, retries, versions, settings, sandbox."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from redwell.core.report.sheet import Block, Line, Pairs, Table


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
    """What somebody chose."""
    chosen, others = batch["settings_changed"], len(batch["settings_default"])
    if chosen:
        yield Pairs([(name, str(value)) for name, value in sorted(chosen.items())])
    yield Line(f"{'The' if chosen else 'All'} {others} {'others ' if chosen else ''}are as by default (appendix B).")


def defaults_of(batches: Iterable[Mapping[str, Any]]) -> list[Block]:
    """The settings that any of them left as they are by default: one value each, two in a row."""
    known = {name: value for batch in batches for name, value in batch["settings_default"].items()}
    cells = [(name, "empty" if value == "" else str(value)) for name, value in sorted(known.items())]
    half = (len(cells) + 1) // 2
    left, right = cells[:half], [*cells[half:], ("", "")][:half]
    rows = [(*one, *other) for one, other in zip(left, right, strict=True)]
    return [Table(columns=("Setting", "Value", "Setting", "Value"), rows=rows)] if rows else [Line("There are none.")]


def _changed(account: Mapping[str, Any]) -> str:
    told = [f"{row['count']:,} were {row['before']}, are {row['after']}" for row in account["changed"]]
    return "; ".join([*told, f"{account['unchanged']:,} as they were, {account['new']:,} new exhibits"])


def _pairs(values: Mapping[str, Any] | Sequence[tuple[str, Any]], sign: str) -> str:
    return ", ".join(f"{key}{sign}{value}" for key, value in dict(values).items() if value != "")


def _time(stamp: str | None) -> str:
    return f"{stamp[:10]} {stamp[11:19]} UTC" if stamp else "not yet"
