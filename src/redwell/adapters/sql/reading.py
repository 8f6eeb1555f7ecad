"""The reading of what the walks found: files become documents whose derivations they wait on."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, null, select

from redwell.adapters.sql.contents import Recipe, add_derivations, add_documents, context_of
from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.long_locators import whole_locator
from redwell.adapters.sql.pending import add_pending
from redwell.adapters.sql.row_seals import ingestion_seal
from redwell.adapters.sql.schema import ingestion
from redwell.adapters.sql.statements import Prepared, constant, new_values, problems_json
from redwell.adapters.sql.volumes import join_files, to_gather
from redwell.core.ledger import Stage
from redwell.core.records import Read, ToRead
from redwell.core.volumes import place_of

_CLAIM = Prepared(
    ingestion.update()
    .where(
        ingestion.c.id.in_(
            select(ingestion.c.id)
            .where(
                ingestion.c.state != constant(Stage.DONE),
                ingestion.c.state == constant(Stage.FOUND),
                ingestion.c.source == constant(0),
                ingestion.c.batch == bindparam("batch"),
            )
            .order_by(ingestion.c.id)
            .limit(bindparam("limit"))
        )
    )
    .values(state=constant(Stage.READING), owner=bindparam("worker"), attempt=ingestion.c.attempt + constant(1))
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
        among(ingestion.c.id, "ids"), ingestion.c.state == constant(Stage.READING)
    )
)
_WAIT = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(
        state=constant(Stage.WAITING),
        owner=null(),
        **new_values(("document", "derivation", "size", "problems")),
    )
)
_GATHER = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(state=constant(Stage.GATHERED), owner=null(), **new_values(("document", "size", "problems")))
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


def record_reads(tx: Connection, reads: Sequence[Read], recipe: Recipe) -> set[int]:
    """The derivations that are ahead of these files already, to be settled."""
    live = {(key, attempt): batch for key, attempt, batch in _LIVE.all(tx, ids=as_list(r.id for r in reads))}
    mine = [r for r in reads if (r.id, r.attempt) in live]
    documents = add_documents(tx, [r.stored for r in mine if r.stored is not None])
    read = [(r, r.stored) for r in mine if r.stored is not None and r.outcome is None]
    volumes = [r.id for r in mine if place_of(r.name)]
    gathered = to_gather(tx, volumes) if volumes else set()
    _GATHER.many(tx, [_kept(r, documents[s.digests.sha256]) for r, s in read if r.id in gathered])
    contents = [(r, s) for r, s in read if r.id not in gathered]
    keys = [(documents[s.digests.sha256], context_of(r.name)) for r, s in contents]
    wanted = [(*k, s.size, live[r.id, r.attempt]) for k, (r, s) in zip(keys, contents, strict=True)]
    works = add_derivations(tx, wanted, recipe, {})
    _WAIT.many(tx, [_waiting(r, k, works.ids[k]) for k, (r, _) in zip(keys, contents, strict=True)])
    for r in mine:
        if r.outcome is not None:
            _record_end(tx, r, documents[r.stored.digests.sha256] if r.stored else None)
    return works.ahead | (join_files(tx, volumes, recipe) if gathered else set())


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
        "state": Stage.DONE,
        "owner": None,
        "document": document,
        "size": read.stored.size if read.stored else row["size"],
        "outcome": read.outcome,
        "detail": read.detail or "; ".join(p.detail for p in read.problems),
        "problems": problems_json(read.problems),
    }
    tx.execute(ingestion.update().where(ingestion.c.id == read.id).values(**done, seal=ingestion_seal({**row, **done})))
    add_pending(tx, [read.id])
