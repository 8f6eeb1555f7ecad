"""People and members on a SQL database. Keeps the promises of ports.accounts.Accounts."""

import time
import unicodedata
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_accounts.passwords import hashed
from redwell.adapters.sql_accounts.tables import account, membership, metadata, secret
from redwell.core.access.rights import Role
from redwell.core.access.secrets import weakness
from redwell.core.errors import UserError
from redwell.ports.accounts import Account

LONGEST_NAME = 100


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def prepare(database: Database) -> None:
    """The tables; those that are there stay as they are."""

    def work(tx: Connection) -> None:
        database.prepare(tx)
        metadata.create_all(tx)

    database.write(work)


def as_account(row: Any) -> Account:
    return Account(
        id=row.id,
        name=row.name,
        is_admin=bool(row.admin),
        is_disabled=bool(row.disabled),
        has_password=bool(row.password),
        created_ms=row.created_ms,
    )


class SqlAccounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, *, admin: bool = False) -> Account:
        name = _checked(name)
        row = {"name": name, "folded": folded(name), "admin": int(admin), "created_ms": now_ms()}

        def work(tx: Connection) -> int:
            if tx.execute(select(account.c.id).where(account.c.folded == row["folded"])).scalar() is not None:
                raise UserError(f"there is a user {name!r} already")
            return int(tx.execute(insert(account).values(row).returning(account.c.id)).scalar_one())

        made = self.get(self._database.write(work))
        assert made is not None
        return made

    def find(self, name: str) -> Account | None:
        return self._one(account.c.folded == folded(name))

    def get(self, key: int) -> Account | None:
        return self._one(account.c.id == key)

    def all(self) -> list[Account]:
        with self._database.read() as tx:
            return [as_account(row) for row in tx.execute(select(account).order_by(account.c.folded))]

    def set_password(self, key: int, password: str) -> None:
        if wrong := weakness(password):
            raise UserError(wrong)
        kept = hashed(password)

        def work(tx: Connection) -> None:
            tx.execute(update(account).where(account.c.id == key).values(password=kept))
            tx.execute(delete(secret).where(secret.c.account == key))

        self._database.write(work)

    def disable(self, key: int, *, disabled: bool = True) -> None:
        def work(tx: Connection) -> None:
            tx.execute(update(account).where(account.c.id == key).values(disabled=int(disabled)))
            tx.execute(delete(secret).where(secret.c.account == key))

        self._database.write(work)

    def role(self, key: int, case: int) -> Role | None:
        query = select(membership.c.role).where(membership.c.account == key, membership.c.case_id == case)
        with self._database.read() as tx:
            found = tx.execute(query).scalar()
        return Role(found) if found else None

    def roles(self, key: int) -> dict[int, Role]:
        query = select(membership.c.case_id, membership.c.role).where(membership.c.account == key)
        with self._database.read() as tx:
            return {case: Role(role) for case, role in tx.execute(query)}

    def members(self, case: int) -> list[tuple[Account, Role]]:
        query = select(account, membership.c.role).join(membership, membership.c.account == account.c.id)
        with self._database.read() as tx:
            rows = tx.execute(query.where(membership.c.case_id == case).order_by(account.c.folded))
            return [(as_account(row), Role(row.role)) for row in rows]

    def set_role(self, key: int, case: int, role: Role | None) -> None:
        def work(tx: Connection) -> None:
            tx.execute(delete(membership).where(membership.c.account == key, membership.c.case_id == case))
            if role is not None:
                tx.execute(insert(membership).values(account=key, case_id=case, role=str(role)))

        self._database.write(work)

    def claimed(self, cases: Collection[int]) -> set[int]:
        query = select(membership.c.case_id).where(membership.c.case_id.in_(list(cases))).distinct()
        with self._database.read() as tx:
            return set(tx.execute(query).scalars())

    def _one(self, where: Any) -> Account | None:
        with self._database.read() as tx:
            row = tx.execute(select(account).where(where)).first()
        return as_account(row) if row else None


def _checked(name: str) -> str:
    name = unicodedata.normalize("NFC", name).strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UserError(f"a user's name has 1 to {LONGEST_NAME} characters that can be shown")
    return name
