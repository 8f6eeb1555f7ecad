"""How the work on a content ends: with what a child made of it, or with blame (core.work.transitions's rules)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.moves import moved
from redwell.adapters.sql.prepared import Prepared, new_values, problems_json
from redwell.adapters.sql.tables import derivation
from redwell.adapters.sql_ledger.artifacts import add_artifacts, replace_artifacts
from redwell.adapters.sql_ledger.claim_rows import Held, Live, live_claims
from redwell.adapters.sql_ledger.claim_transitions import move, ruled
from redwell.adapters.sql_ledger.contents import told
from redwell.adapters.sql_ledger.member_rows import accounts, add_members
from redwell.adapters.sql_ledger.seals import KEY, derivation_seal
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import FIELDS, Problem
from redwell.core.work import transitions
from redwell.core.work.kinds import KINDS, Purpose, Table, TaskType, task_of_reading
from redwell.core.work.records import Failure, Member, Result
from redwell.core.work.transitions import FINISH, MemberState, Work

_FINISH = Prepared(
    derivation.update()
    .where(derivation.c.id == bindparam("key"))
    .values(**moved(derivation, FINISH), **new_values(("task", *FIELDS, "seal")))
)

_NO_MORE = frozenset({Outcome.SUCCESS, Outcome.EMPTY, Outcome.UNSUPPORTED, Outcome.PASSWORD_PROTECTED})


def finish(tx: Connection, results: Sequence[Result], live: Live) -> set[int]:
    """End live claims with what the child made of them; the ids. Other results came too late and are dropped."""
    mine = [(r, row) for r in results if (row := live.get((r.derivation, r.attempt)))]
    again = [row.id for _, row in mine if row.generation > 1]
    made = [(row.id, made) for r, row in mine for made in r.artifacts]
    replace_artifacts(tx, again, made) if again else add_artifacts(tx, made)
    counts = accounts(tx, [row.id for _, row in mine if row.members])
    _FINISH.many(tx, [_finished_row(r, row, counts.get(row.id, {})) for r, row in mine])
    return {r.derivation for r, _ in mine}


def try_plainly(tx: Connection, results: Sequence[Result], live: Live, attempts: Table) -> list[Failure]:
    """Of live claims that gave nothing, those that come once more (SPEC A17); they are nobody's now."""
    mine = [(r, row) for r in results if _gave_nothing(r) and (row := live.get((r.derivation, r.attempt)))]
    mine = [(r, row) for r, row in mine if attempts(TaskType(row.task)).plain]
    before = ruled(tx, [row.id for _, row in mine]) if mine else {}
    again = []
    for r, row in mine:
        if after := transitions.plainly(before[row.id], r.attempt, attempts(TaskType(row.task))):
            move(tx, row.id, after)
            again.append(Failure(derivation=row.id, attempt=r.attempt, outcome=r.outcome, detail=r.detail))
    return again


def _gave_nothing(result: Result) -> bool:
    return not result.artifacts and result.outcome not in _NO_MORE


def _finished_row(result: Result, row: Held, counts: Mapping[str, int]) -> dict[str, Any]:
    new = told(result)
    new["key"] = row.id
    for name in (*KEY, "generation", "members"):
        new[name] = getattr(row, name)
    if row.purpose == Purpose.READ:
        new["task"] = task_of_reading(result.kind).value
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
    if difference := transitions.discrepancy(result.declared, listed):
        problems.append(Problem(code=Code.COUNT_MISMATCH, detail=difference))
    return problems


def blame(tx: Connection, failures: Sequence[Failure], attempts: Table) -> set[int]:
    """Each failed document moves on by the table of attempts; the ids of those that ended or gained a member."""
    live = live_claims(tx, {(f.derivation, f.attempt) for f in failures})
    before = ruled(tx, [key for key, _ in live])
    touched: set[int] = set()
    for failure in failures:
        key = failure.derivation
        if (key, failure.attempt) not in live:
            continue
        at_fault, task = failure.member is not None, failure.task or TaskType(live[key, failure.attempt].task)
        after = transitions.blame(before[key], failure.attempt, failure.outcome, attempts(task), member=at_fault)
        if failure.member is not None and after.lost > before[key].lost:
            touched |= add_members(tx, [_killer(failure, failure.member)], live).touched
        move(tx, key, after)
        if after.state is Work.DONE:
            _end_badly(tx, failure, task)
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
    for failure, row in zip(failures, rows, strict=True):
        _end_badly(tx, failure, TaskType(row["task"]))
    return failures


def _abandoned(row: Mapping[str, Any]) -> Failure:
    detail = f"{row['deaths'] + 1} workers in a row died while they held it"
    return Failure(derivation=row["id"], attempt=row["attempt"], outcome=Outcome.CRASHED, detail=detail)


def _end_badly(tx: Connection, failure: Failure, task: TaskType) -> None:
    """What was taken out before the end is kept: then the outcome is PARTIAL and says what happened (A17)."""
    mine = derivation.c.id == failure.derivation
    row = tx.execute(select(derivation).where(mine)).one()
    partial = bool(row.members)
    problem = Problem(code=KINDS[task].giving_up, detail=f"{failure.outcome}: {failure.detail}")
    new = {
        "task": task.value,
        "given_up": 1,
        "outcome": Outcome.PARTIAL if partial else failure.outcome,
        "detail": failure.detail,
        "problems": problems_json([problem]),
        "container": int(partial),
    }
    tx.execute(derivation.update().where(mine).values(**new, seal=derivation_seal({**row._mapping, **new})))
