"""Order, numbers and treatment of what goes out; what stands against it."""

from typing import Any

import pytest

from redwell.core.case.native_bytes import native_md5, native_name, native_sha256, native_size
from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.production.columns import numbers_of
from redwell.core.production.conflicts import Standing, blocking, conflicts
from redwell.core.production.redactions import Redaction
from redwell.core.production.selection import closed_above, in_order, members_of
from redwell.core.production.values import Terms, Treatment, checked_terms, page_numbers

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TERMS = Terms(prefix="ABC", withhold=["Privileged"], forbid=["Hot"])


def exhibit(key: int, root: int | None = None, parent: int | None = None, **more: Any) -> Exhibit:
    known: dict[str, Any] = dict.fromkeys(Exhibit.__struct_fields__)
    known |= {
        "id": key,
        "root": root or key,
        "family": root or key,
        "parent": parent,
        "path": f"p{key}",
        "name": f"n{key}",
        "control_number": f"RW{key:04d}",
        "problems": [],
        "custodians": [],
        "metadata": {},
        "source_dates": {},
        "outcome": "SUCCESS",
        "sha256": bytes([key]) * 32,
    }
    return Exhibit(**{**known, **more})


MAIL = [
    exhibit(1, kind="mail", metadata={"date": "2020-05-01T00:00:00Z"}),
    exhibit(2, 1, 1, media_type="application/pdf"),
    exhibit(3, 1, 2, media_type=XLSX, kind="spreadsheet"),
]


def test_families_go_by_the_date_of_their_head_and_containers_are_no_documents() -> None:
    older = exhibit(9, metadata={"date": "2019-01-01T00:00:00Z"})
    chosen = in_order([*MAIL, exhibit(4, kind="archive"), older, exhibit(5, outcome="FILTERED"), exhibit(6)])
    assert [each.id for each in chosen.exhibits] == [9, 1, 2, 3, 6]
    assert chosen.left_out == {"container": 1, "filtered": 1}


def test_mails_of_one_store_are_families_of_their_own() -> None:
    mails = [exhibit(key, 1, 1, kind="mail", family=key, metadata={"date": f"20{30 - key}"}) for key in (2, 3)]
    chosen = in_order([exhibit(1, kind="mailbox"), *mails])
    assert [(each.exhibit, each.family, each.parent) for each in members_of(chosen.exhibits, TERMS, {}, {})][-2:] == [
        (3, 3, None),
        (2, 2, None),
    ]


def test_a_record_is_the_native_that_came_with_it() -> None:
    native = {"native_sha256": "ab" * 32, "native_size": 7, "native_path": "NATIVES/A1.msg", "stated_md5": "cd"}
    record = exhibit(7, role="record", name="A1", metadata=native, size=900)
    bare = exhibit(8, role="record", name="A2")
    assert (native_sha256(record), native_size(record), native_name(record)) == (b"\xab" * 32, 7, "A1.msg")
    assert (native_sha256(bare), native_size(bare), native_md5(record)) == (None, None, "cd")
    alike = [record, exhibit(9, sha256=b"\xab" * 32)]
    boxes = {7: [Redaction(exhibit=7, page=1, left=0, top=0, right=1, bottom=1)]}
    members = members_of(alike, TERMS, {}, {7: 1, 9: 1})
    [found] = conflicts(standing(members=members, exhibits={each.id: each for each in alike}, redactions=boxes))
    assert (found.code, found.control) == ("copy-differs", "RW0009")


def test_numbers_follow_pages_or_documents() -> None:
    pages = {1: 2, 2: 3}
    by_page = members_of(MAIL, Terms(prefix="ABC", start=10), {}, pages)
    assert [(each.first, each.pages, each.treatment) for each in by_page] == [
        (10, 2, Treatment.PRODUCED),
        (12, 3, Treatment.PRODUCED),
        (15, 1, Treatment.NATIVE),
    ]
    hidden = members_of(MAIL, Terms(prefix="ABC"), {}, {**pages, 3: 4}, redacted={3})
    assert (hidden[2].treatment, hidden[2].pages) == (Treatment.PRODUCED, 4)
    terms = Terms(prefix="ABC", by="document", natives="none")
    by_document = members_of(MAIL, terms, {2: "Privileged"}, pages)
    assert [(each.first, each.treatment) for each in by_document] == [
        (1, Treatment.PRODUCED),
        (2, Treatment.WITHHELD),
        (3, Treatment.NO_RENDITION),
    ]
    assert page_numbers(terms, by_document[0]) == ["ABC000001", "ABC000001_0002"]


def test_every_member_of_a_family_names_its_range_and_its_parent() -> None:
    told = numbers_of(TERMS, members_of(MAIL, TERMS, {}, {1: 2, 2: 3}))
    assert {each["begattach"] + each["endattach"] for each in told.values()} == {"ABC000001ABC000006"}
    assert [told[key]["parentid"] for key in (1, 2, 3)] == ["", "ABC000001", "ABC000003"]
    assert told[1]["attachids"] == "ABC000003"


def test_what_hides_something_inside_of_it_does_not_go_out_as_it_is() -> None:
    members = members_of(MAIL, TERMS, {}, {1: 1, 2: 1})
    assert closed_above(members, {3}) == {1, 2, 3}
    assert closed_above(members, {1}) == {1}


def standing(**more: Any) -> Standing:
    copy = exhibit(8, sha256=bytes([2]) * 32)
    everything = [*MAIL, copy]
    known: dict[str, Any] = {
        "terms": TERMS,
        "members": members_of(everything, TERMS, {}, {1: 1, 2: 1, 8: 1}),
        "exhibits": {each.id: each for each in everything},
        "tags": {},
        "redactions": {},
        "missing": {},
    }
    return Standing(**{**known, **more})


@pytest.mark.parametrize(
    ("more", "code", "control"),
    [
        ({"tags": {2: ["hot"]}}, "forbidden-tag", "RW0002"),
        ({"tags": {3: ["Privileged"]}}, "withheld-since", "RW0003"),
        ({"missing": {1: 2}}, "family-incomplete", "RW0001"),
        (
            {"redactions": {2: [Redaction(exhibit=2, page=1, left=0, top=0, right=1, bottom=1)]}},
            "copy-differs",
            "RW0008",
        ),
        (
            {"redactions": {1: [Redaction(exhibit=1, page=5, left=0, top=0, right=1, bottom=1)]}},
            "redaction-lost",
            "RW0001",
        ),
    ],
)
def test_each_conflict_is_told_and_may_be_accepted(more: dict[str, Any], code: str, control: str) -> None:
    [found] = conflicts(standing(**more))
    assert (found.code, found.control) == (code, control)
    assert blocking([found], []) == [found]
    assert blocking([found], [code]) == blocking([found], [control]) == []


def test_nothing_stands_against_a_set_without_conflicts() -> None:
    assert list(conflicts(standing())) == []


@pytest.mark.parametrize("prefix", ["", "ABC1", "-A", "A/B", "A" * 31])
def test_a_prefix_that_can_not_be_told_from_its_numbers_is_refused(prefix: str) -> None:
    with pytest.raises(UserError):
        checked_terms(Terms(prefix=prefix))
