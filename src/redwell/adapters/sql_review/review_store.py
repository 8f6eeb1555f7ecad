"""The ReviewStore on a SQL database: each method is one transaction. Keeps the promises of ports.review."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from sqlalchemy import Connection, func, insert, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.review_tables import coding as codings
from redwell.adapters.sql.review_tables import note, replacement, saved_search, tag, tagging, term_set, viewed
from redwell.adapters.sql_review import audit_log, coding
from redwell.adapters.sql_review.deleted import mark_deleted, shown
from redwell.adapters.sql_review.rounds import SqlReviewRounds
from redwell.core.errors import UserError
from redwell.core.review.values import (
    LONGEST_NOTE,
    LONGEST_QUERY,
    Action,
    Changed,
    Coding,
    Entry,
    Logged,
    Note,
    Replacement,
    SavedSearch,
    Tag,
    Tagging,
    TermSet,
    Undone,
    checked_name,
)


class SqlReviewStore:
    def __init__(self, database: Database) -> None:
        self._database = database
        self.rounds = SqlReviewRounds(database)

    def tags(self) -> list[Tag]:
        with self._database.read() as tx:
            rows = tx.execute(select(tag.c.id, tag.c.name, tag.c.key).order_by(tag.c.id))
            return [Tag(id=row.id, name=row.name, key=row.key) for row in rows]

    def add_tag(self, name: str, who: str) -> Tag:
        return self._database.write(lambda tx: coding.add_tag(tx, name, who))

    def code(self, wanted: Coding) -> Changed:
        return self._database.write(lambda tx: coding.code(tx, wanted))

    def undo(self, change: int, who: str) -> Undone:
        return self._database.write(lambda tx: coding.undo(tx, change, who))

    def last_change(self, who: str) -> int | None:
        query = select(func.max(codings.c.id)).where(codings.c.who == who, codings.c.undone == 0)
        with self._database.read() as tx:
            return tx.execute(query).scalar()

    def taggings(self, exhibits: Sequence[int]) -> list[Tagging]:
        found = list[Tagging]()
        with self._database.read() as tx:
            for chunk in coding.chunks(exhibits):
                rows = tx.execute(select(tagging).where(tagging.c.exhibit.in_(chunk)).order_by(tagging.c.tag))
                found += [Tagging(exhibit=row.exhibit, tag=row.tag, who=row.who, at_ms=row.at_ms) for row in rows]
        return found

    def version(self, exhibit: int) -> int:
        with self._database.read() as tx:
            return coding.version(tx, exhibit)

    def tag_counts(self) -> dict[int, int]:
        with self._database.read() as tx:
            rows = tx.execute(select(tagging.c.tag, func.count()).group_by(tagging.c.tag))
            return {row[0]: row[1] for row in rows}

    def tagged(self, tag: int) -> list[str]:
        query = select(exhibit.c.control).join(tagging, tagging.c.exhibit == exhibit.c.id).where(tagging.c.tag == tag)
        with self._database.read() as tx:
            return [control for control in tx.execute(query).scalars() if control]

    def notes(self, exhibit: int) -> list[Note]:
        with self._database.read() as tx:
            rows = tx.execute(select(note).where(note.c.exhibit == exhibit).order_by(note.c.id))
            return [Note(**row) for row in rows.mappings()]

    def add_note(self, exhibit: int, text: str, who: str) -> Note:
        text = text.strip()
        if not text or len(text) > LONGEST_NOTE:
            raise UserError(f"a note has 1 to {LONGEST_NOTE:,} characters")

        def work(tx: Connection) -> Note:
            row = {"exhibit": exhibit, "who": who, "at_ms": audit_log.now_ms(), "text": text}
            made = Note(**tx.execute(insert(note).values(row).returning(note)).mappings().one())
            audit_log.append(tx, [Entry(who=who, action=Action.NOTED, exhibit=exhibit, detail={"note": made.id})])
            return made

        return self._database.write(work)

    def saved_searches(self) -> list[SavedSearch]:
        with self._database.read() as tx:
            query = select(*shown(saved_search)).where(saved_search.c.deleted_ms == 0)
            rows = tx.execute(query.order_by(saved_search.c.name, saved_search.c.id))
            return [SavedSearch(**row) for row in rows.mappings()]

    def save_search(self, name: str, query: str, who: str) -> SavedSearch:
        row = {"name": checked_name(name, "a saved search"), "query": query[:LONGEST_QUERY], "who": who}

        def work(tx: Connection) -> SavedSearch:
            made = insert(saved_search).values(**row, at_ms=audit_log.now_ms()).returning(*shown(saved_search))
            audit_log.append(tx, [Entry(who=who, action=Action.SEARCH_SAVED, detail={"name": row["name"]})])
            return SavedSearch(**tx.execute(made).mappings().one())

        return self._database.write(work)

    def drop_search(self, key: int, who: str) -> bool:
        def work(tx: Connection) -> bool:
            gone = mark_deleted(tx, saved_search, saved_search.c.id == key).first()
            if gone:
                audit_log.append(tx, [Entry(who=who, action=Action.SEARCH_DROPPED, detail={"name": gone.name})])
            return gone is not None

        return self._database.write(work)

    def term_sets(self) -> list[TermSet]:
        with self._database.read() as tx:
            query = select(*shown(term_set)).where(term_set.c.deleted_ms == 0).order_by(term_set.c.id)
            return [TermSet(**row) for row in tx.execute(query).mappings()]

    def set_terms(self, name: str, colour: str, terms: str, who: str) -> TermSet:
        shown = checked_name(name, "a set of terms")
        new = TermSet(id=0, name=shown, colour=colour, terms=terms[:LONGEST_NOTE], who=who, at_ms=audit_log.now_ms())

        def work(tx: Connection) -> TermSet:
            mark_deleted(tx, term_set, term_set.c.name == new.name)
            row = {key: value for key, value in asdict(new).items() if key != "id"}
            made = insert(term_set).values(row).returning(term_set.c.id)
            key = tx.execute(made).scalar_one() if terms.strip() else 0
            detail = {"name": new.name, "terms": len(terms.splitlines()) if key else 0}
            audit_log.append(tx, [Entry(who=who, action=Action.TERMS_SET, detail=detail)])
            return replace(new, id=key)

        return self._database.write(work)

    def replace_file(self, exhibit: int, batch: int, who: str) -> Replacement:
        made = Replacement(exhibit=exhibit, batch=batch, who=who, at_ms=audit_log.now_ms())

        def work(tx: Connection) -> None:
            tx.execute(insert(replacement).values(asdict(made)))
            audit_log.append(tx, [Entry(who=who, action=Action.REPLACED, exhibit=exhibit, detail={"batch": batch})])

        self._database.write(work)
        return made

    def replacements(self, exhibits: Sequence[int] = (), batch: int | None = None) -> list[Replacement]:
        query = select(replacement).order_by(replacement.c.id)
        asked = query.where(replacement.c.batch == batch) if batch is not None else None
        found = list[Replacement]()
        with self._database.read() as tx:
            chunks = [asked] if asked is not None else []
            chunks += [query.where(replacement.c.exhibit.in_(chunk)) for chunk in coding.chunks(exhibits)]
            for each in chunks:
                found += [
                    Replacement(exhibit=r.exhibit, batch=r.batch, who=r.who, at_ms=r.at_ms) for r in tx.execute(each)
                ]
        return found

    def read_by(self, who: str, *, limit: int) -> list[str]:
        query = select(exhibit.c.control).join(viewed, viewed.c.exhibit == exhibit.c.id).where(viewed.c.who == who)
        with self._database.read() as tx:
            return [control for control in tx.execute(query.limit(limit)).scalars() if control]

    def read_count(self, who: str) -> int:
        with self._database.read() as tx:
            return tx.execute(select(func.count()).select_from(viewed).where(viewed.c.who == who)).scalar_one()

    def record(self, entries: Sequence[Entry]) -> None:
        if entries:
            self._database.write(lambda tx: audit_log.append(tx, entries))

    def readers(self, exhibits: Sequence[int]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        with self._database.read() as tx:
            for chunk in coding.chunks(exhibits):
                query = select(viewed).where(viewed.c.exhibit.in_(chunk)).order_by(viewed.c.at_ms, viewed.c.who)
                for row in tx.execute(query):
                    found.setdefault(row.exhibit, []).append(row.who)
        return found

    def history(self, exhibit: int, limit: int = 100) -> list[Logged]:
        with self._database.read() as tx:
            return audit_log.history(tx, exhibit, limit)

    def log(self, before: int | None = None, limit: int = 100) -> list[Logged]:
        with self._database.read() as tx:
            return audit_log.log(tx, before, limit)

    def close(self) -> None:
        self._database.close()
