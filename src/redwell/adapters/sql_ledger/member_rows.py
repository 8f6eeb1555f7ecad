"""Manifests: the members that a reading of a container found. Occurrences replay them into exhibits.

A manifest only ever gains. Within one reading the first word on a locator counts; a later reading
(generation) may give bytes to what had failed before, and takes none away.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, func, select, update

from redwell.adapters.sql.list_parameters import among, as_list, rows_of
from redwell.adapters.sql.long_locators import key_of, stored_locator
from redwell.adapters.sql.moves import moved
from redwell.adapters.sql.prepared import Prepared, as_json, insert_rows, new_values
from redwell.adapters.sql.tables import derivation, member
from redwell.adapters.sql_ledger.claim_rows import Held, Live
from redwell.adapters.sql_ledger.contents import Key, add_documents, context_of
from redwell.adapters.sql_ledger.seals import MEMBER, member_seal
from redwell.core.work.records import Derived, Member
from redwell.core.work.transitions import ADVANCE, MemberState

_insert = insert_rows(member, (*MEMBER, "seal"))
_PUT = Prepared(
    _insert.on_conflict_do_update(
        index_elements=["derivation", "ordinal"],
        set_={c: _insert.excluded[c] for c in (*MEMBER[4:], "seal")},
    )
)
_locators = rows_of("locators")
_KNOWN = Prepared(  # the outer join makes SQLite look up each locator, instead of reading the whole manifest
    select(member).join_from(
        _locators,
        member,
        and_(member.c.derivation == bindparam("derivation"), member.c.locator == _locators.c.value),
        isouter=True,
    )
)
_ADVANCE = Prepared(
    update(derivation)
    .where(derivation.c.id == bindparam("key"))
    .values(**moved(derivation, ADVANCE), **new_values(("members",)))
)
_ACCOUNTS = Prepared(
    select(member.c.derivation, member.c.state, func.count())
    .join_from(member, derivation, and_(member.c.derivation == derivation.c.id))
    .where(among(member.c.derivation, "ids"), member.c.generation == derivation.c.generation)
    .group_by(member.c.derivation, member.c.state)
)


class Added(NamedTuple):
    touched: set[int]  # the derivations that it concerns
    readings: dict[Key, Derived]  # of members that were read at once


def add_members(tx: Connection, members: Sequence[Member], live: Live) -> Added:
    """Add what live claims found to their manifests, and say so in their rows."""
    groups: dict[tuple[int, int], list[Member]] = {}
    for m in members:
        claim = m.derivation, m.attempt
        if claim in live:
            groups.setdefault(claim, []).append(m)
    if not groups:
        return Added(set(), {})
    news = [_News(tx, live[claim], found) for claim, found in groups.items()]
    taken = [m for n in news for m in n.taken.values()]
    documents = _add_documents(tx, taken)
    _PUT.many(tx, [row for n in news for row in n.rows(documents)])
    _ADVANCE.many(tx, [{"key": n.key, "members": n.members} for n in news if n.members > n.before])
    for n in news:
        n.row.members = n.members
    readings = {
        (documents[m.stored.digests.sha256], context_of(m.name)): m.reading for m in taken if m.reading and m.stored
    }
    return Added({n.key for n in news}, readings)


def _add_documents(tx: Connection, taken: Sequence[Member]) -> dict[bytes, int]:
    composed = {m.stored.digests.sha256 for m in taken if m.stored is not None and m.hash_kind == "synthetic"}
    return add_documents(tx, [m.stored for m in taken if m.stored is not None], composed)


class _News:
    """What a chunk of members changes in one manifest."""

    def __init__(self, tx: Connection, row: Held, found: Sequence[Member]) -> None:
        self.row = row
        self.key, self._generation = row.id, row.generation
        self.before = self.members = row.members
        self._known = _known(tx, self.key, found) if self.members else {}
        self._places: dict[str, int] = {}
        self.taken: dict[str, Member] = {}
        self._kept: dict[str, dict[str, Any]] = {}
        for m in found:
            self._take(m)

    def _take(self, m: Member) -> None:
        key = key_of(m.locator)
        known = self._known.get(key)
        if key in self._places or (known and known["generation"] == self._generation):
            return
        if known is None:
            self._places[key], self.members = self.members, self.members + 1
            self.taken[key] = m
            return
        self._places[key] = known["ordinal"]
        if known["state"] == MemberState.EMITTED or state_of(m) is MemberState.SKIPPED:
            self._kept[key] = known
        else:
            self.taken[key] = m

    def rows(self, documents: Mapping[bytes, int]) -> list[dict[str, Any]]:
        kept = list(self._kept.values())
        taken = [_member_row(m, self._places[key], documents) for key, m in self.taken.items()]
        for row in (rows := kept + taken):
            row["generation"] = self._generation
            row["seal"] = member_seal(row)
        return rows


def _known(tx: Connection, key: int, found: Sequence[Member]) -> dict[str, dict[str, Any]]:
    rows = _KNOWN.rows(tx, derivation=key, locators=as_list(key_of(m.locator) for m in found))
    return {row["locator"]: row for row in rows if row["locator"] is not None}


def state_of(m: Member) -> MemberState:
    if m.stored is not None:
        return MemberState.EMITTED
    return MemberState.FAILED if m.outcome else MemberState.SKIPPED


def _member_row(m: Member, ordinal: int, documents: Mapping[bytes, int]) -> dict[str, Any]:
    return {
        "derivation": m.derivation,
        "ordinal": ordinal,
        **stored_locator(m.locator),
        "state": state_of(m).value,
        "name": m.name,
        "role": m.role,
        "document": documents[m.stored.digests.sha256] if m.stored is not None else None,
        "outcome": m.outcome,
        "detail": m.detail,
        "metadata": as_json(m.metadata) if m.metadata else "{}",
    }


def accounts(tx: Connection, derivations: Sequence[int]) -> dict[int, dict[str, int]]:
    """How many members of each are in which state, in the current generation."""
    counts: dict[int, dict[str, int]] = {}
    if derivations:
        for key, state, count in _ACCOUNTS.all(tx, ids=as_list(derivations)):
            counts.setdefault(key, {})[state] = count
    return counts
