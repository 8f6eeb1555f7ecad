"""Joins sets of volumes: files whose names say that they belong together become work on their head (core.work.volumes).

Called in the transaction that records the last file of a set, closes its walk, or ends its container.
"""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, func, select

from redwell.adapters.sql.list_parameters import among, among_hashes, as_hashes, as_list
from redwell.adapters.sql.moves import moved
from redwell.adapters.sql.prepared import Prepared, as_json, constant, insert_rows, new_values
from redwell.adapters.sql.tables import blob, derivation, document, ingestion, volume
from redwell.adapters.sql_ledger.contents import Wanted, add_readings, context_of
from redwell.core.blobs import Digests, Location, Stored
from redwell.core.outcomes import Code
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import ClaimedVolume
from redwell.core.work.transitions import JOIN, Stage
from redwell.core.work.volumes import PART, File, Scheme, VolumeSet, context_of_set, place_of, sets_of

_LONGEST_SUFFIX = len("part1000.rar")
_UNREAD = (Stage.FOUND, Stage.READING)

_walk = ingestion.alias("walk")
_PLACES = Prepared(
    select(
        *(ingestion.c[c] for c in ("batch", "parent", "locator", "path")),
        _walk.c.locator.label("walked"),
        (_walk.c.state == constant(Stage.DONE)).label("listed"),
    )
    .join_from(ingestion, _walk, ingestion.c.parent == _walk.c.id)
    .where(among(ingestion.c.id, "ids"), ingestion.c.whole.is_(None))
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
_BESIDE = Prepared(
    select(*_file, ingestion.c.locator, _walk.c.locator.label("walked"), _walk.c.state.label("walk_state"))
    .join_from(_walk, ingestion, ingestion.c.parent == _walk.c.id, isouter=True)
    .join(document, ingestion.c.document == document.c.id, isouter=True)
    .where(
        _walk.c.parent.is_(None),
        _walk.c.locator >= bindparam("stem"),
        _walk.c.locator < bindparam("behind"),
        func.length(_walk.c.locator) <= bindparam("longest"),
        _walk.c.batch == bindparam("batch"),
    )
    .order_by(ingestion.c.id)
)
_SOME_OF_WALK = Prepared(select(ingestion.c.id).where(ingestion.c.parent == bindparam("parent")).limit(constant(2)))
_GATHERED = Prepared(
    select(*_file)
    .join_from(ingestion, document, ingestion.c.document == document.c.id)
    .where(ingestion.c.state == constant(Stage.GATHERED), among(ingestion.c.parent, "parents"))
)
_ADD = Prepared(insert_rows(volume, volume.c.keys()).on_conflict_do_nothing())
_WAIT = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(**moved(ingestion, JOIN), **new_values(("derivation", "problems")))
)
_OF_SET = Prepared(
    select(volume.c.number, document.c.sha256, blob.c.pack, blob.c.offset, blob.c.length)
    .join_from(volume, document, volume.c.document == document.c.id)
    .join(blob, blob.c.sha256 == document.c.sha256)
    .where(volume.c.derivation == bindparam("derivation"))
    .order_by(volume.c.number)
)

_AT_ONCE = 1_000
_BY_HASH = Prepared(select(document.c.sha256, document.c.id).where(among_hashes(document.c.sha256)))
_NUMBERED = Prepared(
    select(
        volume.c.number,
        *(document.c[c] for c in ("sha256", "sha1", "md5", "size")),
        *(blob.c[c] for c in ("pack", "offset", "length")),
    )
    .join_from(volume, document, volume.c.document == document.c.id)
    .join(blob, blob.c.sha256 == document.c.sha256)
    .where(volume.c.derivation == bindparam("derivation"), among(volume.c.number, "numbers"))
)

Row = dict[str, Any]


class _Group(NamedTuple):
    """The files of a set as far as they are known."""

    files: list[Row]
    is_listed: bool  # no further one can come


def volumes_of(tx: Connection, work: int) -> tuple[ClaimedVolume, ...]:
    """What the work on a set's head is about, in the order of its bytes."""
    rows = _OF_SET.all(tx, derivation=work)
    return tuple(ClaimedVolume(number=n, sha256=sha256, location=Location(*place)) for n, sha256, *place in rows)


def add_files(tx: Connection, work: int, files: Sequence[bytes]) -> None:
    """The files that a volume was put together of, by their numbers; they are documents already."""
    for start in range(0, len(files), _AT_ONCE):
        some = files[start : start + _AT_ONCE]
        known = dict(_BY_HASH.all(tx, **as_hashes(some)))
        rows = [
            {"derivation": work, "number": start + at, "document": known[sha256]}
            for at, sha256 in enumerate(some)
            if sha256  # what could not be read keeps its number
        ]
        _ADD.many(tx, rows)


