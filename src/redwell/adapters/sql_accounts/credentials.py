"""Links, sessions and tokens on a SQL database. Keeps the promises of ports.accounts.Credentials."""

import json
import secrets
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_accounts.accounts import as_account, folded, now_ms
from redwell.adapters.sql_accounts.passwords import fits
from redwell.adapters.sql_accounts.tables import account, secret, signing_key, token
from redwell.core.access.rights import Right, Scope
from redwell.core.access.secrets import digest, new_secret
from redwell.core.access.secrets import new_token as new_token_secret
from redwell.ports.accounts import Account, NewToken, Token

_LINK, _SESSION = "link", "session"


class SqlCredentials:
    def __init__(self, database: Database) -> None:
        self._database = database

    def signing_key(self) -> bytes:
        def work(tx: Connection) -> bytes:
            found = tx.execute(select(signing_key.c.value)).scalar()
            if found is None:
                found = secrets.token_bytes(32)
                tx.execute(insert(signing_key).values(id=1, value=found))
            return bytes(found)

        return self._database.write(work)

    def check_password(self, name: str, password: str) -> Account | None:
        with self._database.read() as tx:
            row = tx.execute(select(account).where(account.c.folded == folded(name))).first()
        right = fits(password, row.password if row else "")
        return as_account(row) if row and right and not row.disabled else None

    def new_link(self, account: int | None, valid_s: int) -> str:
        return self._new(_LINK, account, valid_s)

    def link(self, secret: str) -> tuple[int | None] | None:
        row = self._found(_LINK, secret)
        return (row.account,) if row else None

    def use_link(self, secret: str) -> bool:
        return self._forget(_LINK, secret)

    def new_session(self, account: int, valid_s: int) -> str:
        return self._new(_SESSION, account, valid_s)

    def session(self, secret: str) -> Account | None:
        row = self._found(_SESSION, secret)
        return self._account(row.account) if row else None

    def end_session(self, secret: str) -> None:
        self._forget(_SESSION, secret)

    def new_token(self, new: NewToken) -> tuple[Token, str]:
        made = new_token_secret()
        row = {
            "digest": digest(made),
            "account": new.account,
            "name": new.name,
            "rights": json.dumps(sorted(new.scope.rights)),
            "cases": None if new.scope.cases is None else json.dumps(sorted(new.scope.cases)),
            "created_ms": now_ms(),
            "ends_ms": now_ms() + new.valid_s * 1000 if new.valid_s else None,
        }
        stored = self._database.write(lambda tx: tx.execute(insert(token).values(row).returning(token)).one())
        return _as_token(stored), made

    def token(self, secret: str) -> tuple[Account, Token] | None:
        with self._database.read() as tx:
            row = tx.execute(select(token).where(token.c.digest == digest(secret), token.c.revoked == 0)).first()
        if row is None or (row.ends_ms is not None and row.ends_ms <= now_ms()):
            return None
        owner = self._account(row.account)
        return (owner, _as_token(row)) if owner else None

    def tokens(self, account: int | None = None) -> list[Token]:
        query = select(token).order_by(token.c.id)
        with self._database.read() as tx:
            rows = tx.execute(query if account is None else query.where(token.c.account == account))
            return [_as_token(row) for row in rows]

    def revoke(self, token_id: int) -> bool:
        change = update(token).where(token.c.id == token_id, token.c.revoked == 0).values(revoked=1)
        return self._database.write(lambda tx: tx.execute(change.returning(token.c.id)).first()) is not None

    def _account(self, key: int) -> Account | None:
        with self._database.read() as tx:
            row = tx.execute(select(account).where(account.c.id == key, account.c.disabled == 0)).first()
        return as_account(row) if row else None

    def _new(self, kind: str, owner: int | None, valid_s: int) -> str:
        """What has ended meanwhile goes on the way."""
        made, now = new_secret(), now_ms()

        def work(tx: Connection) -> None:
            tx.execute(delete(secret).where(secret.c.ends_ms <= now))
            tx.execute(
                insert(secret).values(digest=digest(made), kind=kind, account=owner, ends_ms=now + valid_s * 1000)
            )

        self._database.write(work)
        return made

    def _found(self, kind: str, given: str) -> Any:
        wanted = (secret.c.digest == digest(given), secret.c.kind == kind, secret.c.ends_ms > now_ms())
        with self._database.read() as tx:
            return tx.execute(select(secret).where(*wanted)).first()

    def _forget(self, kind: str, given: str) -> bool:
        gone = delete(secret).where(secret.c.digest == digest(given), secret.c.kind == kind)
        live = gone.where(secret.c.ends_ms > now_ms()).returning(secret.c.digest)
        return self._database.write(lambda tx: tx.execute(live).first()) is not None


def _as_token(row: Any) -> Token:
    cases = None if row.cases is None else frozenset(json.loads(row.cases))
    return Token(
        id=row.id,
        account=row.account,
        name=row.name,
        scope=Scope(rights=frozenset(Right(name) for name in json.loads(row.rights)), cases=cases),
        created_ms=row.created_ms,
        ends_ms=row.ends_ms,
        is_revoked=bool(row.revoked),
    )
