"""People of a home: who they are, what they may do in which case, and the secrets they sign in with.

Kept beside the cases, in the home's control file or in the database that its machines share. Safe to use from several
threads and processes. Secrets are given away once; what is kept of them tells nobody what they were.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from redwell.core.access.rights import Role, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    id: int
    name: str
    is_admin: bool
    is_disabled: bool
    has_password: bool
    created_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    id: int
    account: int
    name: str
    scope: Scope
    created_ms: int
    ends_ms: int | None
    is_revoked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    account: int
    name: str
    scope: Scope
    valid_s: int | None = None  # None: until it is revoked


class Accounts(Protocol):
    def add(self, name: str, *, admin: bool = False) -> Account:
        """Without a password, so nobody can sign in as it yet. UserError where the name is taken."""
        ...

    def find(self, name: str) -> Account | None: ...
    def get(self, key: int) -> Account | None: ...
    def all(self) -> list[Account]: ...
    def set_password(self, key: int, password: str) -> None:
        """UserError where it is too weak. Sessions that are open end."""
        ...

    def disable(self, key: int, *, disabled: bool = True) -> None:
        """Its sessions and tokens no longer open anything, from the next question on."""
        ...

    def role(self, key: int, case: int) -> Role | None: ...
    def roles(self, key: int) -> dict[int, Role]:
        """By case."""
        ...

    def members(self, case: int) -> list[tuple[Account, Role]]: ...
    def set_role(self, key: int, case: int, role: Role | None) -> None:
        """None: no member any more."""
        ...

    def claimed(self, cases: Collection[int]) -> set[int]:
        """Those of them that have a member."""
        ...


class Credentials(Protocol):
    def signing_key(self) -> bytes:
        """The home's own, made once."""
        ...

    def check_password(self, name: str, password: str) -> Account | None:
        """As slow for a name that there is not as for a wrong password."""
        ...

    def new_link(self, account: int | None, valid_s: int) -> str:
        """For one use: to choose a password. None: for whoever comes first to a home without people."""
        ...

    def link(self, secret: str) -> tuple[int | None] | None:
        """For whom it is; None where it was used, has ended or never was."""
        ...

    def use_link(self, secret: str) -> bool:
        """True for the first that asks, and for nobody after."""
        ...

    def new_session(self, account: int, valid_s: int) -> str: ...
    def session(self, secret: str) -> Account | None: ...
    def end_session(self, secret: str) -> None: ...
    def new_token(self, new: NewToken) -> tuple[Token, str]:
        """The token, and its secret, which nobody can read again."""
        ...

    def token(self, secret: str) -> tuple[Account, Token] | None: ...
    def tokens(self, account: int | None = None) -> list[Token]: ...
    def revoke(self, token: int) -> bool: ...