def files_of(tx: Connection, work: int, numbers: Iterable[int]) -> dict[int, Stored]:
    """Where these files of a volume lie."""
    rows = _NUMBERED.all(tx, derivation=work, numbers=as_list(numbers))
    return {
        number: Stored(Digests(sha256, sha1, md5), size, Location(*place))
        for number, sha256, sha1, md5, size, *place in rows
    }


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
    groups = _groups(tx, files)
    return {row["id"] for group in groups if len(group.files) > 1 or not group.is_listed for row in group.files}


def join_files(tx: Connection, files: Iterable[int], recipe: Recipe) -> set[int]:
    """Join the sets of these files of walks, where everything is read; the derivations that are done already."""
    whole = [g.files for g in _groups(tx, files) if g.is_listed and not any(f["state"] in _UNREAD for f in g.files)]
    return _join(tx, [row for files in whole for row in files if row["state"] == Stage.GATHERED], recipe)


def join_walk(tx: Connection, walk: int, recipe: Recipe) -> set[int]:
    """The same for whatever of a walk, or beside it, was read before the walk had come to its end."""
    gathered = {row["id"] for row in _gathered(tx, [walk])}
    lone = {key for (key,) in _SOME_OF_WALK.all(tx, parent=walk)}  # a source that is one file may have siblings
    return join_files(tx, gathered | lone, recipe)


def join_members(tx: Connection, parents: Sequence[int], recipe: Recipe) -> set[int]:
    """Join the sets inside of containers that have ended: no more members come."""
    return _join(tx, _gathered(tx, parents), recipe) if parents else set()


def _gathered(tx: Connection, parents: Sequence[int]) -> list[Row]:
    """Found by their parents: of others there may be many, in containers that are being read for hours."""
    return sorted(_GATHERED.rows(tx, parents=as_list(parents)), key=itemgetter("id"))


def _groups(tx: Connection, files: Iterable[int]) -> Iterator[_Group]:
    """The files of each set that one of these may be in, as they stand now."""
    wanted: dict[tuple[int, str, Scheme], tuple[str, bool]] = {}
    beside: dict[tuple[int, str, Scheme], str] = {}
    for batch, parent, locator, path, walked, listed in _PLACES.all(tx, ids=as_list(files)):
        if place := place_of(path):
            stem = locator[: len(locator) - (len(path) - len(place.stem))]
            if walked.endswith(f"/{locator}"):  # the source is this file
                beside[batch, walked[: -len(locator)] + stem, place.scheme] = place.stem
            else:
                wanted[parent, stem, place.scheme] = place.stem, bool(listed)
    for (parent, stem, scheme), (told, is_listed) in wanted.items():
        rows = _SIBLINGS.rows(tx, parent=parent, **_range(stem))
        yield _Group([row for row in rows if _is_of(row, told, scheme)], is_listed)
    for (batch, stem, scheme), told in beside.items():
        yield _beside(_BESIDE.rows(tx, batch=batch, **_range(stem)), stem, (told, scheme))


def _range(stem: str) -> dict[str, Any]:
    """Names that begin so: behind a dot with anything ("/" follows the dot), else with a digit (":" follows the 9)."""
    first, behind = (stem, stem[:-1] + "/") if stem.endswith(".") else (stem + "0", stem + ":")
    return {"stem": first, "behind": behind, "longest": len(stem) + _LONGEST_SUFFIX}


def _is_of(row: Row, told: str, scheme: Scheme) -> bool:
    return (place_of(row["path"]) or ())[:2] == (told, scheme)


def _beside(rows: Sequence[Row], stem: str, wanted: tuple[str, Scheme]) -> _Group:
    """Files of one folder that were named one by one; of a source that nobody has looked at yet there is no row."""
    lone = [row for row in rows if row["id"] is not None and row["walked"].endswith(f"/{row['locator']}")]
    files = [{**row, "beside": stem} for row in lone if _is_of(row, *wanted)]
    return _Group(files, all(row["walk_state"] == Stage.DONE for row in rows))


def _join(tx: Connection, rows: Sequence[Row], recipe: Recipe) -> set[int]:
    """Give each of these gathered files its derivation; one that is in no set is worked on as it is."""
    if not rows:
        return set()
    by_folder: dict[Any, list[Row]] = {}
    for row in rows:
        by_folder.setdefault(row.get("beside", row["parent"]), []).append(row)
    sets = [s for each in by_folder.values() for s in sets_of(File(r, r["path"], r["size"]) for r in each)]
    keys = {row["id"]: (row["document"], context_of(row["name"]), row["size"]) for row in rows}
    for found in sets:
        keys |= _keys_in(found)
    works = add_readings(tx, [Wanted(*keys[row["id"]], row["batch"]) for row in rows], recipe, {})
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
