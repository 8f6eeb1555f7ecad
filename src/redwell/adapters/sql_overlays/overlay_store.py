"""The OverlayStore on a SQL database. Keeps the promises of ports.overlays.

What overlays make of an exhibit is kept with its row (`overlaid`, `given_text`), so that whoever reads it asks for no
more.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.overlay_tables import overlay, overlay_value
from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.tables import derivation, ingestion
from redwell.adapters.sql_exhibits.load_queue import add_pending
from redwell.adapters.sql_ledger.blob_rows import add_blobs
from redwell.adapters.sql_review.audit_log import append, now_ms
from redwell.adapters.sql_review.coding import chunks
from redwell.core.blobs import Stored
from redwell.core.case.checkpoints import Checkpoint, before
from redwell.core.errors import NotFound
from redwell.core.loadfiles.given_text import FIELD, told_blob
from redwell.core.loadfiles.overlay import NewValue
from redwell.core.review.values import Action, Entry
from redwell.core.trip import trip
from redwell.ports.overlays import OverlaidValue, Overlay

_ROLES = ("record", "attached-record")  # core.handler.Role
_AT_ONCE = 1_000
_NAMED = 50  # an overlay of more documents is one entry in the log
_LAY = (
    update(exhibit)
    .where(exhibit.c.id == bindparam("key"))
    .values({name: bindparam(f"new_{name}") for name in ("overlaid", "given_text", "given_chars")})
)


class SqlOverlayStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def record_ids(self) -> Iterator[tuple[int, str, str]]:
        after = 0
        while True:
            with self._database.read() as tx:
                rows = tx.execute(_records(after)).all()
            for key, metadata in rows:
                told = json.loads(metadata or "{}")
                yield key, str(told.get("record_id") or ""), str(told.get("begbates") or "")
            if not rows:
                return
            after = rows[-1].id

    def begin(self, name: str, sha256: str, who: str) -> int:
        row = {"name": name, "sha256": sha256, "who": who, "at_ms": now_ms()}
        return self._database.write(
            lambda tx: int(tx.execute(insert(overlay).values(row).returning(overlay.c.id)).scalar_one())
        )

    def apply(
        self, overlay: int, changes: Mapping[int, Sequence[NewValue]], who: str, texts: Sequence[Stored] = ()
    ) -> None:
        def work(tx: Connection) -> None:
            add_blobs(tx, texts)
            _apply(tx, overlay, changes, who)

        self._database.write(work)
        trip("overlay.after_chunk")

    def finish(self, key: int, counts: Mapping[str, int], who: str) -> None:
        def work(tx: Connection) -> None:
            done = update(overlay).where(overlay.c.id == key).values(counts=as_json(dict(counts)))
            name = tx.execute(done.returning(overlay.c.name)).scalar_one()
            append(tx, [Entry(who=who, action=Action.OVERLAID, detail={"overlay": key, "file": name, **counts})])

        self._database.write(work)

    def overlays(self) -> list[Overlay]:
        with self._database.read() as tx:
            rows = tx.execute(select(overlay).order_by(overlay.c.id)).all()
        return [
            Overlay(r.id, r.name, r.sha256, r.who, r.at_ms, json.loads(r.counts or "{}"), bool(r.undone)) for r in rows
        ]

    def values(self, key: int) -> Iterator[OverlaidValue]:
        if not any(each.id == key for each in self.overlays()):
            raise NotFound(f"there is no overlay {key}; `redwell overlay list` has them")
        after = 0
        while True:
            with self._database.read() as tx:
                rows = tx.execute(_values(key, after)).all()
            for r in rows:
                yield OverlaidValue(r.exhibit, r.control, r.name, json.loads(r.before), json.loads(r.after))
            if not rows:
                return
            after = rows[-1].exhibit

    def undo(self, key: int, who: str) -> int:
        return self._database.write(partial(_undo, key=key, who=who))

    def close(self) -> None:
        self._database.close()


def _records(after: int):  # type: ignore[no-untyped-def]
    return (
        select(ingestion.c.id, derivation.c.metadata)
        .join(derivation, derivation.c.id == ingestion.c.derivation)
        .where(ingestion.c.id > after, ingestion.c.role.in_(_ROLES))
        .order_by(ingestion.c.id)
        .limit(_AT_ONCE)
    )


def _values(key: int, after: int):  # type: ignore[no-untyped-def]
    """All of some exhibits."""
    some = (
        select(overlay_value.c.exhibit)
        .where(overlay_value.c.overlay == key, overlay_value.c.exhibit > after)
        .distinct()
        .order_by(overlay_value.c.exhibit)
        .limit(_AT_ONCE)
    )
    return (
        select(overlay_value, exhibit.c.control)
        .join(exhibit, exhibit.c.id == overlay_value.c.exhibit)
        .where(overlay_value.c.overlay == key, overlay_value.c.exhibit.in_(some))
        .order_by(overlay_value.c.exhibit, overlay_value.c.name)
    )


def _apply(tx: Connection, key: int, changes: Mapping[int, Sequence[NewValue]], who: str) -> None:
    rows = [{"overlay": key, "exhibit": changed, **_row(v)} for changed, values in changes.items() for v in values]
    if rows:
        made = upsert(overlay_value)
        columns = ["overlay", "exhibit", "name"]
        after = {name: made.excluded[name] for name in ("after", "blob")}
        tx.execute(made.on_conflict_do_update(index_elements=columns, set_=after), rows)
    _follow(tx, list(changes))
    if len(changes) <= _NAMED:
        told = [(changed, [v.name for v in values]) for changed, values in changes.items()]
        entries = [{"overlay": key, "fields": names} for _, names in told]
        append(
            tx,
            [
                Entry(who=who, action=Action.OVERLAID, exhibit=changed, detail=detail)
                for (changed, _), detail in zip(told, entries, strict=True)
            ],
        )


def _row(value: NewValue) -> dict[str, Any]:
    told = {"name": value.name, "before": as_json(value.before), "after": as_json(value.after)}
    return {**told, "blob": told_blob(value.after) if value.name == FIELD else None}


def _undo(tx: Connection, key: int, who: str) -> int:
    done = update(overlay).where(overlay.c.id == key, overlay.c.undone == 0).values(undone=1)
    name = tx.execute(done.returning(overlay.c.name)).scalar()
    if name is None:
        raise NotFound(f"there is no overlay {key}, or it is undone already; `redwell overlay list` has them")
    query = select(overlay_value.c.exhibit).where(overlay_value.c.overlay == key).distinct()
    changed = list(tx.execute(query).scalars())
    _follow(tx, changed)
    told = {"overlay": key, "file": name, "documents": len(changed)}
    append(tx, [Entry(who=who, action=Action.OVERLAY_UNDONE, detail=told)])
    return len(changed)


def _follow(tx: Connection, changed: Sequence[int]) -> None:
    """What the overlays in force say of these exhibits, the last one of each field; the index follows."""
    for chunk in chunks(changed):
        query = (
            select(overlay_value.c.exhibit, overlay_value.c.name, overlay_value.c.after)
            .join(overlay, overlay.c.id == overlay_value.c.overlay)
            .where(overlay_value.c.exhibit.in_(chunk), overlay.c.undone == 0)
            .order_by(overlay_value.c.overlay)
        )
        over: dict[int, dict[str, Any]] = {each: {} for each in chunk}
        for row in tx.execute(query):
            over[row.exhibit][row.name] = json.loads(row.after)
        rows = [{"key": each, **_in_force(values)} for each, values in over.items()]
        tx.execute(_LAY, rows)
        add_pending(tx, chunk, before(Checkpoint.CUSTODIANS))


def _in_force(values: dict[str, Any]) -> dict[str, Any]:
    """What stands with the exhibit: its fields, and its text apart from them."""
    text = values.pop(FIELD, None)
    return {
        "new_overlaid": as_json(values) if values else None,
        "new_given_text": told_blob(text) if text else None,
        "new_given_chars": text["chars"] if text else None,
    }
