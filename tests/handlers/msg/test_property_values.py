"""Values of MAPI properties: dates that are none, and text in the message's own code page."""

import struct
from datetime import UTC, datetime

import pytest

from redwell.handlers.outlook.mapi import BINARY, BOOLEAN, DOUBLE, LONG, STRING8, TIME, UNICODE, Properties

pytestmark = pytest.mark.requirement("A7")


def _ticks(when: datetime) -> bytes:
    return struct.pack("<Q", int((when - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000)


@pytest.mark.parametrize(
    ("number", "page", "text"),
    [
        (0x3FFD, 932, "契約書ソ"),
        (0x3FFD, 1251, "Договор купли"),
        (0x3FDE, 28592, "zażółć gęślą"),
        (0x3FFD, 950, "合約"),
        (0x3FF1, 0x0411, "契約書"),
        (0x3FF1, 0x0405, "Příliš žluťoučký"),
    ],
)
def test_text_is_read_in_the_code_page_that_the_message_names(number: int, page: int, text: str) -> None:
    codecs = {28592: "iso8859-2", 0x411: "cp932", 0x405: "cp1250"}
    properties = Properties()
    properties.put(number, LONG, [struct.pack("<i", page)])
    properties.put(0x37, STRING8, [text.encode(codecs.get(page, f"cp{page}")) + b"\0"])
    assert properties.text(0x37) == text
    recipient = Properties(properties.encoding)
    recipient.put(0x3001, STRING8, [text.encode(codecs.get(page, f"cp{page}"))])
    assert recipient.text(0x3001) == text


def test_unicode_stays_whichever_comes_first() -> None:
    both = [(STRING8, b"?"), (UNICODE, "契".encode("utf-16-le"))]
    for order in (both, both[::-1]):
        properties = Properties()
        for kind, raw in order:
            properties.put(0x37, kind, [raw])
        assert properties.text(0x37) == "契"


def test_a_date_that_means_none_is_none() -> None:
    properties = Properties()
    never = datetime(4501, 1, 1, tzinfo=UTC)
    for number, raw in enumerate((bytes(8), b"\xff" * 8, _ticks(never), b"\x01", struct.pack("<Q", 1))):
        properties.put(number, TIME, [raw])
        assert properties.moment(number) == ""
    properties.put(9, TIME, [_ticks(datetime(2024, 2, 29, 23, 59, 58, tzinfo=UTC))])
    assert properties.moment(0, 1, 9) == "2024-02-29T23:59:58Z"


def test_values_of_another_kind_or_cut_off_are_as_if_missing() -> None:
    properties = Properties()
    properties.put(1, LONG, [b"\1"])
    properties.put(2, BINARY, [b"\1\0\0\0"])
    properties.put(3, BOOLEAN, [b"\1\0"])
    properties.put(4, DOUBLE, [struct.pack("<d", 0.5)])
    assert [properties.integer(number) for number in (1, 2, 3, 4, 5)] == [None] * 5
    assert (properties.flag(3), properties.flag(2), properties.number(4), properties.text(2)) == (True, False, 0.5, "")


def test_named_properties_are_found_by_set_and_name() -> None:
    properties = Properties()
    properties.name("00062002-0000-0000-C000-000000000046", 0x820D, 0x8005)
    assert properties.named("00062002-0000-0000-c000-000000000046", 0x820D) == 0x8005
    assert properties.named("00062002-0000-0000-c000-000000000046", "x") == 0
