"""How ingestions for understanding end: results of several are written at once. In a transaction."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict
from sqlalchemy import Connection, Table, bindparam, delete, insert, update

from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.understanding_tables import model_window, proposal, understanding
from redwell.adapters.sql_understanding.claims import failed, held_of
from redwell.adapters.sql_understanding.data_rows import Values, write_data
from redwell.core.trip import trip
from redwell.core.understanding.states import Status, after_failure
from redwell.core.understanding.turns import Ended, Result

_KEY = "key_of_it"


def end(tx: Connection, ended: Sequence[Ended], now_ms: int, tries: int) -> list[Status | None]:
    """None for those whose claim was lost: nothing is written of them. The trigger takes results to documents."""
    held = held_of(tx, [each.claim for each in ended]) if ended else set()
    mine = [each for each in ended if each.claim.id in held]
    _complete(tx, [(each, each.result) for each in mine if each.result], now_ms)
    for each in mine:
        if each.result is None:
            _fail(tx, each, now_ms, tries)
    return [_status(each, tries) if each.claim.id in held else None for each in ended]


def _status(ended: Ended, tries: int) -> Status:
    return Status.COMPLETED if ended.result else after_failure(ended.claim.attempt, tries)


def _complete(tx: Connection, done: Sequence[tuple[Ended, Result]], now_ms: int) -> None:
    if not done:
        return
    changes = [{_KEY: each.claim.id, **_columns(result, now_ms)} for each, result in done]
    columns: dict[str, Any] = {name: bindparam(name) for name in changes[0] if name != _KEY}
    tx.execute(update(understanding).where(understanding.c.id == bindparam(_KEY)).values(columns), changes)
    keys = [each.claim.id for each, _ in done]
    _replace(tx, proposal, keys, [row for each, result in done for row in _proposals(each.claim.id, result)])
    _replace(tx, model_window, keys, [row for each, result in done for row in _windows(each.claim.id, result)])
    write_data(tx, [_values(each, result) for each, result in done])
    trip("understand.complete.before_commit")


def _columns(result: Result, now_ms: int) -> dict[str, Any]:
    return {
        "status": Status.COMPLETED,
        "completed_ms": now_ms,
        "schema": result.schema,
        "structured_data": as_json(result.data) if result.data is not None else None,
        "flagged": int(result.is_flagged),
        "doubt": result.doubt,
        "model": result.model,
        "quality": result.quality,
        "detail": result.detail,
    }


def _proposals(key: int, result: Result) -> list[dict[str, Any]]:
    return [
        {"understanding": key, "path": each.path, "place": place, "body": as_json(asdict(each))}
        for place, each in enumerate(result.proposals)
    ]


def _windows(key: int, result: Result) -> list[dict[str, Any]]:
    """One that was asked about again has its last state."""
    last = {(each.start, each.stop, each.part): {"understanding": key, **asdict(each)} for each in result.windows}
    return list(last.values())


def _values(ended: Ended, result: Result) -> Values:
    values = {each.path: each.value for each in result.proposals if each.value}
    return Values(ended.claim.id, ended.claim.document, result.name, values)


def _replace(tx: Connection, table: Table, keys: Sequence[int], rows: Sequence[dict[str, Any]]) -> None:
    tx.execute(delete(table).where(table.c.understanding.in_(keys)))
    if rows:
        tx.execute(insert(table), rows)


def _fail(tx: Connection, ended: Ended, now_ms: int, tries: int) -> None:
    again = {"status": Status.IN_PROGRESS, "started_ms": None, "owner": None, "detail": ended.detail[:2_000]}
    changed = failed(ended.detail, now_ms) if _status(ended, tries) is Status.FAILED else again
    tx.execute(update(understanding).where(understanding.c.id == ended.claim.id).values(changed))
    trip("understand.fail.before_commit")
