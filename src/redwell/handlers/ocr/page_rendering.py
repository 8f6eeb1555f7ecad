"""A page of a PDF as the picture that is read: at its scan's own resolution, or finer than any eye needs.

Called by the handler of PDFs, in the child.
"""

from typing import Any

from redwell.core.errors import TooLarge
from redwell.handlers.structures.pages.page_drawing import Box, shown_place, written

_MOST_PIXELS = 50_000_000
_COARSEST = 60
_ASKEW = 1.0  # points
_NEAR = (0.6, 1.4)  # of the resolution that is wanted: a scan as fine as this is read as it is


def dpi_of(points: tuple[float, float], wanted: int, scanned: float | None = None) -> int:
    """At which a page of this size is read; `scanned` is the resolution of the one picture that it is."""
    dpi = float(wanted)
    if scanned is not None and _NEAR[0] * wanted <= scanned <= _NEAR[1] * wanted:
        dpi = scanned
    area = points[0] * points[1] / 72**2
    most = (_MOST_PIXELS / area) ** 0.5 if area > 0 else 0.0
    if most < _COARSEST:
        raise TooLarge(f"a page of {points[0] / 72:.0f} x {points[1] / 72:.0f} inches is too large to be read")
    return round(min(dpi, most))


def rendered(page: Any, wanted: int) -> tuple[Any, int]:
    """A PIL image in gray of the page as it is shown, forms drawn, and its resolution."""
    dpi = dpi_of(page.get_size(), wanted, _scanned_at(page))
    return page.render(scale=dpi / 72, grayscale=True).to_pil(), dpi


def only_pictures(page: Any, words: Any, picture: Any, boxes: list[Box]) -> Any:
    """The same with white in place of all but the pictures that show text."""
    from PIL import Image

    scale = picture.width / page.get_size()[0]
    left = Image.new("L", picture.size, 255)
    for box in written(page, words, boxes):
        place = tuple(round(at * scale) for at in shown_place(page, box))
        left.paste(picture.crop(place), place[:2])
    return left


def _scanned_at(page: Any) -> float | None:
    """Pixels an inch, where the page is one picture and nothing else; one that lies askew has no rows of its own."""
    from pypdfium2 import PdfiumError, raw

    if raw.FPDFPage_CountObjects(page) != 1:
        return None
    try:
        [item] = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=1)
        left, bottom, right, top = item.get_bounds()
        width, height = item.get_px_size()
        matrix = item.get_matrix()
    except (ValueError, PdfiumError):
        return None
    if min(abs(matrix.a) + abs(matrix.d), abs(matrix.b) + abs(matrix.c)) > _ASKEW:
        return None
    longer = max(right - left, top - bottom)
    return max(width, height) / (longer / 72) if longer > 0 else None
