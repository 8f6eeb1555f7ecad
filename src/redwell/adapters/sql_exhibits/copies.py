"""Copies of families: who is kept in front, whom they were found with. Written by the step of the load that finds them.

Most families are alone: for these the step writes their key and looks it up once. Writers of a case take turns, so
loaders in several processes decide one after the other.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, literal_column, or_, select, update

from redwell.adapters.sql.case_tables import exhibit, held_by
from redwell.adapters.sql.list_parameters import among, among_hashes, as_hashes, as_list
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows, new_values
from redwell.adapters.sql.tables import batch, ingestion, load_pending
from redwell.adapters.sql_exhibits.load_queue import add_pending
from redwell.adapters.sql_exhibits.reached import step_values
from redwell.core.case.checkpoints import LOADED, Checkpoint, before
from redwell.core.case.copies import Candidate, in_front
from redwell.core.case.numbers import MEMBER_MARK

_BEFORE = Prepared(
    select(exhibit.c.id, exhibit.c.copy_key, exhibit.c.copy_of).where(
        among(exhibit.c.id, "ids"), exhibit.c.copy_key.is_not(None)
    )
)
_KEEP = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(step_values(("copy_key", "copy_of"))))
_IN_FRONT = Prepared(
    select(exhibit.c.copy_key, exhibit.c.id).where(
        among_hashes(exhibit.c.copy_key), exhibit.c.copy_key.is_not(None), exhibit.c.copy_of.is_(None)
    )
)
_file = ingestion.alias("file")
_RANKS = Prepared(
    select(
        func.coalesce(batch.c.custodian, literal_column("''")),
        func.coalesce(_file.c.parent, ingestion.c.parent),
        *(ingestion.c[name] for name in ("path", "ordinal", "id")),
        or_(batch.c.finished_ms.is_not(None), batch.c.jobs > constant(1)),
    )
    .join_from(ingestion, batch, batch.c.id == ingestion.c.batch)
    .join(_file, _file.c.id == ingestion.c.root, isouter=True)
    .where(among(ingestion.c.id, "ids"))
)
_CUSTODIANS = Prepared(
    select(func.coalesce(batch.c.custodian, literal_column("''")), func.min(batch.c.id)).group_by(
        func.coalesce(batch.c.custodian, literal_column("''"))
    )
)
_SUPPRESS = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(("copy_of",))))
_FOLLOW = Prepared(
    update(exhibit)
    .where(
        exhibit.c.copy_key == bindparam("of"),
        exhibit.c.copy_key.is_not(None),
        exhibit.c.copy_of == bindparam("before"),
    )
    .values(new_values(("copy_of",)))
    .returning(exhibit.c.id)
)
_member, _front, _copy = (exhibit.alias(name) for name in ("member", "front", "copy"))
_BEHIND = Prepared(  # heads of the copies of families that these are members of
    select(_copy.c.id)
    .join_from(_member, _front, _front.c.id == _member.c.family)
    .join(
        _copy,
        and_(
            _copy.c.copy_key == _front.c.copy_key,
            _copy.c.copy_key.is_not(None),
            _copy.c.copy_of == _front.c.id,
        ),
    )
    .where(among(_member.c.id, "ids"))
    .distinct()
)
_HELD = Prepared(select(held_by.c.copy_key, held_by.c.custodian).where(among_hashes(held_by.c.copy_key)))
_HOLD = Prepared(insert_rows(held_by, ("copy_key", "custodian")))
_head = exhibit.alias("head")
_is_loaded = or_(
    exhibit.c.checkpoint == constant(LOADED),
    select(constant(1))
    .where(load_pending.c.exhibit == exhibit.c.id, load_pending.c.taken != constant(0))
    .correlate(exhibit)
    .exists(),
)
_LOADED_IN = Prepared(  # what of these families is in the index already, or on its way there
    select(exhibit.c.id)
    .join_from(
        _head,
        exhibit,
        and_(
            exhibit.c.number == _head.c.number,
            exhibit.c.control >= _head.c.control,
            exhibit.c.control < _head.c.control + constant(chr(ord(MEMBER_MARK) + 1)),
        ),
    )
    .where(among(_head.c.id, "ids"), exhibit.c.family == _head.c.id, _is_loaded)
)


class _Change:
    """What a chunk of heads changes among the copies of the case."""

    def __init__(self, tx: Connection) -> None:
        self._tx = tx
        self._rank = dict[str, int](_CUSTODIANS.all(tx))
        self.told_anew: set[int] = set()  # heads whose families are to be indexed again

    def candidates(self, ids: Iterable[int]) -> tuple[dict[int, Candidate], dict[int, str]]:
        known, custodians = {}, {}
        for name, source, path, ordinal, key, over in _RANKS.all(self._tx, ids=as_list(ids)):
            known[key] = Candidate(self._rank[name], source, path, ordinal, key, bool(over))
            custodians[key] = name
        return known, custodians

    def decide(self, groups: Mapping[bytes, Sequence[int]], new: set[int]) -> None:
        """Each group has several that nothing is in front of; those who are not new were decided on before."""
        known, custodians = self.candidates(key for group in groups.values() for key in group)
        losers = []
        for copy_key, group in groups.items():
            old = next((known[key] for key in group if key not in new), None)
            first = in_front(old, [known[key] for key in group if key in new])
            losers += [{"key": key, "copy_of": first.id} for key in group if key != first.id]
            if old and old.id != first.id:
                followers = _FOLLOW.all(self._tx, of=copy_key, before=old.id, copy_of=first.id)
                self.told_anew |= {key for (key,) in followers}
        _SUPPRESS.many(self._tx, losers)
        self.told_anew |= {row["key"] for row in losers}
        held = {key: {custodians[each] for each in group} for key, group in groups.items()}
        gained = self._hold(held)
        self.told_anew |= {each for key in gained for each in groups[key]}

    def _hold(self, held: Mapping[bytes, set[str]]) -> set[bytes]:
        """The keys that gained a custodian."""
        known = set(_HELD.all(self._tx, **as_hashes(list(held))))
        new = [(key, name) for key, names in held.items() for name in names if (key, name) not in known]
        _HOLD.many(self._tx, [{"copy_key": key, "custodian": name} for key, name in new])
        return {key for key, _ in new}


def find_copies(tx: Connection, keys: Mapping[int, bytes | None], chunk: Collection[int]) -> list[int]:
    """The heads of families that are loaded now, by their keys; None: it is compared with nothing.

    The whole chunk is indexed after this, as it is told of then; what is told anew besides it is given back.
    """
    known = {key: (copy_key, copy_of) for key, copy_key, copy_of in _BEFORE.all(tx, ids=as_list(keys))}
    same = {key: known[key][1] for key, copy_key in keys.items() if key in known and known[key][0] == copy_key}
    _KEEP.many(tx, [_kept(key, copy_key, same.get(key)) for key, copy_key in keys.items()])
    left = {copy_key: key for key, (copy_key, copy_of) in known.items() if key not in same and copy_of is None}
    freed = {key for copy_key, leader in left.items() for key in _freed(tx, copy_key, leader)}
    change = _Change(tx)
    change.told_anew |= freed
    several = _undecided(tx, [key for key in {*keys.values(), *left} if key is not None])
    if several:
        change.decide(several, {*freed, *keys} - same.keys())
    return index_again(tx, change.told_anew | _behind(tx, set(chunk).difference(keys)), chunk)


def _behind(tx: Connection, members: Collection[int]) -> set[int]:
    """Members of copies name their counterparts in front, which may come after them."""
    return {key for (key,) in _BEHIND.all(tx, ids=as_list(sorted(members)))} if members else set()


def _kept(key: int, copy_key: bytes | None, copy_of: int | None) -> dict[str, Any]:
    return {"key": key, "copy_key": copy_key, "copy_of": copy_of, "checkpoint": Checkpoint.DUPLICATION.value}


def _freed(tx: Connection, copy_key: bytes, leader: int) -> list[int]:
    """One that was in front is another now: those behind it are decided on as if they had just come."""
    return [key for (key,) in _FOLLOW.all(tx, of=copy_key, before=leader, copy_of=None)]


def _undecided(tx: Connection, wanted: Sequence[bytes]) -> dict[bytes, list[int]]:
    """Of these keys, those with several heads that nothing is in front of."""
    groups: dict[bytes, list[int]] = {}
    for copy_key, key in _IN_FRONT.all(tx, **as_hashes(wanted)) if wanted else ():
        groups.setdefault(copy_key, []).append(key)
    return {copy_key: group for copy_key, group in groups.items() if len(group) > 1}


def index_again(tx: Connection, heads: set[int], chunk: Collection[int]) -> list[int]:
    """What was told of these families has changed: they wait for the index, also if this process dies."""
    if not heads:
        return []
    loaded = {key for (key,) in _LOADED_IN.all(tx, ids=as_list(sorted(heads)))}
    again = sorted(loaded.difference(chunk))
    add_pending(tx, again, before(Checkpoint.INDEX))
    return again
