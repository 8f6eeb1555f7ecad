"""Threads of mails as rows: by which keys a mail is found to belong to one. Written by the step that finds them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import BindParameter, Connection, and_, bindparam, func, literal_column, select, update

from redwell.adapters.sql.case_tables import exhibit, thread_key
from redwell.adapters.sql.list_parameters import among, among_hashes, as_hashes, as_list
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows, new_values
from redwell.adapters.sql.tables import artifact, ingestion
from redwell.adapters.sql_exhibits.reached import step_values
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.threads import MOST_JUDGED, ThreadMail, join

_KNOWN = Prepared(select(thread_key.c.key, thread_key.c.thread).where(among_hashes(thread_key.c.key)))
_put = insert_rows(thread_key, ("key", "thread"))
_PUT = Prepared(_put.on_conflict_do_update(index_elements=["key"], set_={"thread": _put.excluded.thread}))
_BELONG = Prepared(
    exhibit.update().where(exhibit.c.id == bindparam("key")).values(step_values(("thread", "inclusive")))
)
_of_other: BindParameter[int] = bindparam("other")
_MERGE_KEYS = Prepared(update(thread_key).where(thread_key.c.thread == _of_other).values(new_values(("thread",))))
_MERGE = Prepared(
    update(exhibit).where(exhibit.c.thread == _of_other, exhibit.c.thread.is_not(None)).values(new_values(("thread",)))
)
_SIZES = Prepared(
    select(exhibit.c.thread, func.count())
    .where(among(exhibit.c.thread, "threads"), exhibit.c.thread.is_not(None))
    .group_by(exhibit.c.thread)
)
_member = ingestion.alias("member")
_MAILS = Prepared(
    select(
        exhibit.c.id,
        exhibit.c.thread,
        artifact.c.sha256,
        select(literal_column("1")).where(_member.c.parent == exhibit.c.id).correlate(exhibit).exists(),
    )
    .join_from(exhibit, ingestion, ingestion.c.id == exhibit.c.id)
    .join(
        artifact,
        and_(
            artifact.c.derivation == ingestion.c.derivation,
            artifact.c.kind == constant(ArtifactKind.TEXT),
            artifact.c.number == constant(0),
        ),
        isouter=True,
    )
    .where(among(exhibit.c.thread, "threads"), exhibit.c.thread.is_not(None))
    .order_by(exhibit.c.thread, exhibit.c.number, exhibit.c.control)
)
_JUDGE = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(("inclusive",))))


def find_threads(tx: Connection, mails: Mapping[int, Sequence[bytes]]) -> set[int]:
    """Each mail by its keys; the threads that it concerns and that have several mails. Until it is judged each is
    inclusive."""
    keys = list({key for some in mails.values() for key in some})
    joined = join(mails, dict(_KNOWN.all(tx, **as_hashes(keys))) if keys else {})
    for other, thread in joined.merged.items():
        _MERGE_KEYS.run(tx, other=other, thread=thread)
        _MERGE.run(tx, other=other, thread=thread)
    _PUT.many(tx, [{"key": key, "thread": thread} for key, thread in joined.keys.items()])
    reached = Checkpoint.EXHIBIT.value
    rows = joined.thread_of.items()
    _BELONG.many(tx, [{"key": key, "thread": of, "inclusive": 1, "checkpoint": reached} for key, of in rows])
    touched = {*joined.thread_of.values(), *joined.merged.values()}
    return {thread for thread, count in _SIZES.all(tx, threads=as_list(touched)) if 1 < count <= MOST_JUDGED}


def mails_of(tx: Connection, threads: Collection[int]) -> list[ThreadMail]:
    found = _MAILS.all(tx, threads=as_list(threads))
    return [ThreadMail(key, thread, text, bool(members)) for key, thread, text, members in found]


def judge(tx: Connection, mails: Iterable[int], inclusive: Collection[int]) -> None:
    _JUDGE.many(tx, [{"key": key, "inclusive": int(key in inclusive)} for key in mails])
