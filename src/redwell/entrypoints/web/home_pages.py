"""The list of cases, and the people of the home."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from redwell.core.errors import UserError
from redwell.entrypoints.http.home_routes import case_rows, new_case
from redwell.entrypoints.http.sessions import LINK_S
from redwell.entrypoints.http.visits import Home, Who
from redwell.entrypoints.web.rendering import page, to

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
    return page(request, "people.html", who, people=home.accounts.all(), link="", wrong="", name="")


@router.post("/people")
def add_person(request: Request, home: Home, who: Who, name: Name, admin: Name = "") -> Response:
    home.access.require_admin(who)
    link, wrong = "", ""
    try:
        account = home.accounts.add(name, admin=bool(admin))
        link = f"{request.base_url}welcome/{home.credentials.new_link(account.id, LINK_S)}"
    except UserError as error:
        wrong = str(error)
    everybody = home.accounts.all()
    return page(request, "people.html", who, 400 if wrong else 200, people=everybody, link=link, wrong=wrong, name=name)
