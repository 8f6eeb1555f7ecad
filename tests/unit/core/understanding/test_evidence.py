"""Quotes are found again, not believed; what is doubtful is flagged with its reason."""

import json

import pytest

from redwell.adapters.rapidfuzz_quotes.likest import likest
from redwell.core.page_words import PageWords, Word
from redwell.core.understanding.calibration import Decided, band_of, thresholds
from redwell.core.understanding.evidence import Haystack, boxed, proven
from redwell.core.understanding.judging import judged, merged, structured
from redwell.core.understanding.proposals import By, Doubt, Proposal
from redwell.core.understanding.rules import by_rules
from redwell.core.understanding.schemas import read_schema

TEXT = "INVOICE\nInvoice no: INV-7\nDate: 3 April\n 2023\n\fHammers   120.00\nNails   80.50\nTotal due: EUR 200.50\n"
SCHEMA = read_schema(
    json.dumps(
        {
            "title": "invoice",
            "properties": {
                "number": {"format": "identifier", "x-labels": ["invoice no"]},
                "date": {"format": "date"},
                "total": {"format": "money", "x-labels": ["total due"]},
                "buyer": {"format": "party"},
                "lines": {
                    "type": "array",
                    "items": {"properties": {"what": {"type": "string"}, "amount": {"format": "money"}}},
                },
            },
            "required": ["total", "buyer"],
            "x-checks": ["total = sum(lines.amount)"],
        }
    )
)
pytestmark = pytest.mark.requirement("B6")


def said(path: str, value: str, quote: str) -> Proposal:
    field = SCHEMA.field_of(path)
    assert field is not None
    return proven(Proposal(path=path, value=value, quote=quote, by=By.MODEL), field, Haystack(TEXT, likest))


@pytest.mark.parametrize(
    ("path", "value", "quote", "doubts"),
    [
        ("total", "200.50 EUR", "Total due: EUR 200.50", []),
        ("total", "200.50 EUR", "TOTAL  due:\nEUR 200.50", []),
        ("date", "2023-04-03", "3 April 2023", []),
        ("total", "20050.00", "Total due: EUR 200.50", [Doubt.DOES_NOT_FOLLOW]),
        ("date", "2023-04-04", "3 April 2023", [Doubt.DOES_NOT_FOLLOW]),
        ("total", "900.00", "Grand total of everything: 900.00", [Doubt.QUOTE_MISSING]),
        ("total", "200.50", "Total duc: EUR 200.50", [Doubt.QUOTE_UNLIKE]),
        ("total", "200.50", "", [Doubt.NO_QUOTE]),
        ("buyer", "Apex Corporation", "Invoice no: INV-7", [Doubt.DOES_NOT_FOLLOW]),
    ],
)
def test_a_value_stands_only_with_a_quote_it_follows_from(
    path: str, value: str, quote: str, doubts: list[Doubt]
) -> None:
    assert list(said(path, value, quote).doubts) == doubts


def test_a_failed_quote_is_kept_and_a_found_one_has_its_page() -> None:
    assert said("total", "900.00", "Grand total of everything: 900.00").quote.startswith("Grand total")
    place = said("total", "200.50", "Total due: EUR 200.50").place
    assert place and place.page == 2 and TEXT[place.start : place.end] == "Total due: EUR 200.50"


def test_boxes_are_those_of_the_words_and_a_poor_page_is_doubted() -> None:
    words = PageWords(
        width=600,
        height=800,
        words=[
            Word("Total", 0.1, 0.1, 0.2, 0.2),
            Word("due:", 0.2, 0.1, 0.3, 0.2, 0.4),
            Word("EUR", 0.3, 0.1, 0.4, 0.2, 0.4),
        ],
    )
    place = said("total", "200.50", "Total due: EUR 200.50").place
    assert place is not None
    found = boxed(place, "due: EUR", words)
    assert found.boxes == ((0.2, 0.1, 0.3, 0.2), (0.3, 0.1, 0.4, 0.2)) and found.confidence == 0.4
    assert boxed(place, "something else", words).boxes == ()


def test_rules_take_what_stands_behind_labels_and_leave_the_rest() -> None:
    proposals = merged(SCHEMA, by_rules(SCHEMA, TEXT, {}, "text"), [])
    values = {each.path: each.value for each in proposals}
    assert values["number"] == "INV-7" and values["total"] == "200.50 EUR" and values["buyer"] == ""
    assert structured(SCHEMA, values)["lines"] == [
        {"what": "Hammers", "amount": "120.00"},
        {"what": "Nails", "amount": "80.50"},
    ]
    verdict = judged(SCHEMA, proposals, {}, chosen=False)
    doubts = {each.path: each.doubts for each in verdict.proposals}
    assert doubts["buyer"] == (Doubt.NOT_FOUND, Doubt.UNPROVEN) and doubts["total"] == (Doubt.UNPROVEN,)


