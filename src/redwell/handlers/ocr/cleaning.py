"""Makes a bad picture of a page fit to be read, and tells how its points have moved. Runs OpenCV, in the child.

None of this is done to a page that reads well: on a good picture each step costs more than it gives.
"""

from typing import Any

from redwell.handlers.ocr.box_places import Affine, turned

_READABLE_DPI = 300
_LARGEST = 24_000_000  # pixels that a picture is made larger to
_MOST_SKEW = 12.0  # degrees
_LEAST_SKEW = 0.3
_SOFTNESS = 0.7  # pixels of the picture that was given
_PAPER = 51  # pixels: wider than any stroke


PLAINLY, STRONGLY, SOFTLY = 1, 2, 3


def cleaned(picture: Any, dpi: int, degrees: int = 0, strength: int = PLAINLY) -> tuple[Any, Affine]:
    """A PIL image in gray, upright, larger, straight, on an even ground.

    STRONGLY: also without specks and sharper. SOFTLY: the noise of deep shadow is smoothed before its light is raised.
    `degrees` is how far the page is turned clockwise.
    """
    import cv2
    from PIL import Image

    cv2.setNumThreads(1)  # the pool of children is what uses the cores
    page, done = _upright(picture, degrees)
    given = page.shape[1]
    page, done = _larger(page, done, dpi)
    if strength == STRONGLY:
        page = cv2.medianBlur(page, 3)
    elif strength == SOFTLY:
        page = cv2.GaussianBlur(page, (0, 0), _SOFTNESS * page.shape[1] / given)
    page = _even(page)
    page, done = _straight(page, done)
    if strength == STRONGLY:
        soft = cv2.GaussianBlur(page, (0, 0), 3)
        page = cv2.addWeighted(page, 1.8, soft, -0.8, 0)
    return Image.fromarray(page), done


def _upright(picture: Any, degrees: int) -> tuple[Any, Affine]:
    import cv2
    import numpy

    page = numpy.asarray(picture.convert("L"))
    back = {90: cv2.ROTATE_90_COUNTERCLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_CLOCKWISE}.get(degrees % 360)
    done = turned(-degrees, picture.width, picture.height)
    return (page if back is None else cv2.rotate(page, back)), done


def _larger(page: Any, done: Affine, dpi: int) -> tuple[Any, Affine]:
    """Letters of a coarse scan are too small to be told apart."""
    import cv2

    height, width = page.shape
    room: float = (_LARGEST / (width * height)) ** 0.5
    factor = min(3.0, _READABLE_DPI / max(dpi, 50) if dpi < _READABLE_DPI else 1.5, room)
    if factor <= 1.05:
        return page, done
    size = (round(width * factor), round(height * factor))
    scale = Affine(size[0] / width, 0, 0, 0, size[1] / height, 0)
    return cv2.resize(page, size, interpolation=cv2.INTER_CUBIC), done.then(scale)


def _even(page: Any) -> Any:
    """Shadows and stains go: each point is compared with the paper around it."""
    import cv2

    small = cv2.resize(page, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    wide = max(3, _PAPER // 4) | 1
    paper = cv2.medianBlur(cv2.dilate(small, cv2.getStructuringElement(cv2.MORPH_RECT, (wide, wide))), wide)
    paper = cv2.resize(paper, (page.shape[1], page.shape[0]), interpolation=cv2.INTER_LINEAR)
    even = cv2.divide(page, paper, scale=255)
    return cv2.normalize(even, even, 0, 255, cv2.NORM_MINMAX)


def _straight(page: Any, done: Affine) -> tuple[Any, Affine]:
    import cv2

    skew = skew_of(page)
    if abs(skew) < _LEAST_SKEW:
        return page, done
    height, width = page.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), skew, 1.0)
    straight = cv2.warpAffine(
        page, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=255
    )
    return straight, done.then(Affine(*(float(value) for value in matrix.flatten())))


def skew_of(page: Any) -> float:
    """Degrees by which lines of text run down to the right; 0 where they can't be told.

    Seen from the right angle, rows are either full of ink or empty: that angle has the greatest contrast of rows.
    """
    import cv2
    import numpy

    scale = min(1.0, 800 / max(page.shape))
    small = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, ink = cv2.threshold(small, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    best, found = -1.0, 0.0
    for steps in (numpy.arange(-_MOST_SKEW, _MOST_SKEW + 0.5, 1.0), numpy.arange(-0.8, 0.81, 0.2)):
        around = found
        for step in steps:
            contrast = _contrast_of_rows(ink, around + float(step))
            if contrast > best * 1.001:
                best, found = contrast, around + float(step)
    return found if abs(found) < _MOST_SKEW else 0.0


def _contrast_of_rows(ink: Any, degrees: float) -> float:
    import cv2
    import numpy

    height, width = ink.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    rows = cv2.warpAffine(ink, matrix, (width, height), flags=cv2.INTER_NEAREST).sum(axis=1, dtype=numpy.int64)
    return float(numpy.square(numpy.diff(rows)).sum())
