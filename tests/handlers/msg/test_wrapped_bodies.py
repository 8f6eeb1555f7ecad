"""RTF bodies of Outlook messages: unpacked, and the HTML inside as it was."""

import struct

import pytest
from tests.support.packed_rtf import packed

from redwell.core.errors import InvalidFile
from redwell.handlers.outlook.rtf_compressed import unpacked
from redwell.handlers.outlook.rtf_html import unwrapped

pytestmark = pytest.mark.requirement("A7")

_HEAD = rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}"


def test_a_packed_body_comes_out_byte_for_byte() -> None:
    # the example of MS-OXRTFCP 3.1: runs reach into the preset dictionary
    example = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpacked(example) == (b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n", True)
    long = b"{\\rtf1 " + b"x" * 9_000 + b"}"
    assert unpacked(packed(long)) == (long, True)


def test_a_stored_body_needs_no_unpacking() -> None:
    stored = struct.pack("<II4sI", 30, 8, b"MELA", 0) + b"{\\rtf1 }"
    assert unpacked(stored) == (b"{\\rtf1 }", True)


def test_a_cut_off_body_gives_what_is_left_and_says_so() -> None:
    body = packed(b"{\\rtf1 first words and more of them}")
    assert unpacked(body[:40]) == (b"{\\rtf1 first words an", False)


@pytest.mark.parametrize("stream", [b"", b"short", bytes(4) + struct.pack("<I4sI", 9, b"what", 0)])
def test_what_is_no_packed_body_is_invalid(stream: bytes) -> None:
    with pytest.raises(InvalidFile):
        unpacked(stream)


def test_a_claimed_size_is_no_limit_to_believe_and_no_memory_to_take() -> None:
    body = bytearray(packed(b"{\\rtf1 x}"))
    body[4:8] = struct.pack("<I", 0xFFFFFFFF)
    assert unpacked(bytes(body)) == (b"{\\rtf1 x}", True)


def test_wrapped_html_comes_back_without_what_shows_it_as_rtf() -> None:
    wrapped = (
        _HEAD
        + rb"{\*\htmltag19 <html>}{\*\htmltag2 \par }{\*\htmltag64 <p class=\'22a\'22>}\htmlrtf {\b \htmlrtf0 "
        + rb"Caf\'e9 \lquote in\rquote  \f1 \'cc\'e8\'f0 \htmlrtf }\htmlrtf0 {\*\mhtmltag64 <p>}"
        + rb"{\*\htmltag84 &lt;}\htmlrtf <\htmlrtf0{\*\htmltag72 </p>}\htmlrtf\par\htmlrtf0 {\*\htmltag27 </html>}}"
    )
    body = unwrapped(wrapped)
    assert body.kind == "html"
    assert body.content == '<html>\n<p class="a">Café \u2018in\u2019 Мир &lt;</p></html>'


def test_wrapped_plain_text_and_written_rtf_are_told_apart() -> None:
    text = unwrapped(rb"{\rtf1\ansi\fromtext \fbidi {\fonttbl;}Hello\par" + b"\r\n" + rb"there < you\par }")
    assert (text.kind, text.content) == ("text", "Hello\nthere < you\n")
    written = unwrapped(rb"{\rtf1\ansi {\b Bold} \u1040? words}")
    assert (written.kind, written.content) == ("rtf", "Bold \u0410 words")


def test_bytes_that_are_no_rtf_are_invalid() -> None:
    with pytest.raises(InvalidFile):
        unwrapped(b"plain words")
