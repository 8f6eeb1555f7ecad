"""Who may do what in a case (core.access.rights)."""

import pytest

from redwell.core.access.rights import RIGHTS, Principal, Right, Role, Scope, rights_in


def person(*, admin: bool = False, scope: Scope | None = None) -> Principal:
    return Principal(account=1, name="ada", is_admin=admin, scope=scope or Scope(rights=frozenset(Right)))


def test_who_is_no_member_may_nothing_and_an_administrator_of_the_home_is_none() -> None:
    assert rights_in(1, person(), None, unclaimed=False) == set()
    assert rights_in(1, person(), None, unclaimed=True) == set()
    assert rights_in(1, person(admin=True), None, unclaimed=False) == set()


def test_a_case_without_members_is_the_administrators() -> None:
    assert rights_in(1, person(admin=True), None, unclaimed=True) == set(Right)


@pytest.mark.parametrize("role", Role)
def test_a_member_may_what_the_role_says(role: Role) -> None:
    assert rights_in(1, person(), role, unclaimed=False) == RIGHTS[role]


def test_every_role_may_read_and_only_administrators_manage() -> None:
    assert all(Right.READ in rights for rights in RIGHTS.values())
    assert [role for role, rights in RIGHTS.items() if Right.MANAGE in rights] == [Role.ADMIN]


def test_a_token_never_may_more_than_its_scope_or_its_owner() -> None:
    scope = Scope(rights=frozenset({Right.READ, Right.MANAGE}), cases=frozenset({1}))
    assert rights_in(1, person(scope=scope), Role.REVIEWER, unclaimed=False) == {Right.READ}
    assert rights_in(2, person(scope=scope), Role.ADMIN, unclaimed=False) == set()