def test_the_headers_of_a_mail_are_its_parties() -> None:
    mail = read_schema(
        json.dumps({"title": "m", "properties": {"sender": {"format": "party"}, "date": {"format": "date"}}})
    )
    found = by_rules(mail, "see below", {"from": "Ann <a@x>", "date": "2023-04-03T10:00:00Z"}, "mail")
    assert {each.path: each.value for each in found} == {"sender": "Ann <a@x>", "date": "2023-04-03"}


def test_a_failed_check_flags_every_field_that_it_names() -> None:
    wrong = [
        Proposal(path="total", value="900.00"),
        Proposal(path="lines[0].amount", value="120.00"),
        Proposal(path="lines[1].amount", value="80.50"),
    ]
    verdict = judged(SCHEMA, wrong, {}, chosen=False)
    assert verdict.failed_checks == ("total = sum(lines.amount)",)
    assert all(Doubt.CHECK_FAILED in each.doubts for each in verdict.proposals)


@pytest.mark.parametrize(
    ("path", "value", "is_doubted"),
    [
        ("lines[0].what", "Site visit 4 571.93", True),
        ("lines[0].what", "Site visit 4 571,39", True),  # whichever of the two was misread
        ("lines[0].what", "Site visit 571.93.", True),
        ("lines[0].what", "Site visit 4", False),
        ("lines[0].what", "Drill 3.50 mm", False),
        ("lines[0].what", "571.93", True),
        ("buyer", "Apex Ltd 3 April 2023", True),
        ("buyer", "Apex Ltd 200.50 EUR", True),
        ("buyer", "Apex 2000 Ltd", False),
        ("buyer", "Apex 40", False),
    ],
)
def test_words_that_hold_a_neighbours_value_are_doubted(path: str, value: str, is_doubted: bool) -> None:
    others = {"lines[0].amount": "571.93", "total": "200.50", "date": "2023-04-03"}
    proposals = [Proposal(path=path, value=value), *(Proposal(path=each, value=others[each]) for each in others)]
    (verdict, *_) = judged(SCHEMA, proposals, {}, chosen=False).proposals
    assert (Doubt.SWALLOWED in verdict.doubts) is is_doubted


def test_rule_and_model_confirm_or_contradict_each_other() -> None:
    rule = [Proposal(path="total", value="200.50 EUR", score=0.8)]
    (agreed, *_) = merged(SCHEMA, rule, [Proposal(path="total", value="200.50", by=By.MODEL)])
    assert agreed.by is By.BOTH and agreed.score > 0.9 and agreed.value == "200.50 EUR"
    (against, *_) = merged(SCHEMA, rule, [Proposal(path="total", value="2.50", by=By.MODEL)])
    assert Doubt.DISAGREEMENT in against.doubts and against.score < 0.5


def test_a_field_is_trusted_only_after_fifty_decisions_and_from_the_score_that_was_right() -> None:
    some = [Decided("total", 0.97, True)] * 49
    assert thresholds(some) == {}
    kept = thresholds([*some, *[Decided("total", 0.97, True)] * 11, *[Decided("total", 0.5, False)] * 5])
    assert kept["total", band_of(1.0)].score == 0.97
    sure = judged(SCHEMA, [Proposal(path="total", value="1.00", score=0.97)], kept, chosen=False)
    assert not sure.is_flagged
    unsure = judged(SCHEMA, [Proposal(path="total", value="1.00", score=0.5)], kept, chosen=False)
    assert unsure.proposals[0].doubts == (Doubt.BELOW_THRESHOLD,)
    sampled = judged(SCHEMA, [Proposal(path="total", value="1.00", score=0.97)], kept, chosen=True)
    assert sampled.proposals[0].doubts == (Doubt.SAMPLE,)


def test_words_are_taken_only_behind_a_colon_or_below_a_label() -> None:
    contract = read_schema(json.dumps({"title": "c", "properties": {"supplier": {"format": "party"}}}))
    assert by_rules(contract, "between Acme and the Supplier of tools\n", {}, "text") == []
    assert by_rules(contract, "Supplier: Acme Ltd\n", {}, "text")[0].value == "Acme Ltd"
    assert by_rules(contract, "Supplier\nAcme Ltd\n", {}, "text")[0].value == "Acme Ltd"


def test_two_columns_side_by_side_are_not_one_number_without_a_doubt() -> None:
    row = by_rules(SCHEMA, "Pump housing 3 120.00\n", {}, "text")
    amount = next(each for each in row if each.path == "lines[0].amount")
    field = SCHEMA.field_of(amount.path)
    assert amount.value == "120.00" and field is not None
    assert Doubt.AMBIGUOUS in proven(amount, field, Haystack("Pump housing 3 120.00\n", likest)).doubts
