"""Makes a PDF whose pages look as they did and have the words that were read behind them. Runs in the child."""

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redwell.core.compression import AS_USUAL, Compression
from redwell.core.page_words import Word
from redwell.handlers.ocr.box_places import Affine, turned
from redwell.handlers.ocr.recognition import Reading
from redwell.handlers.structures.pages.glyphless_font import GlyphlessFonts

_FONT = "RwOcr"
_QUALITY = 85
_DESCENT = 0.25  # of a line's height below its base


class SearchablePdf:
    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf
        self._fonts = GlyphlessFonts()
        self._layers: dict[int, str] = {}

    @classmethod
    def of_pages(cls, original: Any, numbers: Sequence[int]) -> "SearchablePdf":
        """Copies of these pages of pikepdf's document, which stays as it is."""
        import pikepdf

        pdf = pikepdf.new()
        with warnings.catch_warnings(action="ignore"):  # it has opinions on forms
            for number in numbers:
                pdf.pages.append(original.pages[number - 1])
        return cls(pdf)

    @classmethod
    def empty(cls) -> "SearchablePdf":
        import pikepdf

        return cls(pikepdf.new())

    def append_picture(self, picture: Any, dpi: int, compression: Compression = AS_USUAL) -> None:
        """A page more that is this PIL image: packed as a fax where it is black and white, else by the settings."""
        import pikepdf

        with pikepdf.open(io.BytesIO(_page_of(picture, dpi, compression))) as made:
            self._pdf.pages.append(made.pages[0])

    def add(self, index: int, reading: Reading) -> None:
        """The words of a page; `index` counts the pages of this PDF from 0."""
        page = self._pdf.pages[index]
        box, turn = [float(side) for side in page.cropbox], int(page.obj.get("/Rotate", 0)) % 360
        width, height = abs(box[2] - box[0]), abs(box[3] - box[1])
        shown = (height, width) if turn in (90, 270) else (width, height)
        to_upright = turned(-reading.rotation, *shown)
        upright = shown if reading.rotation in (0, 180) else (shown[1], shown[0])
        matrix = _to_page(upright, to_upright, shown, turn, box)
        lines = "".join(self._word(word, to_upright, shown, upright) for word in reading.words)
        self._layers[index] = f"q {_numbers(matrix)} cm BT 3 Tr {lines}ET Q"

    def _word(self, word: Word, to_upright: Affine, shown: tuple[float, float], upright: tuple[float, float]) -> str:
        """Each character as wide as the word allows, and a space that reaches towards the next."""
        corners = [
            to_upright.at(x * shown[0], y * shown[1]) for x, y in ((word.left, word.top), (word.right, word.bottom))
        ]
        (left, right), (top, bottom) = (sorted(corner[side] for corner in corners) for side in (0, 1))
        size = bottom - top
        if size <= 0 or right <= left:
            return ""
        base = upright[1] - bottom + size * _DESCENT
        scale = 100 * (right - left) / (size * len(word.text))
        runs = "".join(
            f"/{_FONT}{font} {size:.2f} Tf <{codes.hex()}> Tj " for font, codes in self._fonts.shown(word.text + " ")
        )
        return f"{scale:.2f} Tz 1 0 0 1 {left:.2f} {base:.2f} Tm {runs}"

    def save(self, path: Path) -> Path:
        from pikepdf import Dictionary

        fonts = Dictionary({f"/{_FONT}{number}": font for number, font in enumerate(self._fonts.made(self._pdf))})
        for index, layer in self._layers.items():
            page = self._pdf.pages[index]
            page.contents_add(b"q ", prepend=True)  # what the page's own commands leave behind ends here
            page.contents_add(b" Q " + layer.encode())
            resources = page.obj.get("/Resources", Dictionary())
            own = resources.get("/Font", Dictionary())
            page.obj["/Resources"] = Dictionary(
                {**dict(resources.items()), "/Font": Dictionary({**dict(own.items()), **dict(fonts.items())})}
            )
        with warnings.catch_warnings(action="ignore"):  # on forms again
            self._pdf.save(path, deterministic_id=True)
        self._pdf.close()
        return path


def _page_of(picture: Any, dpi: int, compression: Compression) -> bytes:
    out = io.BytesIO()
    if picture.mode == "1" or compression.is_lossy(usually=True):
        how = {} if picture.mode == "1" else {"quality": compression.quality or _QUALITY}
        picture.save(out, "PDF", resolution=dpi, **how)
        return out.getvalue()
    import img2pdf

    picture.save(out, "PNG", dpi=(dpi, dpi), compress_level=3)
    made: bytes = img2pdf.convert(out.getvalue(), layout_fun=img2pdf.get_fixed_dpi_layout_fun((dpi, dpi)), nodate=True)
    return made


def _to_page(
    upright: tuple[float, float], to_upright: Affine, shown: tuple[float, float], turn: int, box: Sequence[float]
) -> Affine:
    """From the page with its lines upright, y upwards, to its own space, over the page as it is shown, y downwards."""
    flip_upright = Affine(1, 0, 0, 0, -1, upright[1])
    own = (shown[1], shown[0]) if turn in (90, 270) else shown
    back = turned(-turn, *shown)
    to_own = Affine(1, 0, min(box[0], box[2]), 0, -1, own[1] + min(box[1], box[3]))
    return flip_upright.then(to_upright.inverse()).then(back).then(to_own)


def _numbers(matrix: Affine) -> str:
    """In the order of PDF."""
    return " ".join(f"{value:.5f}" for value in (matrix.a, matrix.d, matrix.b, matrix.e, matrix.c, matrix.f))
