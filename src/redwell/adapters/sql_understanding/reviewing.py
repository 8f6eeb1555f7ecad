"""People's decisions about what was proposed: each kept with what was there before, the document's data with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, insert, or_, select, update

from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.understanding_tables import data_schema, decision, understanding
from redwell.adapters.sql_review.audit_log import append
from redwell.adapters.sql_understanding import looking
from redwell.adapters.sql_understanding.data_rows import Values, write_data
from redwell.core.errors import Conflict, NotFound, UserError
from redwell.core.review.values import Action, Entry
from redwell.core.trip import trip
from redwell.core.understanding.calibration import Decided
from redwell.core.understanding.judging import column_of, structured
from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.schemas import DataSchema, read_schema
from redwell.core.understanding.states import Status
from redwell.core.understanding.values import Format, as_kept, same
from redwell.ports.understanding import Decision, Ingestion

KINDS = ("accepted", "corrected", "rejected")
_rows = understanding.c


def next_doubt(tx: Connection, who: str, now_ms: int, lease_s: int, after: int) -> Ingestion | None:
    """`after`: not this one again, where the person has chosen to leave it."""
    free = or_(_rows.reviewer.is_(None), _rows.reviewer == who, _rows.reviewed_until_ms < now_ms)
    waiting = and_(_rows.flagged == 1, _rows.status != Status.IN_PROGRESS, free, _rows.id != after)
    key = tx.execute(select(_rows.id).where(waiting).order_by(_rows.doubt.desc(), _rows.id).limit(1)).scalar()
    if key is None:
        return None
    lease = {"reviewer": who, "reviewed_until_ms": now_ms + lease_s * 1000}
    tx.execute(update(understanding).where(_rows.id == key).values(lease))
    return looking.ingestion(tx, key)


def release(tx: Connection, key: int, who: str) -> None:
    tx.execute(
        update(understanding).where(_rows.id == key, _rows.reviewer == who).values(reviewer=None, reviewed_until_ms=0)
    )


def decide(tx: Connection, key: int, decisions: Sequence[Decision], now_ms: int) -> Ingestion:
    standing = looking.ingestion(tx, key)
    if standing is None or standing.status is Status.IN_PROGRESS:
        raise NotFound("there is nothing to decide about here")
    _require_free(standing, decisions, now_ms)
    schema = schema_of(tx, standing.schema)
    proposed = {each.path: each for each in looking.proposals(tx, key)}
    before = current(tx, key, proposed)
    entries = list[Entry]()
    for each in decisions:
        field = schema.field_of(each.path)
        if field is None or each.kind not in KINDS:
            raise UserError(f"{each.path!r} can't be {each.kind!r}: it is no field of {schema.name}, or no decision")
        was = before.get(each.path, "")
        after = was if each.kind == "accepted" else "" if each.kind == "rejected" else as_kept(field.format, each.after)
        _note(tx, standing, _Change(each, was, after, proposed.get(each.path), field.format), now_ms)
        before[each.path] = after
        detail = {"ingestion": key, "field": each.path, "decision": each.kind, "before": was, "after": after}
        entries.append(Entry(who=each.who, action=Action.DATA_DECIDED, exhibit=standing.exhibit, detail=detail))
    append(tx, entries)
    _follow(tx, standing, schema, before, proposed)
    trip("understand.decide.before_commit")
    changed = looking.ingestion(tx, key)
    assert changed is not None, "it was there"
    return changed


def _require_free(standing: Ingestion, decisions: Sequence[Decision], now_ms: int) -> None:
    who = {each.who for each in decisions}
    if standing.reviewer and standing.reviewer not in who and standing.reviewed_until_ms > now_ms:
        raise Conflict(f"{standing.reviewer} has this document open: take the next one")


def schema_of(tx: Connection, key: int | None) -> DataSchema:
    row = tx.execute(select(data_schema.c.name, data_schema.c.body).where(data_schema.c.id == key)).first()
    if row is None:
        raise UserError("the document has no schema yet: `redwell understand --schema NAME` gives it one")
    return read_schema(row.body, row.name)


def current(tx: Connection, key: int, proposed: dict[str, Proposal]) -> dict[str, str]:
    """What holds now: what was proposed, and over it what people decided."""
    values = {path: each.value for path, each in proposed.items()}
    for each in looking.decisions(tx, key):
        values[each.path] = each.after
    return values


@dataclass(frozen=True, slots=True)
class _Change:
    said: Decision
    before: str
    after: str
    proposed: Proposal | None
    format: Format

    @property
    def was_right(self) -> bool:
        """Whether what was proposed stands."""
        is_kept = self.proposed is not None and self.said.kind != "rejected"
        return is_kept and self.proposed is not None and same(self.format, self.proposed.value, self.after)


def _note(tx: Connection, standing: Ingestion, change: _Change, now_ms: int) -> None:
    proposed = change.proposed
    confidence = proposed.place.confidence if proposed and proposed.place else 1.0
    row = {
        "understanding": standing.id,
        "path": change.said.path,
        "kind": change.said.kind,
        "who": change.said.who,
        "at_ms": now_ms,
        "before": change.before,
        "after": change.after,
        "score": round((proposed.score if proposed else 0) * 1000),
        "confidence": round(confidence * 1000),
        "was_right": int(change.was_right),
        "schema": standing.schema,
    }
    tx.execute(insert(decision).values(row))


def _follow(
    tx: Connection, standing: Ingestion, schema: DataSchema, values: dict[str, str], proposed: dict[str, Proposal]
) -> None:
    """Data and flags at once; the trigger takes them to the document."""
    decided = {each.path for each in looking.decisions(tx, standing.id)}
    left = [each for path, each in proposed.items() if each.doubts and path not in decided]
    doubted = [each for each in left if each.is_doubted]
    changed = {
        "structured_data": as_json(structured(schema, values)),
        "flagged": int(bool(left)),
        "doubt": round(1000 * (sum(1 - each.score for each in doubted) + len(doubted))),
        "status": Status.COMPLETED,
    }
    tx.execute(update(understanding).where(_rows.id == standing.id).values(changed))
    write_data(tx, [Values(standing.id, standing.document, schema.name, values)])


def decided(tx: Connection, schema_name: str) -> list[Decided]:
    query = select(decision).join(data_schema, data_schema.c.id == decision.c.schema)
    rows = tx.execute(query.where(data_schema.c.name == schema_name, decision.c.score > 0))
    return [Decided(column_of(row.path), row.score / 1000, bool(row.was_right), row.confidence / 1000) for row in rows]
