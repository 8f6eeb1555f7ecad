"""Who may do what in a case: roles, what a token is limited to, and the one rule that joins them. Pure.

Asked by review.access for the pages, the API and the command line alike.
"""

from dataclasses import dataclass
from enum import StrEnum


class Right(StrEnum):
    READ = "read"  # search, open, download
    CODE = "code"  # tags, notes, saved searches
    EXPORT = "export"  # lists of hits as files
    IMPORT = "import"  # imports, cancelling, retrying
    MANAGE = "manage"  # members, tags of the case, the audit log


class Role(StrEnum):
    ADMIN = "admin"
    REVIEWER = "reviewer"
    READ_ONLY = "read-only"


RIGHTS: dict[Role, frozenset[Right]] = {
    Role.ADMIN: frozenset(Right),
    Role.REVIEWER: frozenset({Right.READ, Right.CODE, Right.EXPORT}),
    Role.READ_ONLY: frozenset({Right.READ}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a token is limited to; its owner's own rights limit it further."""

    rights: frozenset[Right]
    cases: frozenset[int] | None = None  # None: every case that its owner is a member of


EVERYTHING = Scope(rights=frozenset(Right))


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Whoever asks: a person at a page, or a program with that person's token."""

    account: int
    name: str
    is_admin: bool  # of the home: may make cases and people, which is no right to look into a case
    scope: Scope = EVERYTHING
    by_token: bool = False


def rights_in(case: int, who: Principal, role: Role | None, *, unclaimed: bool) -> frozenset[Right]:
    """What is allowed; nothing at all where the case is not to be known of.

    A case without any member (one that the command line made) is the home's administrators' until it has one.
    """
    if role is None and unclaimed and who.is_admin:
        role = Role.ADMIN
    if role is None or (who.scope.cases is not None and case not in who.scope.cases):
        return frozenset()
    return RIGHTS[role] & who.scope.rights
