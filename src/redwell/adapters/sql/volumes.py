"""Joins sets of volumes: files whose names say that they belong together become work on their head (core.volumes).

Called in the transaction that records the last file of a set, closes its walk, or ends its container.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, func, select

from redwell.adapters.sql.contents import Recipe, add_derivations, context_of
from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.schema import blob, derivation, document, ingestion, volume
from redwell.adapters.sql.statements import Prepared, as_json, constant, insert_rows, new_values
from redwell.adapters.sql.streams import streamed
from redwell.core.blobs import Location
from redwell.core.ledger import Stage
from redwell.core.outcomes import Code
from redwell.core.records import ClaimedVolume
from redwell.core.volumes import PART, File, Scheme, VolumeSet, context_of_set, place_of, sets_of

_LONGEST_SUFFIX = len("part1000.rar")
_UNREAD = (Stage.FOUND, Stage.READING)

_PLACES = Prepared(
    select(*(ingestion.c[c] for c in ("parent", "locator", "path"))).where(
        among(ingestion.c.id, "ids"), ingestion.c.whole.is_(None)
    )
)
_file = (
    *(ingestion.c[c] for c in ("id", "batch", "parent", "name", "path", "state", "document", "size", "problems")),
    document.c.sha256,
)
_SIBLINGS = Prepared(
    select(*_file)
    .join_from(ingestion, document, ingestion.c.document == document.c.id, isouter=True)
    .where(
        ingestion.c.parent == bindparam("parent"),
        ingestion.c.locator >= bindparam("stem"),
        ingestion.c.locator < bindparam("behind"),
        func.length(ingestion.c.locator) <= bindparam("longest"),
    )
    .order_by(ingestion.c.id)
)
_GATHERED = Prepared(
    select(*_file)
    .join_from(ingestion, document, ingestion.c.document == document.c.id)
    .where(
        ingestion.c.state != constant(Stage.DONE),
        ingestion.c.state == constant(Stage.GATHERED),
        ingestion.c.source == constant(0),
        ingestion.c.batch == bindparam("batch"),
        among(ingestion.c.parent, "parents"),
    )
    .order_by(ingestion.c.id)
)
_CLOSED = Prepared(
    select(ingestion.c.id).where(among(ingestion.c.id, "ids"), ingestion.c.state == constant(Stage.DONE))
)
_ADD = Prepared(insert_rows(volume, volume.c.keys()).on_conflict_do_nothing())
_WAIT = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(state=constant(Stage.WAITING), **new_values(("derivation", "problems")))
)
_OF_SET = Prepared(
    select(volume.c.number, document.c.sha256, blob.c.pack, blob.c.offset, blob.c.length)
    .join_from(volume, document, volume.c.document == document.c.id)
    .join(blob, blob.c.sha256 == document.c.sha256)
    .where(volume.c.derivation == bindparam("derivation"))
    .order_by(volume.c.number)
)

Row = dict[str, Any]


def volumes_of(tx: Connection, work: int) -> tuple[ClaimedVolume, ...]:
    """What the work on a set's head is about, in the order of its bytes."""
    rows = _OF_SET.all(tx, derivation=work)
    return tuple(ClaimedVolume(number=n, sha256=sha256, location=Location(*place)) for n, sha256, *place in rows)


def work_size() -> ColumnElement[int]:
    """How many bytes the work on a derivation's document is about: of a set's head those of all volumes."""
    part = document.alias("part")
    of_set = (
        select(func.sum(part.c.size))
        .join_from(volume, part, volume.c.document == part.c.id)
        .where(volume.c.derivation == derivation.c.id)
        .scalar_subquery()
    )
    return func.coalesce(of_set, document.c.size).label("size")


def to_gather(tx: Connection, files: Iterable[int]) -> set[int]:
    """Those files of walks that have siblings, or may still get some; nobody works on them before all are read."""
    groups = list(_groups(tx, files))
    closed = _closed(tx, groups)
    return {row["id"] for group in groups for row in group if len(group) > 1 or row["parent"] not in closed}


def join_files(tx: Connection, files: Iterable[int], recipe: Recipe) -> set[int]:
    """Join the sets of these files of walks, where everything is read; the derivations that are done already."""
    groups = list(_groups(tx, files))
    closed = _closed(tx, groups)
    whole = [g for g in groups if g[0]["parent"] in closed and not any(row["state"] in _UNREAD for row in g)]
    return _join(tx, [row for group in whole for row in group if row["state"] == Stage.GATHERED], recipe)


