"""Of the home: health, cases, people, tokens, who works. Below /api/v1."""

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from redwell.core.access.rights import Principal, Role, Scope
from redwell.core.errors import NotFound, UserError
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.sessions import LINK_S
from redwell.entrypoints.http.visits import Home, Number, Who
from redwell.ports.accounts import Account, NewToken, Token
from redwell.runtime.serving.imports import Imports
from redwell.runtime.serving.served_home import ServedHome
from redwell.runtime.upkeep import status
from redwell.runtime.upkeep.completeness import completeness

router = APIRouter()


@router.get("/health", tags=["server"])
def health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/ready", tags=["server"])
def ready(home: Home, request: Request) -> dict[str, Any]:
    """The home's own tables can be read."""
    home.accounts.claimed([])
    return {"status": "ready", "worker": request.app.state.worker_alive()}


@router.get("/metrics", tags=["server"], response_class=PlainTextResponse)
def metrics(request: Request) -> Response:
    """For Prometheus; no case and no person is named in it."""
    page = request.app.state.numbers.page(worker_alive=request.app.state.worker_alive())
    return Response(page, media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/me", tags=["people"])
def me(who: Who) -> dict[str, Any]:
    return {"name": who.name, "admin": who.is_admin, "rights": sorted(who.scope.rights), "by_token": who.by_token}


@router.get("/cases", tags=["cases"])
def cases(home: Home, who: Who) -> dict[str, Any]:
    """Those that you are a member of."""
    return {"cases": list(case_rows(home, who))}


@router.post("/cases", status_code=201, tags=["cases"])
def make_case(home: Home, who: Who, asked: shapes.CaseNamed) -> dict[str, Any]:
    """You are its administrator. An administrator of the home may do this."""
    home.access.require_admin(who)
    number = new_case(home, who.account, asked.name)
    return {"case": number, "name": asked.name}


def new_case(home: ServedHome, account: int, name: str) -> int:
    """A name that there is already is not taken over."""
    from redwell.core.errors import Conflict
    from redwell.runtime.bootstrap.open_reader import checked_name

    name = checked_name(name)
    if any(place.name == name for place in home.places().values()):
        raise Conflict(f"there is a case {name!r} already: choose another name")
    Imports(home.home, home.settings).make_case(name)
    home.forget_places()
    number = next(place.number for place in home.places().values() if place.name == name)
    home.accounts.set_role(account, number, Role.ADMIN)
    return number


def case_rows(home: ServedHome, who: Who) -> Iterable[dict[str, Any]]:
    places = home.places()
    for number in sorted(home.access.visible(who, list(places))):
        case = home.case(number)
        counts = case.reader.rows.counts()
        yield {
            "case": number,
            "name": case.name,
            "documents": sum(counts.values()),
            "outcomes": counts,
            "batches": len(case.reader.rows.batches()),
            "unfinished": completeness(case.reader).for_json(case.name),
            "timezone": case.info().timezone,
        }


@router.get("/jobs", tags=["operations"])
def jobs(home: Home, who: Who, ended: bool = False) -> dict[str, Any]:
    """Of your cases, in the order they are served."""
    mine = _mine(home, who)
    return {"jobs": [row for row in status.jobs(home.home, home.settings, None, ended) if row["case"] in mine]}


@router.get("/workers", tags=["operations"])
def workers(home: Home, who: Who) -> dict[str, Any]:
    """On your cases."""
    mine = _mine(home, who)
    return {"workers": [row for row in status.workers(home.home, home.settings) if row["case"] in mine]}


def _mine(home: ServedHome, who: Who) -> set[str]:
    places = home.places()
    return {places[number].name for number in home.access.visible(who, list(places))}


@router.get("/users", tags=["people"])
def users(home: Home, who: Who) -> dict[str, Any]:
    home.access.require_admin(who)
    return {"users": [user_row(account) for account in home.accounts.all()]}


@router.post("/users", status_code=201, tags=["people"])
def add_user(home: Home, who: Who, asked: shapes.UserNamed) -> dict[str, Any]:
    """With a link, for one use within a day, at which the person chooses a password."""
    home.access.require_admin(who)
    account = home.accounts.add(asked.name, admin=asked.admin)
    return {**user_row(account), "link": f"/welcome/{home.credentials.new_link(account.id, LINK_S)}"}


@router.delete("/users/{name}", status_code=204, tags=["people"])
def disable_user(home: Home, who: Who, name: str) -> None:
    """Sessions and tokens end at once. What the person did stays."""
    set_disabled(home, who, name, True)


@router.post("/users/{name}/enable", status_code=204, tags=["people"])
def enable_user(home: Home, who: Who, name: str) -> None:
    set_disabled(home, who, name, False)


@router.post("/users/{name}/link", status_code=201, tags=["people"])
def link_user(home: Home, who: Who, name: str) -> dict[str, Any]:
    """For one use within a day, to choose another password."""
    return {"name": name, "link": new_link(home, who, name)}


def set_disabled(home: ServedHome, who: Principal, name: str, disabled: bool) -> None:
    account = _account(home, who, name)
    if disabled and account.id == who.account:
        raise UserError("nobody can shut themselves out: ask another administrator")
    home.accounts.disable(account.id, disabled=disabled)


def new_link(home: ServedHome, who: Principal, name: str) -> str:
    account = _account(home, who, name)
    if account.is_disabled:
        raise UserError(f"{account.name} is disabled: enable first")
    return f"/welcome/{home.credentials.new_link(account.id, LINK_S)}"


def _account(home: ServedHome, who: Principal, name: str) -> Account:
    home.access.require_admin(who)
    account = home.accounts.find(name)
    if account is None:
        raise NotFound(f"there is no user {name!r}")
    return account


@router.get("/tokens", tags=["people"])
def tokens(home: Home, who: Who) -> dict[str, Any]:
    """Your own."""
    return {"tokens": [token_row(token) for token in home.credentials.tokens(who.account)]}


@router.post("/tokens", status_code=201, tags=["people"])
def new_token(home: Home, who: Who, asked: shapes.TokenAsked) -> dict[str, Any]:
    """With no more rights than yours; its secret is in this answer and nowhere else."""
    cases = None if asked.cases is None else frozenset(asked.cases)
    if who.scope.cases is not None:
        cases = who.scope.cases if cases is None else cases & who.scope.cases
    scope = Scope(rights=frozenset(asked.rights) & who.scope.rights, cases=cases)
    valid_s = asked.days * 86_400 if asked.days else None
    new = NewToken(account=who.account, name=asked.name, scope=scope, valid_s=valid_s)
    token, secret = home.credentials.new_token(new)
    return {**token_row(token), "secret": secret}


@router.delete("/tokens/{token}", status_code=204, tags=["people"])
def revoke_token(home: Home, who: Who, token: Number) -> None:
    if token not in {each.id for each in home.credentials.tokens(who.account)}:
        raise NotFound("you have no such token")
    home.credentials.revoke(token)


def user_row(account: Account) -> dict[str, Any]:
    told = {"user": account.id, "name": account.name, "admin": account.is_admin, "disabled": account.is_disabled}
    return {**told, "has_password": account.has_password, "created": status.when(account.created_ms)}


def token_row(token: Token) -> dict[str, Any]:
    return {
        "token": token.id,
        "name": token.name,
        "rights": sorted(token.scope.rights),
        "cases": None if token.scope.cases is None else sorted(token.scope.cases),
        "created": status.when(token.created_ms),
        "ends": status.when(token.ends_ms),
        "revoked": token.is_revoked,
    }
