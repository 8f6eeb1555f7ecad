"""Renditions and recognition: work that follows from a content's reading, for every batch that wants it.

It is asked for when an exhibit ends, and when an artifact is there that it needs. Who wants what another batch has
asked for already is noted in `wanted`; nothing is made twice. A case whose jobs want no renditions pays nothing.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, func, null, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.moves import moved
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows
from redwell.adapters.sql.tables import artifact, derivation, document, wanted
from redwell.adapters.sql_ledger.contents import ADD_WORK
from redwell.core.artifacts import ArtifactKind
from redwell.core.work.kinds import KINDS, Phase, Purpose, TaskType
from redwell.core.work.recipe import Recipe
from redwell.core.work.transitions import RELEASE, Work

_OF_PHASE = {phase: [task for task, kind in KINDS.items() if kind.phase is phase] for phase in Phase}
_LATER = [constant(task) for phase in (Phase.RENDITION, Phase.OCR) for task in _OF_PHASE[phase]]
_open = (
    derivation.c.state != constant(Work.DONE),
    derivation.c.state.in_([constant(Work.QUEUED), constant(Work.LEASED)]),
    derivation.c.batch == bindparam("batch"),
)
_ANY_OPEN = Prepared(select(derivation.c.id).where(*_open, derivation.c.task.in_(_LATER)).limit(constant(1)))
_OPEN = Prepared(
    select(derivation.c.task, func.count()).where(*_open, derivation.c.task.in_(_LATER)).group_by(derivation.c.task)
)
_ANY_WANTED = Prepared(select(wanted.c.derivation).where(wanted.c.batch == bindparam("batch")).limit(constant(1)))
_WANTED = Prepared(
    select(derivation.c.task, func.count())
    .join_from(wanted, derivation, wanted.c.derivation == derivation.c.id)
    .where(wanted.c.batch == bindparam("batch"))
    .group_by(derivation.c.task)
)
_READINGS = Prepared(
    select(
        *(derivation.c[c] for c in ("document", "context", "media_type", "outcome", "container")),
        document.c.size,
    )
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .where(among(derivation.c.document, "documents"), derivation.c.purpose == constant(Purpose.READ))
    .where(derivation.c.state == constant(Work.DONE))
    .order_by(derivation.c.id)
)
_MADE = Prepared(
    select(derivation.c.document, artifact.c.kind, artifact.c.sha256, artifact.c.size)
    .join_from(derivation, artifact, artifact.c.derivation == derivation.c.id)
    .where(among(derivation.c.document, "documents"), artifact.c.number == constant(0))
    .order_by(derivation.c.id)
)
_OTHERS = Prepared(
    select(derivation.c.id, derivation.c.document, derivation.c.batch).where(
        among(derivation.c.document, "documents"),
        derivation.c.purpose != constant(Purpose.READ),
        derivation.c.state != constant(Work.DONE),
    )
)
_TAKE_UP = Prepared(derivation.update().where(derivation.c.id == bindparam("key")).values(batch=bindparam("by")))
_WANT = Prepared(insert_rows(wanted, wanted.c.keys()).on_conflict_do_nothing())
_WANTED_BY = Prepared(select(wanted).where(among(wanted.c.derivation, "ids")))
_UNWANT = Prepared(wanted.delete().where(wanted.c.batch == bindparam("batch")))
_HEIRS = Prepared(
    select(derivation.c.id, func.min(wanted.c.batch))
    .join_from(derivation, wanted, wanted.c.derivation == derivation.c.id)
    .where(*_open, derivation.c.task.in_(_LATER))
    .group_by(derivation.c.id)
)
_INHERITED = Prepared(wanted.delete().where(wanted.c.derivation == bindparam("key"), wanted.c.batch == bindparam("by")))
_DROP = Prepared(  # whoever is at one is stopped by the fence
    derivation.update().where(*_open, derivation.c.task.in_(_LATER)).values(**moved(derivation, RELEASE), batch=null())
)
_FORGET = Prepared(wanted.delete().where(among(wanted.c.derivation, "ids")))


class Content(msgspec.Struct, frozen=True, gc=False):
    """A content as its reading left it; the fields are those of the query, in order."""

    document: int
    context: str
    media_type: str | None
    outcome: str | None
    container: int
    size: int


class Made(NamedTuple):
    sha256: bytes
    size: int


def want_renditions(tx: Connection, exhibits: Iterable[tuple[int, int]], recipe: Recipe) -> None:
    """Of each (document, batch): whatever the recipe asks for and can be made now."""
    if not recipe.renditions:
        return
    batches: dict[int, set[int]] = {}
    for key, batch in exhibits:
        batches.setdefault(key, set()).add(batch)
    if not batches:
        return
    documents = as_list(batches)
    made: dict[int, dict[ArtifactKind, Made]] = {}
    for key, kind, sha256, size in _MADE.all(tx, documents=documents):
        made.setdefault(key, {})[ArtifactKind(kind)] = Made(sha256, size)
    contents = {content.document: content for content in _READINGS.of(tx, Content, documents=documents)}
    rows = [row for c in contents.values() for row in _work(c, made.get(c.document, {}), batches[c.document], recipe)]
    ADD_WORK.many(tx, rows)
    _note_wanted(tx, documents, batches)


def _work(content: Content, made: dict[ArtifactKind, Made], batches: Set[int], recipe: Recipe) -> Iterator[Any]:
    if content.container:
        return
    for task in recipe.to_render(content.media_type, content.outcome, made.keys()):
        needs = KINDS[task].needs
        given = made[needs] if needs else None
        yield {
            "document": content.document,
            "purpose": KINDS[task].purpose.value,
            "task": task.value,
            "input": given.sha256 if given else None,
            "engine": recipe.renditions[task].engine,
            "settings": recipe.renditions[task].settings,
            "context": content.context + (f"@{given.sha256.hex()[:16]}" if given else ""),
            "lane": recipe.lane(given.size if given else content.size, task).value,
            "batch": min(batches),
        }


def _note_wanted(tx: Connection, documents: Any, batches: dict[int, set[int]]) -> None:
    """What another batch asked for first, or one that was cancelled since."""
    rows = _OTHERS.all(tx, documents=documents)
    _TAKE_UP.many(tx, [{"key": key, "by": min(batches[doc])} for key, doc, batch in rows if batch is None])
    others = [(key, mine) for key, doc, batch in rows if batch for mine in batches[doc] if mine != batch]
    _WANT.many(tx, [{"derivation": key, "batch": mine} for key, mine in others])


def renditions_ended(tx: Connection, ended: Sequence[tuple[int, int, int | None]], recipe: Recipe) -> None:
    """Of each (derivation, document, batch): what needs its artifacts follows, for everybody who wanted it."""
    ids = as_list(key for key, _, _ in ended)
    documents = {key: doc for key, doc, _ in ended}
    by = [(doc, batch) for _, doc, batch in ended if batch is not None]
    by += [(documents[key], batch) for batch, key in _WANTED_BY.all(tx, ids=ids)]
    _FORGET.run(tx, ids=ids)
    want_renditions(tx, by, recipe)


def unwant_renditions(tx: Connection, batch: int) -> None:
    """A cancelled batch waits for none; those that another one wants become its own, the rest is nobody's for now."""
    _UNWANT.run(tx, batch=batch)
    heirs = dict(_HEIRS.all(tx, batch=batch))
    _TAKE_UP.many(tx, [{"key": key, "by": heir} for key, heir in heirs.items()])
    _INHERITED.many(tx, [{"key": key, "by": heir} for key, heir in heirs.items()])
    _DROP.run(tx, batch=batch)


def is_rendering(tx: Connection, batch: int) -> bool:
    return bool(_ANY_OPEN.all(tx, batch=batch) or _ANY_WANTED.all(tx, batch=batch))


def open_renditions(tx: Connection, batch: int) -> tuple[int, int]:
    """How many renditions, and how many recognitions, a batch waits for."""
    counts: dict[Phase, int] = {}
    for task, count in (*_OPEN.all(tx, batch=batch), *_WANTED.all(tx, batch=batch)):
        phase = KINDS[TaskType(task)].phase
        counts[phase] = counts.get(phase, 0) + int(count)
    return counts.get(Phase.RENDITION, 0), counts.get(Phase.OCR, 0)
