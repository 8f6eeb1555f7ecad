"""What became of items, counted, and the same words as text and as a page."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.case.rows import Exhibit
from redwell.core.outcomes import Outcome
from redwell.core.report.as_html import as_html
from redwell.core.report.as_text import NARROWEST, as_text
from redwell.core.report.became import Became, became
from redwell.core.report.sheet import Line, Pairs, Section, Sheet, Table
from redwell.core.report.tally import Tally


def exhibit(**values: Any) -> Exhibit:
    numbers = dict.fromkeys(("id", "root", "family", "ordinal", "depth", "batch", "recognised", "text_chars"), 0)
    words = dict.fromkeys(("path", "name", "control_number", "family_number", "role", "state", "detail", "source"), "")
    nothing = dict.fromkeys(
        "parent custodian duplicate_of duplicate_number thread inclusive near near_score document sha256 sha1 md5"
        " hash_kind size media_type kind handler outcome pages text ocr".split()
    )
    lists: dict[str, Any] = {name: [] for name in ("custodians", "paths", "problems")}
    rest = {**lists, "uid": b"", "has_members": False, "is_copied": False, "source_dates": {}, "metadata": {}}
    return Exhibit(**{**numbers, **words, **nothing, **rest, **values})


EXHIBITS = st.builds(
    exhibit,
    outcome=st.sampled_from([None, *Outcome]),
    kind=st.sampled_from([None, "archive", "mailbox", "mail", "text"]),
    media_type=st.sampled_from([None, "text/plain", "application/zip"]),
    duplicate_of=st.sampled_from([None, 7]),
    detail=st.sampled_from(["", "a known file: MD5 00 is in list", "excluded"]),
    size=st.one_of(st.none(), st.integers(0, 1 << 50)),
    depth=st.integers(0, 3),
    custodian=st.sampled_from([None, "Ann", "Bob"]),
    source=st.sampled_from(["/a", "/b"]),
)


@given(st.lists(EXHIBITS))
def test_every_way_to_break_the_items_down_adds_up_to_all_of_them_in_items_and_in_bytes(items: list[Exhibit]) -> None:
    tally = Tally()
    for item in items:
        tally.add(item)
    told = tally.for_json()
    whole = {"items": len(items), "bytes": sum(item.size or 0 for item in items)}
    assert {key: told[key] for key in whole} == whole
    for key in whole:
        assert sum(part[key] for part in told["became"].values()) == whole[key]
        assert sum(part[key] for part in told["by_outcome"].values()) == whole[key]
        assert told["loose_files"][key] + told["found_inside"][key] == whole[key]
        for broken in ("by_custodian", "by_type", "by_source"):
            assert sum(line[key] for line in told[broken]) == whole[key]
            assert all(sum(end[key] for end in line["became"].values()) == line[key] for line in told[broken])


@pytest.mark.parametrize(
    ("values", "end"),
    [
        ({"outcome": None}, Became.OPEN),
        ({"outcome": "SUCCESS"}, Became.DOCUMENT),
        ({"outcome": "PARTIAL"}, Became.DOCUMENT),
        ({"outcome": "SUCCESS", "duplicate_of": 3}, Became.DUPLICATE),
        ({"outcome": "SUCCESS", "duplicate_of": 3, "kind": "archive"}, Became.CONTAINER),
        ({"outcome": "PASSWORD_PROTECTED", "duplicate_of": 3, "kind": "archive"}, Became.EXCEPTION),
        ({"outcome": "FILTERED", "detail": "a known file: MD5 0 is in x"}, Became.KNOWN),
        ({"outcome": "FILTERED", "detail": "excluded by *.tmp"}, Became.FILTERED),
        ({"outcome": "CANCELLED"}, Became.CANCELLED),
    ],
)
def test_an_item_became_what_its_outcome_kind_and_content_say(values: dict[str, Any], end: Became) -> None:
    assert became(exhibit(**values)) is end


SHEET = Sheet(
    title="Report: <b>Smith</b>",
    subtitle="made\x1b[31m today",
    sections=[
        Section("Figures", [Table(columns=("Name", "Items"), rows=[("x" * 70 + " y", "1,234")], numbers=1)]),
        Section("Names", [Pairs([("command", "redwell import 'a folder' " * 9)]), Line("a\nline", strong=True)], 2),
    ],
)


@given(st.integers(0, 200))
def test_a_text_is_as_narrow_as_its_terminal_and_holds_no_control_of_it(width: int) -> None:
    lines = as_text(SHEET, width).splitlines()
    assert all(len(line) <= max(width, NARROWEST) for line in lines if "x" * 40 not in line)
    assert all(line.isprintable() for line in lines)
    assert sum(line.count("1,234") for line in lines) == 1


def test_a_page_takes_nothing_for_markup_and_fetches_nothing() -> None:
    page = as_html(SHEET)
    assert "<b>" not in page and "&lt;b&gt;Smith" in page
    assert "default-src 'none'" in page and "<script" not in page and "http://" not in page