def join_walk(tx: Connection, batch: int, walk: int, recipe: Recipe) -> set[int]:
    """The same for whatever of a walk was read before the walk had come to its end."""
    return join_files(tx, [row["id"] for row in _GATHERED.rows(tx, batch=batch, parents=as_list([walk]))], recipe)


def join_members(tx: Connection, parents: Mapping[int, Sequence[int]], recipe: Recipe) -> set[int]:
    """Join the sets inside of containers that have ended, by batch: no more members come."""
    return {
        work
        for batch, keys in parents.items()
        for work in _join(tx, _GATHERED.rows(tx, batch=batch, parents=as_list(keys)), recipe)
    }


def _groups(tx: Connection, files: Iterable[int]) -> Iterator[list[Row]]:
    """The files of each set that one of these may be in, as they stand now."""
    wanted: dict[tuple[int, str, Scheme], str] = {}
    for parent, locator, path in _PLACES.all(tx, ids=as_list(files)):
        if place := place_of(path):
            stem = locator[: len(locator) - (len(path) - len(place.stem))]
            wanted[parent, stem, place.scheme] = place.stem
    for (parent, stem, scheme), told in wanted.items():
        behind, longest = stem[:-1] + "/", len(stem) + _LONGEST_SUFFIX  # "/" comes after the dot
        rows = _SIBLINGS.rows(tx, parent=parent, stem=stem, behind=behind, longest=longest)
        yield [row for row in rows if (place_of(row["path"]) or ())[:2] == (told, scheme)]


def _closed(tx: Connection, groups: Sequence[Sequence[Row]]) -> set[int]:
    parents = {row["parent"] for group in groups for row in group}
    return {key for (key,) in _CLOSED.all(tx, ids=as_list(parents))} if parents else set()


def _join(tx: Connection, rows: Sequence[Row], recipe: Recipe) -> set[int]:
    """Give each of these gathered files its derivation; one that is in no set is worked on as it is."""
    if not rows:
        return set()
    by_parent: dict[int, list[Row]] = {}
    for row in rows:
        by_parent.setdefault(row["parent"], []).append(row)
    sets = [s for each in by_parent.values() for s in sets_of(File(r, r["path"], r["size"]) for r in each)]
    keys = {row["id"]: (row["document"], context_of(row["name"]), row["size"]) for row in rows}
    for found in sets:
        keys |= _keys_in(found)
    works = add_derivations(tx, [(*keys[row["id"]], row["batch"]) for row in rows], recipe)
    ids = {key: works.ids[place[:2]] for key, place in keys.items()}
    _ADD.many(tx, [_volume(ids[s.head["id"]], number, row) for s in sets for number, row in s.volumes])
    heads = {row["id"]: s.head["path"] for s in sets for row in s.others}
    _WAIT.many(tx, [_waiting(row, ids[row["id"]], heads.get(row["id"])) for row in rows])
    return works.ahead


def _keys_in(found: VolumeSet[Row]) -> dict[int, tuple[int, str, int]]:
    """(document, context, size) of each volume; the head's work is as large as the set."""
    contents = [(number, row["sha256"]) for number, row in found.volumes]
    context, size = context_of_set(found.scheme, found.hint, contents), sum(row["size"] for _, row in found.volumes)
    others = {row["id"]: (row["document"], PART, row["size"]) for row in found.others}
    return {**others, found.head["id"]: (found.head["document"], context, size)}


def _volume(work: int, number: int, row: Row) -> Row:
    return {"derivation": work, "number": number, "document": row["document"]}


def _waiting(row: Row, work: int, head: str | None) -> Row:
    problems = row["problems"]
    if head is not None:
        problems = as_json([*msgspec.json.decode(problems), {"code": Code.VOLUME_OF, "detail": head}])
    return {"key": row["id"], "derivation": work, "problems": problems}


def listed_sets(tx: Connection) -> Iterator[tuple[int, str, list[tuple[int, bytes]]]]:
    """For verify: each head's derivation, its context, and the volumes that are listed for it."""
    query = (
        select(derivation.c.id, derivation.c.context, volume.c.number, document.c.sha256)
        .join_from(derivation, volume, volume.c.derivation == derivation.c.id, isouter=True)
        .join(document, document.c.id == volume.c.document, isouter=True)
        .where(derivation.c.context.like("%+%.%"))
        .order_by(derivation.c.id, volume.c.number)
    )
    for (key, context), rows in groupby(streamed(tx, query), key=lambda row: (row.id, row.context)):
        yield key, context, [(row.number, row.sha256) for row in rows]
