"""Words written from right to left, whose letters pdfium may give backwards. Called by the PDF handler in a child.

It takes letters for stored from left to right, as most writers store them, and turns them round. Where a writer
stored them in reading order, their places on the page show it: a later letter must stand further left.
"""

import re
from typing import Any

# Hebrew, Arabic and their kin, with the shapes that old writers use; digits are written from left to right
_WORD = re.compile("[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]{2,}")
_THINNEST = 0.01


def in_reading_order(text: str, page: Any) -> str:
    """The text of pdfium's text page with the words turned that run to the right."""
    if not _WORD.search(text) or page.count_chars() != len(text):
        return text
    return _WORD.sub(lambda word: word[0][::-1] if _runs_right(word, page) else word[0], text)


def _runs_right(word: re.Match[str], page: Any) -> bool:
    boxes = [page.get_charbox(index) for index in range(*word.span())]
    lefts = [left for left, _, right, _ in boxes if right - left > _THINNEST]  # accents may have no width
    return len(lefts) > 1 and lefts[-1] > lefts[0]
