"""Which renditions a batch waits for, and what becomes of them when it is cancelled."""

from sqlalchemy import Connection, bindparam, func, null, select

from redwell.adapters.sql.moves import moved
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, wanted
from redwell.core.work.kinds import KINDS, Phase, TaskType
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
TAKE_UP = Prepared(derivation.update().where(derivation.c.id == bindparam("key")).values(batch=bindparam("by")))
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


def unwant_renditions(tx: Connection, batch: int) -> None:
    """A cancelled batch waits for none; those that another one wants become its own, the rest is nobody's for now."""
    _UNWANT.run(tx, batch=batch)
    heirs = dict(_HEIRS.all(tx, batch=batch))
    TAKE_UP.many(tx, [{"key": key, "by": heir} for key, heir in heirs.items()])
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
