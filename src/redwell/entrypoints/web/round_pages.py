"""Rounds of review: what is handed out to whom, how far it is, how often a second look agrees."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from redwell.core.errors import UserError
from redwell.entrypoints.http import round_routes, shapes
from redwell.entrypoints.http.review_routes import set_terms
from redwell.entrypoints.http.visits import Deciding, Managing, Number, Reading, Visit
from redwell.entrypoints.web.rendering import page, to

router = APIRouter(prefix="/cases/{case}")
Text = Annotated[str, Form(max_length=10_000)]


@router.get("/rounds")
def rounds(request: Request, visit: Reading, q: str = "") -> Response:
    return _rounds(request, visit, q=q)


def _rounds(request: Request, visit: Visit, status: int = 200, wrong: str = "", q: str = "") -> Response:
    every = visit.case.review.rounds.all()
    return page(request, "rounds.html", visit.who, status, visit=visit, rounds=every, wrong=wrong, q=q)


@router.post("/rounds")
def begin(
    request: Request, visit: Managing, name: Text, query: Text = "", size: Text = "50", hours: Text = "8"
) -> Response:
    try:
        asked = shapes.RoundAsked(name=name, query=query, size=int(size), hours=float(hours))
        round_routes.begin_round(visit, asked)
    except (UserError, ValueError) as error:
        told = str(error) if isinstance(error, UserError) else "size and hours are numbers"
        return _rounds(request, visit, 400, told, query)
    return to(f"/cases/{visit.case.number}/rounds")


@router.post("/rounds/{number}/second")
def second(request: Request, visit: Managing, number: Number, count: Text) -> Response:
    try:
        round_routes.begin_second_look(visit, number, shapes.SecondLookAsked(count=int(count)))
    except (UserError, ValueError) as error:
        return _rounds(request, visit, 400, str(error) if isinstance(error, UserError) else "say how many documents")
    return to(f"/cases/{visit.case.number}/rounds")


@router.post("/rounds/{number}/take")
def take(request: Request, visit: Deciding, number: Number) -> Response:
    portion = visit.case.review.rounds.hand_out(number, visit.who.name)
    if not portion.exhibits:
        return _rounds(request, visit, 200, "There is nothing left in it for you: all of it is done, or with others.")
    return to(f"/cases/{visit.case.number}/review?round={number}")


@router.post("/rounds/{number}/give-back")
def give_back(visit: Deciding, number: Number) -> Response:
    round_routes.give_back(visit, number)
    return to(f"/cases/{visit.case.number}/rounds")


@router.post("/rounds/{number}/drop")
def drop(visit: Managing, number: Number) -> Response:
    visit.case.review.rounds.drop(number, visit.who.name)
    return to(f"/cases/{visit.case.number}/rounds")


@router.post("/term-sets")
def terms(request: Request, visit: Deciding, name: Text, colour: Text = "b", terms: Text = "") -> Response:
    set_terms(visit, shapes.TermsAsked.model_validate({"name": name, "colour": colour, "terms": terms}))
    return to(f"/cases/{visit.case.number}/settings")
