"""`redwell user` and `redwell token`: who may sign in, and programs that act for them."""

import argparse
import json
import sys
from typing import Any

from redwell.core.access.rights import Right, Scope
from redwell.core.errors import NotFound
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.output.terminal import printable
from redwell.ports.accounts import Account, NewToken, Token
from redwell.runtime.bootstrap.cases.case_places import CasePlaces
from redwell.runtime.bootstrap.open_accounts import People, open_people
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.upkeep.status import when

LINK_S = 24 * 3600


def _people() -> People:
    return open_people(home_folder(), load_settings())


def run_user(args: argparse.Namespace) -> int:
    with _people() as people:
        if args.action == "list":
            for account in people.accounts.all():
                _print(_user(account), args.json, _user_line(account))
            return ExitCode.OK
        if args.action == "add":
            account = people.accounts.add(args.name, admin=args.admin)
        else:
            account = _known(people, args.name)
        if args.action == "disable":
            people.accounts.disable(account.id)
            _print({**_user(account), "disabled": True}, args.json, f"{printable(account.name)} can't sign in any more")
            return ExitCode.OK
        link = f"/welcome/{people.credentials.new_link(account.id, LINK_S)}"
        _print({**_user(account), "link": link}, args.json, link)
        print("the address of the server, and this behind it, once and within a day", file=sys.stderr)
    return ExitCode.OK


def run_token(args: argparse.Namespace) -> int:
    with _people() as people:
        if args.action == "list":
            names = {account.id: account.name for account in people.accounts.all()}
            for token in people.credentials.tokens():
                _print(_token(token, names[token.account]), args.json, _token_line(token, names[token.account]))
            return ExitCode.OK
        if args.action == "revoke":
            if not people.credentials.revoke(args.token):
                raise NotFound(f"there is no token {args.token} that is still good; `redwell token list` shows them")
            _print({"token": args.token, "revoked": True}, args.json, f"token {args.token} opens nothing any more")
            return ExitCode.OK
        account = _known(people, args.user)
        scope = Scope(rights=frozenset(Right(right) for right in args.right or ["read"]), cases=_cases(args.case))
        days = args.days * 86_400 if args.days else None
        token, secret = people.credentials.new_token(
            NewToken(account=account.id, name=args.name, scope=scope, valid_s=days)
        )
        _print({**_token(token, account.name), "secret": secret}, args.json, secret)
        print("it is shown only now", file=sys.stderr)
    return ExitCode.OK


def _cases(names: list[str] | None) -> frozenset[int] | None:
    if not names:
        return None
    places = CasePlaces(home_folder(), load_settings())
    try:
        return frozenset(places.find(name).number for name in names)
    finally:
        places.close()


def _known(people: People, name: str) -> Account:
    account = people.accounts.find(name)
    if account is None:
        raise NotFound(f"there is no user {name!r}; `redwell user list` shows them")
    return account


def _user(account: Account) -> dict[str, Any]:
    told = {"user": account.id, "name": account.name, "admin": account.is_admin, "disabled": account.is_disabled}
    return {**told, "has_password": account.has_password, "created": when(account.created_ms)}


def _user_line(account: Account) -> str:
    state = "disabled" if account.is_disabled else "active" if account.has_password else "no password yet"
    return f"{printable(account.name)}\t{'administrator' if account.is_admin else 'user'}\t{state}"


def _token(token: Token, owner: str) -> dict[str, Any]:
    cases = None if token.scope.cases is None else sorted(token.scope.cases)
    told = {"token": token.id, "name": token.name, "user": owner, "rights": sorted(token.scope.rights), "cases": cases}
    return {**told, "revoked": token.is_revoked, "created": when(token.created_ms), "ends": when(token.ends_ms)}


def _token_line(token: Token, owner: str) -> str:
    cases = "every case" if token.scope.cases is None else f"cases {', '.join(map(str, sorted(token.scope.cases)))}"
    rights = ", ".join(sorted(token.scope.rights))
    state = "revoked" if token.is_revoked else "good"
    return f"{token.id}\t{printable(token.name)}\t{printable(owner)}\t{rights}\t{cases}\t{state}"


def _print(row: dict[str, Any], as_json: bool, line: str) -> None:
    print(json.dumps(row) if as_json else line)
