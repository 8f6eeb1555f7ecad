"""Schemas, checks across fields, and which document gets which schema."""

import json

import pytest

from redwell.core.errors import UserError
from redwell.core.understanding.choosing import Described, by_rule, by_words
from redwell.core.understanding.schemas import DataSchema, read_schema

INVOICE = {
    "title": "Invoice",
    "properties": {
        "net": {"format": "money"},
        "tax": {"format": "money"},
        "total": {"format": "money"},
        "date": {"format": "date"},
        "due": {"format": "date"},
        "lines": {"type": "array", "items": {"properties": {"amount": {"format": "money"}}}},
    },
    "required": ["total"],
    "x-checks": ["total = net + tax", "net = sum(lines.amount)", "due >= date"],
}


def schema(**changes: object) -> DataSchema:
    return read_schema(json.dumps({**INVOICE, **changes}))


@pytest.mark.parametrize(
    ("values", "held"),
    [
        ({"net": "100.00 EUR", "tax": "19.00", "total": "119.00 EUR"}, [True, None, None]),
        ({"net": "100.00", "tax": "19.00", "total": "118.00"}, [False, None, None]),
        ({"net": "100.00", "lines.amount": ["60.00", "40.00"]}, [None, True, None]),
        ({"net": "100.00", "lines.amount": ["60.00", "41.00"]}, [None, False, None]),
        ({"date": "2023-04-03", "due": "2023-04-02"}, [None, None, False]),
        ({"date": "2023-04-03", "due": "2023-04-03"}, [None, None, True]),
    ],
)
def test_checks_hold_fail_or_say_nothing(values: dict[str, str | list[str]], held: list[bool | None]) -> None:
    assert [check.holds(values) for check in schema().checks] == held


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"x-checks": ["total = nett"]}, "'nett', which is no field"),
        ({"x-checks": ["total is net"]}, "cannot be read"),
        ({"properties": {"a": {"format": "colour"}}}, "no format"),
        ({"properties": {}}, "properties"),
        ({"x-for": {"colour": "red"}}, "x-for names"),
        ({"title": "none"}, "no name of a schema"),
    ],
)
def test_what_is_wrong_with_a_schema_is_said(changes: dict[str, object], said: str) -> None:
    with pytest.raises(UserError, match=said):
        schema(**changes)


def described(**facts: str) -> Described:
    return Described(**{"exhibit": 7, "path": "in/x.pdf", "kind": "pdf", "media_type": "application/pdf", **facts})  # type: ignore[arg-type]


def test_a_rule_names_type_folder_tag_or_query_and_each_part_has_to_fit() -> None:
    ruled = schema(**{"x-for": {"folder": "Invoices/*", "type": "pdf"}})
    found = schema(**{"x-for": {"query": "from:acme"}})
    assert by_rule([ruled], described(path="invoices/2023/a.pdf"), {}) == ruled
    assert by_rule([ruled], described(path="invoices/2023/a.txt", kind="text"), {}) is None
    assert by_rule([ruled, found], described(), {"from:acme": {7}}) == found
    assert by_rule([schema()], described(), {}) is None, "a schema that says nothing of its documents takes none"


def test_words_choose_only_where_one_schema_fits() -> None:
    invoice, letter = schema(**{"x-words": ["invoice"]}), schema(title="letter", **{"x-words": ["dear"]})
    assert by_words([invoice, letter], "INVOICE 12") == invoice
    assert by_words([invoice, letter], "Dear Bo, the invoice") is None
    assert by_words([invoice, letter], "minutes of the meeting") is None
