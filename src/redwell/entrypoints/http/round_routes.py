"""Rounds of review: documents handed out in portions that nobody else has, and second looks. Below /cases/{case}."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from redwell.core.review.rounds import NewRound, Round
from redwell.entrypoints.http import shapes
from redwell.entrypoints.http.visits import Deciding, Managing, Number, Reading, Visit
from redwell.review.coding import Choice
from redwell.review.rounds import begin, second_look
from redwell.review.searching import Asked

router = APIRouter(tags=["rounds"])


def told(each: Round) -> dict[str, Any]:
    return {**asdict(each), "left": each.left, "agreement": each.agreement}


@router.get("/rounds")
def rounds(visit: Reading) -> dict[str, Any]:
    return {"rounds": [told(each) for each in visit.case.review.rounds.all()]}


@router.post("/rounds", status_code=201)
def make_round(visit: Managing, asked: shapes.RoundAsked) -> dict[str, Any]:
    """Of all that the search finds now; documents that come later are not in it."""
    return told(begin_round(visit, asked))


def begin_round(visit: Visit, asked: shapes.RoundAsked) -> Round:
    new = NewRound(
        name=asked.name, query=asked.query, who=visit.who.name, size=asked.size, lease_s=round(asked.hours * 3600)
    )
    choice = Choice(found=Asked(query=asked.query, tags=tuple(asked.tags)))
    return begin(new, choice, visit.case.reader, visit.case.review)


@router.post("/rounds/{number}/second", status_code=201)
def make_second_look(visit: Managing, number: Number, asked: shapes.SecondLookAsked) -> dict[str, Any]:
    """On so many documents of it, by chance. `agreement` then tells how often the tags stayed as they were."""
    return told(begin_second_look(visit, number, asked))


def begin_second_look(visit: Visit, number: int, asked: shapes.SecondLookAsked) -> Round:
    first = visit.case.review.rounds.one(number)
    name = asked.name or f"Second look: {first.name}"[:80]
    new = NewRound(name=name, query=first.query, who=visit.who.name, second_of=number, seed=asked.seed or 0)
    return second_look(new, asked.count, visit.case.review)


@router.post("/rounds/{number}/portion")
def portion(visit: Deciding, number: Number) -> dict[str, Any]:
    """What you have still, else the next that nobody has; yours until `ends_ms`."""
    return asdict(visit.case.review.rounds.hand_out(number, visit.who.name))


@router.post("/rounds/{number}/documents/{document}/done", status_code=204)
def done(visit: Deciding, number: Number, document: Number) -> None:
    """Looked at. `conflict` where your time was over and somebody else has it."""
    visit.case.review.rounds.finish(number, document, visit.who.name)


@router.post("/rounds/{number}/give-back")
def give_back(visit: Deciding, number: Number) -> dict[str, int]:
    return {"documents": visit.case.review.rounds.give_back(number, visit.who.name)}


@router.delete("/rounds/{number}", status_code=204)
def drop_round(visit: Managing, number: Number) -> None:
    """The decisions stay."""
    visit.case.review.rounds.drop(number, visit.who.name)
