"""The text of a page as its reader reads it, out of pdfium's. Called by the PDF handler and page images, in a child."""

import re
from typing import Any

from redwell.handlers.pdf.pdf_bidi import in_reading_order

# letters below one another, each put on its place by itself, are a column and not lines of one letter
_COLUMN = re.compile("(?m)(?:^[\u3041-\u30ff\u3400-\u9fff][\u3000-\u303f\uff00-\uff0f]{0,3}\n){4,}")
# pdfium writes a hyphen at a line's end as a mark of its own, and marks what has no character
_MARKS = {0x02: "-", 0xFFFE: "-", 0x00: None, 0xFFFF: None}


def text_of(words: Any) -> str:
    """Of pdfium's text page."""
    text = in_reading_order(words.get_text_range(), words).translate(_MARKS)
    return _COLUMN.sub(_joined, text.replace("\r\n", "\n"))


def _joined(column: re.Match[str]) -> str:
    return column[0].replace("\n", "") + "\n"
