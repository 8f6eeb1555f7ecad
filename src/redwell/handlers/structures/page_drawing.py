"""What a page of a PDF draws, as far as it matters to whether its text is all. Asks pdfium; called in a child."""

from itertools import islice
from typing import Any

from redwell.handlers.structures.text_layer import Drawn, Lack, lack_of, may_lack

_MOST_OBJECTS = 5_000
_DEEPEST = 4
_SAMPLED = 100
_HIDDEN = 3  # a text rendering mode of PDF: neither filled nor stroked

_Box = tuple[float, float, float, float]


def page_lack(page: Any, words: Any, text: str) -> Lack | None:
    """Of a pdfium page, its text page, and the text that was read of it."""
    drawn = _drawn(page) if may_lack(text) else Drawn()
    return lack_of(text, drawn, _unmapped(words))


def _unmapped(words: Any) -> float:
    from pypdfium2 import raw

    step = max(1, words.count_chars() // _SAMPLED)
    sample = range(0, words.count_chars(), step)
    unmapped = [at for at in sample if raw.FPDFText_HasUnicodeMapError(words, at) == 1]
    return len(unmapped) / max(1, len(sample))


def _drawn(page: Any) -> Drawn:
    """Pictures in a form count as far as the form reaches: places inside of it are its own."""
    from pypdfium2 import PdfiumError, raw

    frame = page.get_bbox()
    pictures, outlines, texts, hidden = 0.0, 0, 0, 0
    try:
        for item in islice(page.get_objects(max_depth=1), _MOST_OBJECTS):
            if item.type == raw.FPDF_PAGEOBJ_TEXT:
                texts += 1
                hidden += raw.FPDFTextObj_GetTextRenderMode(item) == _HIDDEN
            elif item.type == raw.FPDF_PAGEOBJ_PATH:
                outlines += 1
            elif item.type == raw.FPDF_PAGEOBJ_IMAGE or _has_picture(page, item):
                pictures += _share(item.get_bounds(), frame)
    except PdfiumError:
        pass  # what was seen before the damage counts
    return Drawn(min(pictures, 1.0), outlines, texts, hidden)


def _has_picture(page: Any, item: Any) -> bool:
    from pypdfium2 import raw

    if item.type != raw.FPDF_PAGEOBJ_FORM:
        return False
    inside = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST, form=item, level=1)
    return next(iter(inside), None) is not None


def _share(box: _Box, frame: _Box) -> float:
    left, bottom, right, top = box
    width = min(right, frame[2]) - max(left, frame[0])
    height = min(top, frame[3]) - max(bottom, frame[1])
    whole = (frame[2] - frame[0]) * (frame[3] - frame[1])
    return max(0.0, width) * max(0.0, height) / whole if whole > 0 else 0.0
