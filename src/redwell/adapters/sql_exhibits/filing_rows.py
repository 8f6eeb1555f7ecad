"""Folders, dates, custodians and sources as rows: written by the steps of the load that say them, a chunk at once."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, and_, bindparam, func, select

from redwell.adapters.sql.case_tables import batch_source, custodian, exhibit, folder
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.long_locators import whole_locator
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows, new_values
from redwell.adapters.sql.tables import ingestion
from redwell.adapters.sql_exhibits.copies import index_again
from redwell.adapters.sql_exhibits.reached import step_values
from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.filing import Filed, Filing
from redwell.core.case.numbers import MEMBER_MARK

_ADD_FOLDER = Prepared(insert_rows(folder, ("path",)).on_conflict_do_nothing())
_FOLDERS = Prepared(select(folder.c.path, folder.c.id).where(among(folder.c.path, "paths")))
_ADD_CUSTODIAN = Prepared(insert_rows(custodian, ("name",)).on_conflict_do_nothing())
_SOURCES = Prepared(
    select(ingestion.c.id, ingestion.c.batch, whole_locator(ingestion)).where(
        ingestion.c.parent.is_(None), ingestion.c.batch == bindparam("batch")
    )
)
_ADD_SOURCE = Prepared(insert_rows(batch_source, ("id", "batch", "path")).on_conflict_do_nothing())
_FILE = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(step_values(("folder", "sort_date"))))
_REACH = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(step_values()))
_head = exhibit.alias("head")
_APART = Prepared(  # members that do not lie where their heads lie
    select(exhibit.c.id, _head.c.id, _head.c.folder, _head.c.sort_date)
    .join_from(
        _head,
        exhibit,
        and_(
            exhibit.c.number == _head.c.number,
            exhibit.c.control > _head.c.control + constant(MEMBER_MARK),
            exhibit.c.control < _head.c.control + constant(chr(ord(MEMBER_MARK) + 1)),
        ),
    )
    .where(
        among(_head.c.id, "ids"),
        exhibit.c.family == _head.c.id,
        exhibit.c.folder.is_distinct_from(_head.c.folder) | exhibit.c.sort_date.is_distinct_from(_head.c.sort_date),
    )
)
_FOLLOW = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(("folder", "sort_date"))))
_FILED = Prepared(
    select(exhibit.c.id, func.coalesce(folder.c.path, ""), func.coalesce(exhibit.c.sort_date, ""))
    .join_from(exhibit, folder, folder.c.id == exhibit.c.folder, isouter=True)
    .where(among(exhibit.c.id, "ids"))
)


def add_custodians(tx: Connection, names: Iterable[str]) -> None:
    """In the order in which they come into the case."""
    _ADD_CUSTODIAN.many(tx, [{"name": name} for name in names])


def add_sources(tx: Connection, batches: Iterable[int]) -> None:
    for key in batches:
        rows = [{"id": row[0], "batch": row[1], "path": row[2]} for row in _SOURCES.all(tx, batch=key)]
        _ADD_SOURCE.many(tx, rows)


def file(tx: Connection, filings: Sequence[Filing], chunk: Collection[int]) -> list[int]:
    """Put each where it belongs, and members to their heads, whichever came first; what is told anew besides them."""
    heads = [each for each in filings if each.filed is not None]
    places = _places(tx, {each.filed.folder for each in heads if each.filed})
    reached = Checkpoint.FOLDERING.value
    _FILE.many(
        tx,
        [
            {"key": e.id, "folder": places[e.filed.folder], "sort_date": e.filed.sort_date, "checkpoint": reached}
            for e in heads
            if e.filed
        ],
    )
    _REACH.many(tx, [{"key": each.id, "checkpoint": reached} for each in filings if each.filed is None])
    concerned = {each.id for each in heads if each.has_members} | {e.family for e in filings if e.filed is None}
    apart = _APART.all(tx, ids=as_list(sorted(concerned))) if concerned else []
    _FOLLOW.many(tx, [{"key": key, "folder": place, "sort_date": date} for key, _, place, date in apart])
    return index_again(tx, {head for _, head, _, _ in apart}, chunk)


def _places(tx: Connection, paths: Collection[str]) -> dict[str, int]:
    known = dict(_FOLDERS.all(tx, paths=as_list(sorted(paths)))) if paths else {}
    if new := sorted(set(paths) - known.keys()):
        _ADD_FOLDER.many(tx, [{"path": path} for path in new])
        known |= dict(_FOLDERS.all(tx, paths=as_list(new)))
    return known


def filed(tx: Connection, exhibits: Sequence[int]) -> dict[int, Filed]:
    return {key: Filed(path, date) for key, path, date in _FILED.all(tx, ids=as_list(exhibits))}
