"""Which machine keeps a shared case (ADR 19), and the fence against one that kept it before.

Each change of keepers raises a number in the case's own rows. A keeper writes with the number that it was given, and
writers of a case take turns: once another machine has raised it, nothing of the old keeper's is written any more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection

from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.database_wrapper import WrappedDatabase
from redwell.core.errors import KeptElsewhere

_NUMBER, _KEEPER = "keeping", "keeper"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Keeping:
    number: int = 0  # raised with each change
    keeper: str = ""  # the machine; empty: the one that made the case


def keeping_of(tx: Connection) -> Keeping:
    return Keeping(int(info(tx, _NUMBER) or 0), info(tx, _KEEPER))


def take_keeping(tx: Connection, machine: str, number: int | None = None) -> Keeping | None:
    """This machine keeps the case from now on, whoever did; None where it changed hands since that `number`."""
    before = keeping_of(tx)
    if number is not None and before.number != number:
        return None
    new = Keeping(before.number + 1, machine)
    put_info(tx, _NUMBER, str(new.number))
    put_info(tx, _KEEPER, new.keeper)
    return new


class KeptDatabase(WrappedDatabase):
    """The rows of a case as its keeper writes them: KeptElsewhere, and nothing written, once another one keeps it.

    `write_one` is not fenced: it is for messages, which may come twice or late from whomever.
    """

    def __init__(self, database: Database, number: int) -> None:
        super().__init__(database)
        self._number = number

    def write(self, work: Callable[[Connection], T]) -> T:
        def fenced(tx: Connection) -> T:
            if int(info(tx, _NUMBER) or 0) != self._number:
                raise KeptElsewhere(
                    f"case {info(tx, 'name')!r} is kept on {info(tx, _KEEPER)} now;"
                    " this process has stepped down and written nothing more: go on there"
                )
            return work(tx)

        return self.plain.write(fenced)
