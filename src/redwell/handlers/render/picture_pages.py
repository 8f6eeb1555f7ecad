"""A PDF page of the size of its picture. Called by the picture renderer in a child."""

from functools import partial
from typing import Any

from redwell.core.compression import AS_USUAL, Compression
from redwell.handlers.render.picture_frames import Picture, anew

_POINTS = 72
_SCREEN_DPI = 96
_SHORT, _LONG = 595, 842  # A4
_LEAST_PAGE = 72
_SCANNED = (100, 2400)  # resolutions that scanners and fax machines have
_LONGEST = 14_400  # of a PDF page
_LONGEST_ON_SCREEN = 24 * _POINTS  # of what says to have 72 or 96: mostly nobody has set that


def as_page(picture: Picture, compression: Compression = AS_USUAL) -> bytes:
    """One page; the picture is put in as it is, or as it can be."""
    import img2pdf

    try:
        return _page(picture)
    except (img2pdf.AlphaChannelError, img2pdf.ImageOpenError, img2pdf.JpegColorspaceError, ValueError, TypeError):
        return _page(anew(picture, compression))


def _page(picture: Picture) -> bytes:
    import img2pdf

    made: bytes = img2pdf.convert(
        picture.data,
        layout_fun=partial(_layout, picture),
        nodate=True,
        rotation=img2pdf.Rotation.ifvalid,
        creator="",
        producer="",
        engine=img2pdf.Engine.internal,  # the other one gives each PDF an id of its time
    )
    return made


def _layout(picture: Picture, width: int, height: int, _dpi: Any) -> tuple[float, float, float, float]:
    """Width and height of the page, then of the picture on it."""
    scale = _scale(picture, width, height)
    across, down = width * scale, height * scale
    return max(_LEAST_PAGE, across), max(_LEAST_PAGE, down), across, down


def _scale(picture: Picture, width: int, height: int) -> float:
    """Points of a pixel: by what the picture says where that can be, else as on a screen and no larger than A4."""
    said = _POINTS / picture.dpi if picture.dpi >= 1 else 0
    longest = _LONGEST if _SCANNED[0] <= picture.dpi <= _SCANNED[1] else _LONGEST_ON_SCREEN
    if said and _LEAST_PAGE / 2 <= max(width, height) * said <= longest and picture.dpi <= _SCANNED[1]:
        return said
    fitting = min(_LONG / max(width, height), _SHORT / min(width, height))
    return min(_POINTS / _SCREEN_DPI, fitting)
