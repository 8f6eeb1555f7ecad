"""How the work on a content ends: with what a child made of it, or with blame (core.ledger's rules)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, null, select

from redwell.adapters.sql.contents import add_blobs, told
from redwell.adapters.sql.leases import Held, Live, live_claims
from redwell.adapters.sql.manifests import accounts, add_members
from redwell.adapters.sql.moves import move, ruled
from redwell.adapters.sql.row_seals import derivation_seal
from redwell.adapters.sql.schema import derivation
from redwell.adapters.sql.statements import Prepared, constant, new_values, problems_json
from redwell.core import ledger
from redwell.core.ledger import Attempts, MemberState, Work
from redwell.core.outcomes import Code, Outcome
from redwell.core.records import Failure, Member, Problem, Result
from redwell.core.tasks import GIVEN_UP, task_on

_ENDED = tuple(
    "outcome detail media_type kind handler text text_chars pages container declared metadata problems seal".split()
)
_FINISH = Prepared(
    derivation.update()
    .where(derivation.c.id == bindparam("key"))
    .values(state=constant(Work.DONE), owner=null(), **new_values(_ENDED))
)


def finish(tx: Connection, results: Sequence[Result], live: Live) -> set[int]:
    """End live claims with what the child made of them; the ids. Other results came too late and are dropped."""
    mine = [(r, row) for r in results if (row := live.get((r.derivation, r.attempt)))]
    add_blobs(tx, [r.text for r, _ in mine if r.text is not None])
    counts = accounts(tx, [row.id for _, row in mine if row.members])
    _FINISH.many(tx, [_finished_row(r, row, counts.get(row.id, {})) for r, row in mine])
    return {r.derivation for r, _ in mine}


def _finished_row(result: Result, row: Held, counts: Mapping[str, int]) -> dict[str, Any]:
    new = told(result)
    new["key"] = row.id
    new["document"], new["engine"], new["settings"] = row.document, row.engine, row.settings
    new["context"], new["generation"], new["members"] = row.context, row.generation, row.members
    if row.members:
        new["container"] = 1
    if counts or result.declared is not None:
        failed = counts.get(MemberState.FAILED, 0)
        # only the manifest knows: after a crash or a kill the child has seen but the rest of the container
        if failed and result.outcome is Outcome.SUCCESS:
            new["outcome"] = Outcome.PARTIAL.value
        more = _container_problems(result, failed, sum(counts.values()))
        new["problems"] = problems_json((*result.problems, *more))
    new["seal"] = derivation_seal(new)
    return new


def _container_problems(result: Result, failed: int, listed: int) -> list[Problem]:
    problems = []
    if failed:
        problems.append(Problem(code=Code.MEMBER_FAILED, detail=f"{failed} of {listed} members"))
    if difference := ledger.discrepancy(result.declared, listed):
        problems.append(Problem(code=Code.COUNT_MISMATCH, detail=difference))
    return problems


def blame(tx: Connection, failures: Sequence[Failure], table: Attempts) -> set[int]:
    """Each failed document moves on by the table of attempts; the ids of those that ended or gained a member."""
    live = live_claims(tx, {(f.derivation, f.attempt) for f in failures})
    before = ruled(tx, [key for key, _ in live])
    touched: set[int] = set()
    for failure in failures:
        key = failure.derivation
        if (key, failure.attempt) not in live:
            continue
        at_fault = failure.member is not None
        after = ledger.blame(before[key], failure.attempt, failure.outcome, table, member=at_fault)
        if failure.member is not None and after.lost > before[key].lost:
            touched |= add_members(tx, [_killer(failure, failure.member)], live).touched
        move(tx, key, after)
        if after.state is Work.DONE:
            _end_badly(tx, key, failure.outcome, failure.detail)
            touched.add(key)
    return touched


def _killer(failure: Failure, announced: tuple[str, str]) -> Member:
    locator, name = announced
    return Member(
        derivation=failure.derivation,
        attempt=failure.attempt,
        locator=locator,
        name=name,
        outcome=failure.outcome,
        detail=failure.detail,
    )


def end_abandoned(tx: Connection, rows: Sequence[Mapping[str, Any]]) -> list[Failure]:
    """Of derivations on which one worker after the other has died; what is said of each."""
    failures = [_abandoned(row) for row in rows]
    for failure in failures:
        _end_badly(tx, failure.derivation, failure.outcome, failure.detail)
    return failures


def _abandoned(row: Mapping[str, Any]) -> Failure:
    detail = f"{row['deaths'] + 1} workers in a row died while they held it"
    return Failure(derivation=row["id"], attempt=row["attempt"], outcome=Outcome.CRASHED, detail=detail)


def _end_badly(tx: Connection, key: int, outcome: Outcome, detail: str) -> None:
    """What was taken out before the end is kept: then the outcome is PARTIAL and says what happened."""
    row = tx.execute(select(derivation).where(derivation.c.id == key)).one()
    partial = bool(row.members)
    problem = Problem(code=GIVEN_UP[task_on(row.members)], detail=f"{outcome}: {detail}")
    new = {
        "outcome": Outcome.PARTIAL if partial else outcome,
        "detail": detail,
        "problems": problems_json([problem]),
        "container": int(partial),
    }
    tx.execute(
        derivation.update().where(derivation.c.id == key).values(**new, seal=derivation_seal({**row._mapping, **new}))
    )
