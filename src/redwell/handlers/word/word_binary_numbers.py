"""Numbers that Word shows before the paragraphs of a binary document. Called by documents.word_binary in a child.

A paragraph's formatting is found by where its last character lies in the file.
"""

import re
import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from redwell.handlers.word import word_binary_lists
from redwell.handlers.word.word_lists import Lists, Numbering, Place

_FIB_LISTS, _FIB_PARAGRAPHS = 0x02E2, 0x0102
_PAGE = 512
_RUN_SIZE = 13
_ENDS = re.compile("([\r\x07])")

Stretch = tuple[str, int, int]  # text, where it lies in the file, bytes a character


def numbered(stretches: Iterable[Stretch], body: bytes, table: bytes) -> str:
    """The whole text, each paragraph behind its number; damaged lists cost the numbers alone."""
    stretches = list(stretches)
    try:
        has_lists = len(body) >= _FIB_LISTS + 16 and struct.unpack_from("<I", body, _FIB_LISTS + 4)[0]
        numbers = _Numbers(body, table) if has_lists else None
    except (struct.error, IndexError):
        numbers = None
    if numbers is None:
        return "".join(text for text, _, _ in stretches)
    return "".join(_with_numbers(stretches, numbers))


def _with_numbers(stretches: Iterable[Stretch], numbers: "_Numbers") -> Iterator[str]:
    paragraph: list[str] = []
    for text, at, width in stretches:
        for part in _ENDS.split(text):
            paragraph.append(part)
            if _ENDS.fullmatch(part):
                yield numbers.before(at)
                yield from paragraph
                paragraph.clear()
            at += width * (len(part) + sum(char > "\uffff" for char in part))
    yield from paragraph


class _Numbers:
    def __init__(self, body: bytes, table: bytes) -> None:
        lists = word_binary_lists.lists(body, table)
        self._numbering = Numbering(Lists(lists=lists, styles=word_binary_lists.styles(body, table)))
        runs = sorted(_runs(body, table))
        self._starts = [start for start, _, _ in runs]
        self._places = [(style, place) for _, style, place in runs]

    def before(self, end: int) -> str:
        """What stands before the paragraph whose mark lies here."""
        index = bisect_right(self._starts, end) - 1
        if index < 0:
            return ""
        style, place = self._places[index]
        return self._numbering.label(place, style)


def _runs(body: bytes, table: bytes) -> Iterator[tuple[int, str, Place]]:
    """(start, style, place in a list) of every stretch of the file whose paragraphs are formatted alike."""
    start, size = struct.unpack_from("<II", body, _FIB_PARAGRAPHS)
    count = max(0, (min(size, len(table) - start) - 4) // 8)
    for number in dict.fromkeys(struct.unpack_from(f"<{count}I", table, start + 4 * (count + 1))):
        page = body[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
        if len(page) == _PAGE:
            yield from _page_runs(page)


def _page_runs(page: bytes) -> Iterator[tuple[int, str, Place]]:
    count = page[-1]
    if 4 * (count + 1) + _RUN_SIZE * count > _PAGE:
        return
    for index, start in enumerate(struct.unpack_from(f"<{count}I", page)):
        at = 2 * page[4 * (count + 1) + _RUN_SIZE * index]
        if not at:
            yield start, "0", Place()
            continue
        size, at = (2 * page[at] - 1, at + 1) if page[at] else (2 * page[at + 1], at + 2)
        formatting = page[at : at + size]
        style = str(int.from_bytes(formatting[:2], "little"))
        yield start, style, word_binary_lists.place(formatting[2:])
