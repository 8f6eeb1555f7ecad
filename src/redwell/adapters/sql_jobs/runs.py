"""Runs: what was at work on a job, when, and with what (core.jobs.run). Written at their beginning and their end."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from redwell.adapters.sql.job_tables import run
from redwell.adapters.sql_ledger.seals import run_seal
from redwell.core.jobs.run import NewRun


def begin(tx: Connection, work: Mapping[str, Any], new: NewRun, layers: Mapping[str, str]) -> None:
    """`work` says which worker, job and batch, and when."""
    row: dict[str, Any] = {
        **work,
        "command": new.command,
        "user": new.user,
        "host": new.host,
        "pid": new.pid,
        "program": json.dumps(dict(new.program)),
        "settings": json.dumps(dict(new.settings)),
        "sandbox": json.dumps(dict(layers)),
        "ended_ms": None,
        "changed": None,
    }
    tx.execute(run.insert(), {**row, "seal": run_seal(row)})


def end(tx: Connection, keys: Sequence[int], worker: str, now: int) -> None:
    _write(tx, (run.c.worker == worker, run.c.batch.in_(keys), run.c.ended_ms.is_(None)), {"ended_ms": now})


def note_change(tx: Connection, worker: str, changed: Mapping[str, Any]) -> None:
    """What a retry did, by whoever began it."""
    _write(tx, (run.c.worker == worker,), {"changed": json.dumps(dict(changed))})


def _write(tx: Connection, which: tuple[ColumnElement[bool], ...], new: Mapping[str, Any]) -> None:
    for row in tx.execute(select(run).where(*which)).mappings().all():
        sealed = {**new, "seal": run_seal({**row, **new})}
        tx.execute(run.update().where(run.c.id == row["id"]).values(**sealed))
