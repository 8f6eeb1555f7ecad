"""What a page of a PDF draws, as far as it matters to whether its text is all. Asks pdfium; called in a child."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from redwell.handlers.structures.pages.page_likeness import look_at, looks_like_page
from redwell.handlers.structures.pages.text_layer import Drawn, Lack, is_sparse, lack_of

_MOST_OBJECTS, _MOST_BESIDE_TEXT = 2_000, 200
_DEEPEST = 4
_SAMPLED = 100
_HIDDEN = 3  # a text rendering mode of PDF: neither filled nor stroked
_LEAST_SHARE = 0.1  # of the page, of a picture that may hold text
_LOOKS = 20  # of a document, at pictures beside text
_OVER_PICTURE = 30  # characters of the page's own text that stand on a picture of text
_LOOK_DPI, _LOOK_PIXELS = 96, 4_000_000


class Box(NamedTuple):
    """In points of the page's own space: its lower left and its upper right corner."""

    left: float
    bottom: float
    right: float
    top: float


class PageJudge:
    """Says of the pages of one document why each has to be read as a picture."""

    def __init__(self) -> None:
        self._looks = _LOOKS

    def lack(self, page: Any, words: Any, text: str) -> Lack | None:
        """Of a pdfium page, its text page, and the text that was read of it."""
        drawn, pictures = _drawn(page, _MOST_OBJECTS if is_sparse(text) else _MOST_BESIDE_TEXT)
        lack = lack_of(text, drawn, _unmapped(words))
        if lack is None and text.strip() and not drawn.hidden_texts and pictures and self._looks:
            self._looks -= 1
            return Lack.PICTURES if written(page, words, pictures) else None
        return lack


def written(page: Any, words: Any, pictures: list[Box]) -> list[Box]:
    """Those of the pictures that show text, and do not only lie behind it."""
    pictures = [box for box in pictures if len(words.get_text_bounded(*box).strip()) < _OVER_PICTURE]
    if not pictures:
        return []
    width, height = page.get_size()
    scale = _LOOK_DPI / 72
    if not 0 < width * height * scale * scale < _LOOK_PIXELS:
        return []
    shown = page.render(scale=scale, grayscale=True, may_draw_forms=False).to_pil()
    found = []
    for box in pictures:
        place = tuple(round(at * scale) for at in shown_place(page, box))
        if min(place[2] - place[0], place[3] - place[1]) > _LOOK_DPI // 2 and looks_like_page(
            look_at(shown.crop(place))
        ):
            found.append(box)
    return found


def pictures_of(page: Any) -> list[Box]:
    """Where the page has pictures that may hold text."""
    return _drawn(page, _MOST_BESIDE_TEXT)[1]


def shown_place(page: Any, box: Box) -> tuple[float, float, float, float]:
    """Left, top, right and bottom in points of the page as it is shown: cut and turned."""
    (left, bottom, right, top), turn = page.get_bbox(), page.get_rotation() // 90 % 4
    corners = [
        ((x - left, top - y), (y - bottom, x - left), (right - x, y - bottom), (top - y, right - x))[turn]
        for x, y in ((box.left, box.bottom), (box.right, box.top))
    ]
    across, down = sorted(x for x, _ in corners), sorted(y for _, y in corners)
    return across[0], down[0], across[1], down[1]


def _unmapped(words: Any) -> float:
    from pypdfium2 import raw

    chars, has_error, plain = words.count_chars(), raw.FPDFText_HasUnicodeMapError, words.raw
    sample = range(0, chars, max(1, chars // _SAMPLED))
    unmapped = [at for at in sample if has_error(plain, at) == 1]
    return len(unmapped) / max(1, len(sample))


def _drawn(page: Any, most: int) -> tuple[Drawn, list[Box]]:
    """Pictures in a form count as far as the form reaches: places inside of it are its own."""
    from pypdfium2 import raw

    frame = Box(*page.get_bbox())
    shares, outlines, texts, hidden = 0.0, 0, 0, 0
    pictures: list[Box] = []
    for item, kind in _objects(page, most):
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            texts += 1
            hidden += texts <= _SAMPLED and raw.FPDFTextObj_GetTextRenderMode(item) == _HIDDEN
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            outlines += 1
        elif kind == raw.FPDF_PAGEOBJ_IMAGE or (kind == raw.FPDF_PAGEOBJ_FORM and _has_picture(item)):
            box = _within(_bounds(item), frame)
            shares += (share := _share(box, frame))
            if share >= _LEAST_SHARE and kind == raw.FPDF_PAGEOBJ_IMAGE:
                pictures.append(box)
    return Drawn(min(shares, 1.0), outlines, texts, hidden), pictures


def _objects(page: Any, most: int) -> Iterator[tuple[Any, int]]:
    """Without pypdfium2's own objects around them, nor around the page: a page may have thousands."""
    from pypdfium2 import raw

    plain, object_at, type_of = page.raw, raw.FPDFPage_GetObject, raw.FPDFPageObj_GetType
    for index in range(min(raw.FPDFPage_CountObjects(plain), most)):
        if item := object_at(plain, index):
            yield item, type_of(item)


def _has_picture(form: Any, depth: int = 0) -> bool:
    from pypdfium2 import raw

    for index in range(min(raw.FPDFFormObj_CountObjects(form), _MOST_OBJECTS // 10)):
        item = raw.FPDFFormObj_GetObject(form, index)
        kind = raw.FPDFPageObj_GetType(item) if item else raw.FPDF_PAGEOBJ_UNKNOWN
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            return True
        if kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST and _has_picture(item, depth + 1):
            return True
    return False


def _bounds(item: Any) -> Box:
    from ctypes import c_float

    from pypdfium2 import raw

    sides = [c_float() for _ in range(4)]
    raw.FPDFPageObj_GetBounds(item, *sides)
    return Box(*(side.value for side in sides))


def _within(box: Box, frame: Box) -> Box:
    left, bottom = max(box.left, frame.left), max(box.bottom, frame.bottom)
    return Box(left, bottom, max(left, min(box.right, frame.right)), max(bottom, min(box.top, frame.top)))


def _share(box: Box, frame: Box) -> float:
    whole = (frame.right - frame.left) * (frame.top - frame.bottom)
    return (box.right - box.left) * (box.top - box.bottom) / whole if whole > 0 else 0.0
