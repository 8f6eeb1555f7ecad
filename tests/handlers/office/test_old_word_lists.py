"""Numbers of lists in Word 97-2003 documents, which are formatting there and no text."""

import struct
from pathlib import Path

import pytest
from tests.support.pieces import read

from redwell.handlers.structures.compound_writer import Storage, write
from redwell.handlers.word import word

pytestmark = pytest.mark.requirement("A7")

_HEADER = 0x400
_NO_STYLE = 0x0FFF


def _level(text: str, kind: int = 0, *, start: int = 1, flags: int = 0, follows: int = 0, limit: int = 0) -> bytes:
    """`text` has the number of level n at the character n."""
    fixed = struct.pack("<iBB9sBiiBBBB", start, kind, flags, bytes(9), follows, 0, 0, 0, 3, limit, 0)
    return fixed + b"\x0a\x26\x00" + struct.pack("<H", len(text)) + text.encode("utf-16-le")


def _lists(*lists: list[bytes], styles: dict[int, int] | None = None) -> tuple[bytes, bytes]:
    """The lists, of one level or nine, and behind them the levels; `styles` stand for levels of the first."""
    heads, levels = struct.pack("<H", len(lists)), b""
    for key, each in enumerate(lists):
        named = [(styles or {}).get(level, _NO_STYLE) if key == 0 else _NO_STYLE for level in range(9)]
        heads += struct.pack("<ii9HBB", key, 0, *named, len(each) == 1, 0)
        levels += b"".join(each)
    return heads, levels


def _overrides(*of_lists: tuple[int, list[bytes]]) -> bytes:
    heads = b"".join(struct.pack("<iIIBBBB", key, 0, 0, len(changes), 0, 0, 0) for key, changes in of_lists)
    return struct.pack("<I", len(of_lists)) + heads + b"".join(bytes(4) + b"".join(changes) for _, changes in of_lists)


def _style(name: str, formatting: bytes, base: int = _NO_STYLE) -> bytes:
    fixed = struct.pack("<HHHHH", 0, 1 | base << 4, 2, 0, 0) + struct.pack("<H", len(name)) + name.encode("utf-16-le")
    described = fixed + bytes(2) + struct.pack("<HH", 2 + len(formatting), 0) + formatting
    return struct.pack("<H", len(described)) + described


def _in_list(number: int, level: int | None = 0) -> bytes:
    named = struct.pack("<HH", 0x460B, number)
    return named if level is None else struct.pack("<HB", 0x260A, level) + named


def _page(starts: list[int], formats: list[tuple[int, bytes]]) -> bytes:
    """Where paragraphs begin in the file, then for each its style and formatting."""
    page = bytearray(512)
    struct.pack_into(f"<{len(starts)}I", page, 0, *starts)
    page[-1] = len(formats)
    at = 510
    for index, (style, formatting) in enumerate(formats):
        raw = struct.pack("<H", style) + formatting
        raw = bytes([len(raw) // 2 + 1]) + raw if len(raw) % 2 else bytes([0, len(raw) // 2]) + raw
        at = (at - len(raw)) & ~1
        page[at : at + len(raw)] = raw
        page[4 * len(starts) + 13 * index] = at // 2
    return bytes(page)


def _doc(
    paragraphs: list[tuple[str, int, bytes]], lists: tuple[bytes, bytes], overrides: bytes, *styles: bytes
) -> bytes:
    """Paragraphs as (text with its mark, style, formatting)."""
    header = bytearray(_HEADER)
    struct.pack_into("<HH", header, 0, 0xA5EC, 0xC1)
    text = "".join(words for words, _, _ in paragraphs).encode("utf-16-le")
    starts = [_HEADER]
    for words, _, _ in paragraphs:
        starts.append(starts[-1] + len(words.encode("utf-16-le")))
    body_size = (_HEADER + len(text) + 511) // 512 * 512
    pieces = struct.pack("<II", 0, len(text) // 2) + struct.pack("<HIH", 0, _HEADER, 0)
    sheet = struct.pack("<HHH", 4, len(styles), 10) + b"".join(styles)
    pages = struct.pack("<III", _HEADER, starts[-1], body_size // 512)
    table = b""
    for place, part, size in (
        (0x01A2, b"\x02" + struct.pack("<I", len(pieces)) + pieces, None),
        (0xA2, sheet, None),
        (0x0102, pages, None),
        (0x02E2, b"".join(lists), len(lists[0])),
        (0x02EA, overrides, None),
    ):
        struct.pack_into("<II", header, place, len(table), len(part) if size is None else size)
        table += part
    body = (bytes(header) + text).ljust(body_size, b"\0")
    body += _page(starts, [(style, formatting) for _, style, formatting in paragraphs])
    return write(Storage(streams={"WordDocument": body, "0Table": table}))


def test_paragraphs_of_an_old_document_are_numbered_level_by_level(tmp_path: Path) -> None:
    levels = [_level("\0."), _level("\0.\1", 4), *[_level("") for _ in range(7)]]
    names = [("One\r", 0), ("𐌲𐌿 sub\r", 1), ("Sub\r", 1), ("Two\r", 0), ("Cell\7", 1)]
    paragraphs = [(words, 0, _in_list(1, level)) for words, level in names]
    data = _doc([*paragraphs, ("End\r", 0, b"")], _lists(levels), _overrides((0, [])))
    assert read(word, data, tmp_path).text.replace("\t", "\n").splitlines() == [
        *("1. One", "1.a 𐌲𐌿 sub", "1.b Sub", "2. Two", "2.a Cell", "End")
    ]


def test_styles_of_an_old_document_number_its_headings(tmp_path: Path) -> None:
    levels = [_level("Article \0", 1, follows=1), _level("\0.\1", flags=0x04), *[_level("") for _ in range(7)]]
    styles = _style("Normal", b""), _style("H1", _in_list(1)), _style("H2", _in_list(1, None), base=1)
    formats = [("Lease\r", 1, b""), ("Rent\r", 1, b""), ("Due\r", 2, _in_list(1, 1)), ("Annex\r", 1, _in_list(0, None))]
    data = _doc(formats, _lists(levels, styles={1: 2}), _overrides((0, [])), *styles)
    assert read(word, data, tmp_path).text.splitlines() == ["Article I Lease", "Article II Rent", "2.1 Due", "Annex"]


def test_an_override_begins_a_list_anew_or_gives_it_another_look(tmp_path: Path) -> None:
    begins = struct.pack("<iI", 5, 0x10)
    looks = struct.pack("<iI", 0, 0x30) + _level("(\0)", 3, start=2)
    overrides = _overrides((0, []), (0, [begins]), (0, [looks]))
    paragraphs = [(f"{number}\r", 0, _in_list(number)) for number in (1, 1, 2, 2, 3)]
    text = read(word, _doc(paragraphs, _lists([_level("\0)")]), overrides), tmp_path).text
    assert text.splitlines() == ["1) 1", "2) 1", "5) 2", "6) 2", "(B) 3"]


@pytest.mark.parametrize("cut", [1, 40, 90])
def test_damaged_lists_of_an_old_document_cost_no_word(cut: int, tmp_path: Path) -> None:
    heads, levels = _lists([_level("\0)")])
    data = _doc([("word\r", 0, _in_list(1))], (heads, levels[:-cut]), b"")
    assert read(word, data, tmp_path).text == "word\n"
