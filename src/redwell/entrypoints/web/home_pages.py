"""The list of cases, and the people of the home."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from redwell.core.access.rights import Principal
from redwell.core.errors import UserError
from redwell.entrypoints.http.home_routes import case_rows, new_case, new_link, set_disabled
from redwell.entrypoints.http.sessions import LINK_S
from redwell.entrypoints.http.visits import Home, Who
from redwell.entrypoints.web.rendering import page, to
from redwell.runtime.serving.served_home import ServedHome

router = APIRouter()
Name = Annotated[str, Form(max_length=200)]


@router.get("/")
def cases(request: Request, home: Home, who: Who) -> Response:
    return _cases(request, home, who)


@router.post("/cases")
def make_case(request: Request, home: Home, who: Who, name: Name) -> Response:
    home.access.require_admin(who)
    try:
        return to(f"/cases/{new_case(home, who.account, name)}/imports")
    except UserError as error:
        return _cases(request, home, who, 400, str(error))


def _cases(request: Request, home: Home, who: Who, status: int = 200, wrong: str = "") -> Response:
    return page(request, "cases.html", who, status, cases=list(case_rows(home, who)), wrong=wrong)


@router.get("/people")
def people(request: Request, home: Home, who: Who) -> Response:
    home.access.require_admin(who)
    return _people(request, home, who)


@router.post("/people")
def add_person(request: Request, home: Home, who: Who, name: Name, admin: Name = "") -> Response:
    home.access.require_admin(who)

    def link() -> str:
        account = home.accounts.add(name, admin=bool(admin))
        return f"/welcome/{home.credentials.new_link(account.id, LINK_S)}"

    return _told(request, home, who, name, link)


@router.post("/people/link")
def link_person(request: Request, home: Home, who: Who, name: Name) -> Response:
    return _told(request, home, who, name, lambda: new_link(home, who, name))


@router.post("/people/state")
def set_person(request: Request, home: Home, who: Who, name: Name, disabled: Name = "") -> Response:
    def change() -> str:
        set_disabled(home, who, name, bool(disabled))
        return ""

    return _told(request, home, who, name, change)


def _told(request: Request, home: ServedHome, who: Principal, name: str, change: Callable[[], str]) -> Response:
    """The page as it is after the change, with the link that it made; or what was wrong."""
    try:
        link = change()
    except UserError as error:
        return _people(request, home, who, wrong=str(error), name=name)
    return _people(request, home, who, link=str(request.base_url).rstrip("/") + link if link else "", name=name)


def _people(
    request: Request, home: ServedHome, who: Principal, *, link: str = "", wrong: str = "", name: str = ""
) -> Response:
    everybody = home.accounts.all()
    status = 400 if wrong else 200
    return page(request, "people.html", who, status, people=everybody, link=link, wrong=wrong, name=name)
