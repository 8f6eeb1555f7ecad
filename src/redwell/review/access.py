"""The one place that says who may do what: the pages, the API and file links all ask here."""

from collections.abc import Collection

from redwell.core.access.rights import Principal, Right, rights_in
from redwell.core.errors import Forbidden, NotFound
from redwell.ports.accounts import Accounts


class Access:
    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def rights(self, who: Principal, case: int) -> frozenset[Right]:
        role = self._accounts.role(who.account, case)
        unclaimed = role is None and who.is_admin and not self._accounts.claimed([case])
        return rights_in(case, who, role, unclaimed=unclaimed)

    def require(self, who: Principal, case: int, right: Right) -> None:
        """NotFound, in the words for a case that there is not, where nothing is allowed; Forbidden where less is."""
        require(self.rights(who, case), right)

    def visible(self, who: Principal, cases: Collection[int]) -> set[int]:
        roles = self._accounts.roles(who.account)
        claimed = self._accounts.claimed(cases) if who.is_admin else set(cases)
        return {case for case in cases if rights_in(case, who, roles.get(case), unclaimed=case not in claimed)}

    def require_admin(self, who: Principal) -> None:
        """Of the home. A token is never one: what it may do is in its rights, and these are of cases."""
        if not who.is_admin or who.by_token:
            raise Forbidden("only an administrator who has signed in may do this")


def require(rights: Collection[Right], right: Right) -> None:
    """See Access.require; where the rights are known already."""
    if not rights:
        raise no_such_case()
    if right not in rights:
        raise Forbidden(f"this needs the right to {right}: ask an administrator of the case")


def no_such_case() -> NotFound:
    return NotFound("there is no such case")
