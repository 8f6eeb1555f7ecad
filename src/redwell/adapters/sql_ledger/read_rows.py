"""The reading of what the walks found: files become documents whose derivations they wait on."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.long_locators import whole_locator
from redwell.adapters.sql.moves import movable, moved
from redwell.adapters.sql.prepared import Prepared, constant, new_values, problems_json
from redwell.adapters.sql.tables import ingestion
from redwell.adapters.sql_exhibits.load_queue import add_pending
from redwell.adapters.sql_ledger.contents import Wanted, add_documents, add_readings, context_of
from redwell.adapters.sql_ledger.seals import ingestion_seal
from redwell.adapters.sql_ledger.volumes import add_files, join_files, to_gather
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Read, ToRead
from redwell.core.work.transitions import GATHER, LEAVE_OUT, TAKE, WAIT, Stage
from redwell.core.work.volumes import ASSEMBLED, place_of

_CLAIM = Prepared(
    ingestion.update()
    .where(
        ingestion.c.id.in_(
            select(ingestion.c.id)
            .where(
                ingestion.c.state != constant(Stage.DONE),
                movable(ingestion, TAKE),
                ingestion.c.source == constant(0),
                ingestion.c.batch == bindparam("batch"),
            )
            .order_by(ingestion.c.id)
            .limit(bindparam("limit"))
        )
    )
    .values(moved(ingestion, TAKE))
    .returning(
        ingestion.c.id,
        ingestion.c.attempt,
        ingestion.c.parent,
        whole_locator(ingestion),
        ingestion.c.name,
        ingestion.c.size,
    )
)
_LOCATORS = Prepared(select(ingestion.c.id, whole_locator(ingestion)).where(among(ingestion.c.id, "ids")))
_LIVE = Prepared(
    select(ingestion.c.id, ingestion.c.attempt, ingestion.c.batch).where(
        among(ingestion.c.id, "ids"), movable(ingestion, WAIT)
    )
)
_WAIT = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(**moved(ingestion, WAIT), **new_values(("document", "derivation", "size", "problems")))
)
_GATHER = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(**moved(ingestion, GATHER), **new_values(("document", "size", "problems")))
)


def claim_reads(tx: Connection, key: int, limit: int, worker: str) -> list[ToRead]:
    rows = sorted(_CLAIM.all(tx, batch=key, limit=limit, worker=worker))
    if not rows:
        return []
    sources = dict(_LOCATORS.all(tx, ids=as_list({parent for _, _, parent, *_ in rows})))
    return [
        ToRead(id=key, attempt=attempt, source=sources[parent], locator=locator, name=name, size=size or 0)
        for key, attempt, parent, locator, name, size in rows
    ]


class Recorded(NamedTuple):
    files: list[tuple[Read, int]]  # with their batch; others were taken over by somebody else
    contents: list[tuple[int, int]]  # the document of each file that has one now
    ahead: set[int]  # derivations that are ahead of these files already, to be settled


def record_reads(tx: Connection, reads: Sequence[Read], recipe: Recipe) -> Recorded:
    live = {(key, attempt): batch for key, attempt, batch in _LIVE.all(tx, ids=as_list(r.id for r in reads))}
    mine = [r for r in reads if (r.id, r.attempt) in live]
    synthetic = {r.stored.digests.sha256 for r in mine if r.stored is not None and r.files}
    documents = add_documents(tx, [r.stored for r in mine if r.stored is not None], synthetic)
    read = [(r, r.stored) for r in mine if r.stored is not None and r.outcome is None]
    volumes = [r.id for r in mine if place_of(r.name) and not r.files]
    gathered = to_gather(tx, volumes) if volumes else set()
    _GATHER.many(tx, [_kept(r, documents[s.digests.sha256]) for r, s in read if r.id in gathered])
    contents = [(r, s) for r, s in read if r.id not in gathered]
    keys = [(documents[s.digests.sha256], ASSEMBLED if r.files else context_of(r.name)) for r, s in contents]
    wanted = [Wanted(*k, s.size, live[r.id, r.attempt], r.task) for k, (r, s) in zip(keys, contents, strict=True)]
    works = add_readings(tx, wanted, recipe, {})
    for k, (r, _) in zip(keys, contents, strict=True):
        add_files(tx, works.ids[k], r.files)
    _WAIT.many(tx, [_waiting(r, k, works.ids[k]) for k, (r, _) in zip(keys, contents, strict=True)])
    for r in mine:
        if r.outcome is not None:
            _record_end(tx, r, documents[r.stored.digests.sha256] if r.stored else None)
    joined = join_files(tx, volumes, recipe) if gathered else set()
    files = [(r, live[r.id, r.attempt]) for r in mine]
    contents_of = [(r.id, documents[r.stored.digests.sha256]) for r in mine if r.stored]
    return Recorded(files, contents_of, works.ahead | joined)


def _waiting(read: Read, key: tuple[int, str], work: int) -> dict[str, Any]:
    return {**_kept(read, key[0]), "derivation": work}


def _kept(read: Read, document: int) -> dict[str, Any]:
    assert read.stored is not None
    return {
        "key": read.id,
        "document": document,
        "size": read.stored.size,
        "problems": problems_json(read.problems),
    }


def _record_end(tx: Connection, read: Read, document: int | None) -> None:
    """A file that is not worked on: it could not be read, or was left out."""
    row = tx.execute(select(ingestion).where(ingestion.c.id == read.id)).mappings().one()
    done = {
        "state": LEAVE_OUT.after,
        "owner": None,
        "document": document,
        "size": read.stored.size if read.stored else row["size"],
        "outcome": read.outcome,
        "detail": read.reason,
        "problems": problems_json(read.problems),
    }
    tx.execute(ingestion.update().where(ingestion.c.id == read.id).values(**done, seal=ingestion_seal({**row, **done})))
    add_pending(tx, [read.id])
