"""What models answered, and what that cost the case. In a transaction; each answer is in the audit log with it."""

import hashlib
import time
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from redwell.adapters.sql.understanding_tables import model_answer, model_spent
from redwell.adapters.sql_review.audit_log import append
from redwell.core.review.values import Action, Entry
from redwell.core.understanding.models import ModelChoice, Spent
from redwell.core.understanding.turns import Answer, Reserved

_spent = model_spent.c
_ONLY = 1
_FIND = select(model_answer).where(model_answer.c.key == bindparam("wanted"))  # built once: asked for every question


def find(tx: Connection, key: bytes) -> Answer | None:
    row = tx.execute(_FIND, {"wanted": key}).first()
    if row is None:
        return None
    costs = {"tokens_in": row.tokens_in, "tokens_out": row.tokens_out, "cost": row.cost}
    return Answer(key=key, model=row.model, text=row.answer, **costs)


def keep(tx: Connection, answers: Sequence[Answer]) -> None:
    if not answers:
        return
    at_ms = time.time_ns() // 1_000_000
    rows = [{"key": each.key, "model": each.model, "answer": each.text, **_costs(each)} for each in answers]
    tx.execute(upsert(model_answer).on_conflict_do_nothing(), [{**row, "at_ms": at_ms} for row in rows])
    append(tx, [_entry(each) for each in answers])
    freed = [each.reserved for each in answers if each.reserved]
    tokens = sum(each.tokens_in + each.tokens_out for each in answers) - sum(each.tokens for each in freed)
    _add(tx, Reserved(tokens, sum(each.cost for each in answers) - sum(each.cost for each in freed)))


def _costs(answer: Answer) -> dict[str, int]:
    return {"tokens_in": answer.tokens_in, "tokens_out": answer.tokens_out, "cost": answer.cost}


def _entry(answer: Answer) -> Entry:
    said = hashlib.sha256(answer.text.encode("utf-8", "replace")).hexdigest()
    detail = {**answer.sent, "model": answer.model, **_costs(answer), "answer": said}
    return Entry(who="redwell", action=Action.MODEL_ASKED, exhibit=answer.exhibit, detail=detail)


def spent(tx: Connection) -> Spent:
    row = tx.execute(select(_spent.tokens, _spent.cost).where(_spent.id == _ONLY)).first()
    return Spent(row.tokens, row.cost) if row else Spent()


def reserve(tx: Connection, choice: ModelChoice, wanted: Reserved) -> bool:
    """What is reserved counts as spent until the answer is there; killed in between, it stays so: never too much."""
    _add(tx, Reserved(0, 0))
    pairs = ((_spent.tokens, wanted.tokens, choice.budget_tokens), (_spent.cost, wanted.cost, choice.budget_cost))
    within = [kept + more <= limit for kept, more, limit in pairs if limit]
    more = {"tokens": _spent.tokens + wanted.tokens, "cost": _spent.cost + wanted.cost}
    return bool(tx.execute(update(model_spent).where(_spent.id == _ONLY, *within).values(more)).rowcount)


def give_back(tx: Connection, reserved: Reserved) -> None:
    _add(tx, Reserved(-reserved.tokens, -reserved.cost))


def _add(tx: Connection, more: Reserved) -> None:
    sums = {"tokens": _spent.tokens + more.tokens, "cost": _spent.cost + more.cost}
    first = upsert(model_spent).values(id=_ONLY, tokens=more.tokens, cost=more.cost)
    tx.execute(first.on_conflict_do_update(index_elements=["id"], set_=sums))
