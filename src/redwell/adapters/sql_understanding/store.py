"""The UnderstandingStore on a SQL database: each method is one transaction. The promises: ports.understanding."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.prepared import as_json
from redwell.adapters.sql.understanding_tables import data_schema, model_choice, model_window
from redwell.adapters.sql_review.audit_log import append
from redwell.adapters.sql_understanding import answers, claims, looking, plans, results, reviewing
from redwell.core.review.values import Action, Entry
from redwell.core.understanding.calibration import Decided
from redwell.core.understanding.models import ModelChoice, Spent
from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.states import DocumentState, Status
from redwell.core.understanding.turns import Answer, Claimed, Ended, Reserved, Turned, Want, Window
from redwell.core.work.attempts import UNDERSTANDING
from redwell.ports.understanding import (
    Decision,
    DocumentData,
    Ingestion,
    KeptSchema,
    Plan,
    Wish,
)


class SqlUnderstandingStore:
    def __init__(self, database: Database, tries: int = UNDERSTANDING) -> None:
        self._database, self._tries = database, tries

    def add_schema(self, name: str, body: str, who: str) -> KeptSchema:
        def work(tx: Connection) -> KeptSchema:
            query = select(data_schema).where(data_schema.c.name == name).order_by(data_schema.c.version.desc())
            last = tx.execute(query.limit(1)).mappings().first()
            if last and last["body"] == body:
                return KeptSchema(**last)
            row = {"name": name, "version": last["version"] + 1 if last else 1, "body": body, "who": who}
            made = insert(data_schema).values(**row, at_ms=_now()).returning(data_schema)
            kept = KeptSchema(**tx.execute(made).mappings().one())
            append(tx, [Entry(who=who, action=Action.SCHEMA_ADDED, detail={"schema": name, "version": kept.version})])
            return kept

        return self._database.write(work)

    def schemas(self, *, every: bool = False) -> list[KeptSchema]:
        with self._database.read() as tx:
            rows = tx.execute(select(data_schema).order_by(data_schema.c.name, data_schema.c.version)).mappings()
            kept = [KeptSchema(**row) for row in rows]
        return kept if every else list({each.name: each for each in kept}.values())

    def choose_model(self, choice: ModelChoice, who: str) -> None:
        def work(tx: Connection) -> None:
            tx.execute(insert(model_choice).values(who=who, at_ms=_now(), body=as_json(choice)))
            append(tx, [Entry(who=who, action=Action.MODEL_CHOSEN, detail={"model": choice.told})])

        self._database.write(work)

    def model(self) -> ModelChoice:
        with self._database.read() as tx:
            body = tx.execute(select(model_choice.c.body).order_by(model_choice.c.id.desc()).limit(1)).scalar()
        return msgspec.json.decode(body, type=ModelChoice) if body else ModelChoice()

    def spent(self) -> Spent:
        with self._database.read() as tx:
            return answers.spent(tx)

    # ingestions
    def wish(self, wishes: Sequence[Wish]) -> list[bytes]:
        return self._database.write(lambda tx: claims.wish(tx, wishes))

    def unplanned(self) -> list[Plan]:
        with self._database.read() as tx:
            return plans.unplanned(tx)

    def said(self, batch: int) -> Mapping[str, Mapping[str, Any]]:
        with self._database.read() as tx:
            return plans.said(tx, batch)

    def note_uploader(self, batch: int, who: str) -> None:
        self._database.write(lambda tx: plans.note_uploader(tx, batch, who))

    def plan_on(self, plan: Plan, wishes: Sequence[Wish], cursor: str | None) -> list[bytes]:
        return self._database.write(lambda tx: plans.plan_on(tx, plan, wishes, cursor))

    def has_work(self) -> bool:
        with self._database.read() as tx:
            return plans.has_work(tx)

    def known(self, exhibits: Sequence[int]) -> set[int]:
        with self._database.read() as tx:
            return claims.known(tx, exhibits)

    def claim(self, want: Want) -> list[Claimed]:
        return self._database.write(lambda tx: claims.claim(tx, want, self._tries))

    def beat(self, held: Sequence[Claimed], now_ms: int) -> set[int]:
        return self._database.write(lambda tx: claims.beat(tx, held, now_ms))

    def status(self, uid: bytes) -> Status | None:
        with self._database.read() as tx:
            return claims.status(tx, uid)

    def orphans(self, now_ms: int, stale_s: int) -> list[bytes]:
        with self._database.read() as tx:
            return claims.orphans(tx, now_ms - stale_s * 1000)

    def free_dead(self, is_dead: Callable[[str], bool]) -> int:
        with self._database.read() as tx:
            dead = [owner for owner in claims.owners(tx) if is_dead(owner)]
        return self._database.write(lambda tx: claims.free(tx, dead)) if dead else 0

    def hand_back(self, held: Sequence[Claimed]) -> None:
        self._database.write(lambda tx: claims.hand_back(tx, held))

    def end(self, ended: Sequence[Ended], paid: Sequence[Answer], now_ms: int, want: Want | None = None) -> Turned:
        def work(tx: Connection) -> Turned:
            answers.keep(tx, paid)
            statuses = results.end(tx, ended, now_ms, self._tries)
            return Turned(statuses=statuses, claims=claims.claim(tx, want, self._tries) if want else ())

        return self._database.write(work)

    def windows(self, ingestion: int) -> list[Window]:
        query = select(model_window).where(model_window.c.understanding == ingestion)
        with self._database.read() as tx:
            rows = tx.execute(query.order_by(model_window.c.start, model_window.c.stop, model_window.c.part)).mappings()
            return [Window(**{key: value for key, value in row.items() if key != "understanding"}) for row in rows]

    # answers
    def answer(self, key: bytes) -> Answer | None:
        with self._database.read() as tx:
            return answers.find(tx, key)

    def keep_answers(self, kept: Sequence[Answer]) -> None:
        self._database.write(lambda tx: answers.keep(tx, kept))

    def reserve(self, choice: ModelChoice, wanted: Reserved) -> bool:
        return self._database.write(lambda tx: answers.reserve(tx, choice, wanted))

    def give_back(self, reserved: Reserved) -> None:
        self._database.write(lambda tx: answers.give_back(tx, reserved))

    # looking
    def ingestion(self, key: int) -> Ingestion | None:
        with self._database.read() as tx:
            return looking.ingestion(tx, key)

    def by_uid(self, uid: bytes) -> Ingestion | None:
        with self._database.read() as tx:
            return looking.by_uid(tx, uid)

    def of_document(self, document: int) -> Ingestion | None:
        with self._database.read() as tx:
            return looking.of_document(tx, document)

    def ingestions(self, exhibit: int) -> list[Ingestion]:
        with self._database.read() as tx:
            return looking.ingestions(tx, exhibit)

    def state(self, exhibit: int) -> DocumentState:
        with self._database.read() as tx:
            return looking.state(tx, exhibit)

    def counts(self) -> dict[str, int]:
        with self._database.read() as tx:
            return looking.counts(tx)

    def proposals(self, ingestion: int) -> list[Proposal]:
        with self._database.read() as tx:
            return looking.proposals(tx, ingestion)

    def decisions(self, ingestion: int) -> list[Decision]:
        with self._database.read() as tx:
            return looking.decisions(tx, ingestion)

    def data(self, after: int = 0, limit: int = 500) -> list[DocumentData]:
        with self._database.read() as tx:
            return looking.data(tx, after, limit)

    # people
    def next_doubt(self, who: str, now_ms: int, lease_s: int, after: int = 0) -> Ingestion | None:
        return self._database.write(lambda tx: reviewing.next_doubt(tx, who, now_ms, lease_s, after))

    def release(self, ingestion: int, who: str) -> None:
        self._database.write(lambda tx: reviewing.release(tx, ingestion, who))

    def decide(self, ingestion: int, decisions: Sequence[Decision], now_ms: int) -> Ingestion:
        return self._database.write(lambda tx: reviewing.decide(tx, ingestion, decisions, now_ms))

    def decided(self, schema_name: str) -> list[Decided]:
        with self._database.read() as tx:
            return reviewing.decided(tx, schema_name)

    def close(self) -> None:
        self._database.close()


def _now() -> int:
    return time.time_ns() // 1_000_000
