"""The ProductionStore on a SQL database: each method is one transaction. Keeps the promises of ports.productions."""

from collections.abc import Iterator, Sequence

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_productions import productions, redactions
from redwell.core.production.redactions import Redaction
from redwell.core.production.values import Member, Production
from redwell.core.trip import trip
from redwell.ports.productions import NewProduction, RedactionChange


class SqlProductionStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, new: NewProduction, members: Sequence[Member]) -> Production:
        made = self._database.write(lambda tx: productions.create(tx, new, members))
        trip("production.after_create")
        return made

    def productions(self) -> list[Production]:
        with self._database.read() as tx:
            return productions.productions(tx)

    def find(self, name: str) -> Production:
        with self._database.read() as tx:
            return productions.find(tx, name)

    def members(self, production: int) -> Iterator[Member]:
        after = 0
        while True:
            with self._database.read() as tx:
                some = productions.members(tx, production, after)
            yield from some
            if not some:
                return
            after = some[-1].ordinal

    def issued(self, exhibits: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
        with self._database.read() as tx:
            return productions.issued(tx, exhibits)

    def next_number(self, prefix: str) -> int:
        with self._database.read() as tx:
            return productions.next_number(tx, prefix)

    def fix(self, production: int, who: str) -> dict[int, list[Redaction]]:
        return self._database.write(lambda tx: productions.fix(tx, production, who))

    def written(self, production: int, manifest: str, who: str) -> None:
        self._database.write(lambda tx: productions.written(tx, production, manifest, who))

    def redact(self, new: Sequence[Redaction], who: str, note: str = "") -> int:
        return self._database.write(lambda tx: redactions.redact(tx, new, who, note))

    def remove(self, keys: Sequence[int], who: str) -> int:
        return self._database.write(lambda tx: redactions.remove(tx, keys, who))

    def undo(self, change: int, who: str) -> int:
        return self._database.write(lambda tx: redactions.undo(tx, change, who))

    def changes(self) -> list[RedactionChange]:
        with self._database.read() as tx:
            return redactions.changes(tx)

    def redactions(self, exhibits: Sequence[int]) -> dict[int, list[Redaction]]:
        with self._database.read() as tx:
            return redactions.in_force(tx, exhibits)

    def close(self) -> None:
        self._database.close()
