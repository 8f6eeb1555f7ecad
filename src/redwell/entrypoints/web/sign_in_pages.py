"""Signing in and out, and the one-time link at which a person chooses a password."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from redwell.core.access.secrets import weakness
from redwell.core.errors import NotFound, UserError
from redwell.entrypoints.http.guard import Rates
from redwell.entrypoints.http.problems import TooMany
from redwell.entrypoints.http.sessions import VALID_S
from redwell.entrypoints.http.visits import Home, Who, served, sessions
from redwell.entrypoints.web.rendering import page, to
from redwell.ports.accounts import Account

router = APIRouter()
Field = Annotated[str, Form(max_length=1024)]
_tries = Rates(per_s=0.1, burst=10)  # of passwords, for each address


@router.get("/sign-in")
def sign_in_page(request: Request, next: str = "/") -> Response:
    return page(request, "sign_in.html", None, next=_inside(next), wrong="")


@router.post("/sign-in")
def sign_in(request: Request, home: Home, name: Field, password: Field, next: Field = "/") -> Response:
    if not _tries.take(request.client.host if request.client else ""):
        raise TooMany("too many tries: wait a minute")
    account = home.credentials.check_password(name, password)
    if account is None:
        wrong = "Name and password don't go together."
        return page(request, "sign_in.html", None, 401, next=_inside(next), wrong=wrong)
    return _signed_in(request, account, _inside(next))


@router.post("/sign-out")
def sign_out(request: Request, home: Home, _who: Who) -> Response:
    home.credentials.end_session(sessions(request).secret(request) or "")
    response = to("/sign-in")
    sessions(request).take(response)
    return response


@router.get("/welcome/{secret}")
def welcome_page(request: Request, home: Home, secret: str) -> Response:
    return page(request, "welcome.html", None, name=_whose(home, secret), wrong="", chosen="")


@router.post("/welcome/{secret}")
def welcome(request: Request, home: Home, secret: str, password: Field, name: Field = "") -> Response:
    """The link is used up by the first who chooses a password that is good enough."""
    known = _whose(home, secret)
    try:
        if wrong := weakness(password):
            raise UserError(wrong)
        account = home.accounts.find(known) if known else home.accounts.add(name, admin=True)
    except UserError as error:
        return page(request, "welcome.html", None, 400, name=known, wrong=str(error), chosen=name)
    if account is None or not home.credentials.use_link(secret):
        raise NotFound("this link was used already: ask for another one")
    home.accounts.set_password(account.id, password)
    return _signed_in(request, account, "/")


def _whose(home: Home, secret: str) -> str:
    """The name of the person it is for; empty: of the home's first administrator, who chooses one."""
    found = home.credentials.link(secret)
    account = home.accounts.get(found[0]) if found and found[0] is not None else None
    if found is None or (found[0] is not None and account is None) or (found[0] is None and home.accounts.all()):
        raise NotFound("this link was used already, or has ended: `redwell user link` makes another")
    return account.name if account else ""


def _signed_in(request: Request, account: Account, where: str) -> Response:
    response = to(where)
    secret = served(request).credentials.new_session(account.id, VALID_S)
    sessions(request).give(request, response, secret)
    return response


def _inside(address: str) -> str:
    """Of this server only: a link from elsewhere leads nowhere else."""
    is_ours = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if is_ours else "/"
