"""What the store of people and their secrets promises (ports.accounts), on every database."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.review_cases import KINDS, databases

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_accounts.accounts import SqlAccounts, prepare
from redwell.adapters.sql_accounts.credentials import SqlCredentials
from redwell.core.access.rights import Right, Role, Scope
from redwell.core.errors import UserError
from redwell.ports.accounts import Accounts, Credentials, NewToken

PASSWORD = "three words in a row"
READ = Scope(rights=frozenset({Right.READ}), cases=frozenset({7}))


@dataclass
class People:
    accounts: Accounts
    credentials: Credentials
    database: Database


@pytest.fixture(params=KINDS)
def people(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[People]:
    with databases(request.param, tmp_path) as opened:
        database = opened()
        prepare(database)
        prepare(database)  # one that is there stays as it is
        yield People(SqlAccounts(database), SqlCredentials(database), database)


def test_a_person_signs_in_with_the_password_and_no_other(people: People) -> None:
    ada = people.accounts.add("Ada")
    assert people.credentials.check_password("Ada", "") is None
    people.accounts.set_password(ada.id, PASSWORD)
    assert people.credentials.check_password("Ada", PASSWORD) == people.accounts.get(ada.id)
    assert people.credentials.check_password(" ADA ", PASSWORD) is not None
    assert people.credentials.check_password("Ada", PASSWORD + "x") is None
    assert people.credentials.check_password("Bob", PASSWORD) is None


def test_two_people_differ_in_more_than_upper_case(people: People) -> None:
    people.accounts.add("Ada")
    with pytest.raises(UserError, match="already"):
        people.accounts.add("ada ")
    assert [account.name for account in people.accounts.all()] == ["Ada"]


@pytest.mark.parametrize("password", ["short", "a" * 40, "x" * 2000])
def test_a_weak_password_is_refused(people: People, password: str) -> None:
    ada = people.accounts.add("Ada")
    with pytest.raises(UserError):
        people.accounts.set_password(ada.id, password)


def test_passwords_and_secrets_are_nowhere_in_the_tables(people: People) -> None:
    ada = people.accounts.add("Ada")
    people.accounts.set_password(ada.id, PASSWORD)
    session = people.credentials.new_session(ada.id, 60)
    _, token = people.credentials.new_token(NewToken(account=ada.id, name="t", scope=READ))
    with people.database.read() as tx:
        kept = "".join(
            str(row)
            for table in ("account", "account_secret", "account_token")
            for row in tx.exec_driver_sql(f"SELECT * FROM {table}")
        )
    assert "argon2id" in kept
    assert not [secret for secret in (PASSWORD, session, token) if secret in kept]


def test_a_link_is_used_once_by_however_many_try(people: People) -> None:
    link = people.credentials.new_link(None, 60)
    assert people.credentials.link(link) == (None,)
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(lambda _: people.credentials.use_link(link), range(4))) == [False, False, False, True]
    assert people.credentials.link(link) is None


def test_a_session_ends_with_sign_out_with_a_new_password_and_with_the_account(people: People) -> None:
    ada = people.accounts.add("Ada")
    one, two, three, past = (people.credentials.new_session(ada.id, valid) for valid in (60, 60, 60, 0))
    assert people.credentials.session(one) == ada
    assert people.credentials.session(past) is None
    people.credentials.end_session(one)
    assert people.credentials.session(one) is None
    people.accounts.set_password(ada.id, PASSWORD)
    assert people.credentials.session(two) is None
    four = people.credentials.new_session(ada.id, 60)
    people.accounts.disable(ada.id)
    assert [people.credentials.session(secret) for secret in (three, four)] == [None, None]
    assert people.credentials.check_password("Ada", PASSWORD) is None


def test_a_session_is_no_link_and_no_token(people: People) -> None:
    ada = people.accounts.add("Ada")
    session, link = people.credentials.new_session(ada.id, 60), people.credentials.new_link(ada.id, 60)
    assert people.credentials.link(session) is None
    assert people.credentials.session(link) is None
    assert people.credentials.token(session) is None


def test_a_token_has_the_rights_it_was_given_until_it_is_revoked(people: People) -> None:
    ada = people.accounts.add("Ada")
    token, secret = people.credentials.new_token(NewToken(account=ada.id, name="export", scope=READ))
    found = people.credentials.token(secret)
    assert found is not None and found[0] == ada and found[1].scope == READ
    assert people.credentials.token(secret + "x") is None
    assert people.credentials.revoke(token.id)
    assert not people.credentials.revoke(token.id)
    assert people.credentials.token(secret) is None
    assert [each.is_revoked for each in people.credentials.tokens(ada.id)] == [True]


def test_a_token_ends_with_its_time_and_with_its_owner(people: People) -> None:
    ada = people.accounts.add("Ada")
    _, secret = people.credentials.new_token(NewToken(account=ada.id, name="t", scope=READ, valid_s=3600))
    assert people.credentials.token(secret) is not None
    people.accounts.disable(ada.id)
    assert people.credentials.token(secret) is None


def test_roles_are_of_one_case(people: People) -> None:
    ada, bob = people.accounts.add("Ada"), people.accounts.add("Bob")
    people.accounts.set_role(ada.id, 1, Role.ADMIN)
    people.accounts.set_role(ada.id, 1, Role.REVIEWER)
    people.accounts.set_role(bob.id, 2, Role.READ_ONLY)
    assert people.accounts.role(ada.id, 1) is Role.REVIEWER
    assert people.accounts.role(ada.id, 2) is None
    assert people.accounts.roles(bob.id) == {2: Role.READ_ONLY}
    assert people.accounts.members(1) == [(ada, Role.REVIEWER)]
    assert people.accounts.claimed([1, 2, 3]) == {1, 2}
    people.accounts.set_role(ada.id, 1, None)
    assert people.accounts.claimed([1]) == set()


def test_the_signing_key_is_made_once(people: People) -> None:
    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(lambda _: people.credentials.signing_key(), range(4)))
    assert len(keys) == 1 and len(keys.pop()) == 32
