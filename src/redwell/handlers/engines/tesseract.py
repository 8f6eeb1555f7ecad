"""Tesseract, in this process. Called by handlers of the ocr profile, in the child.

The wheel holds the engine; the languages are files of the system.
"""

import importlib.util
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from redwell.core.errors import Unsupported
from redwell.core.wire import Tool

_PLACES = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)
_REMEDY = "apt-get install tesseract-ocr-eng, and tesseract-ocr-deu and the like for other languages"
_NO_LANGUAGE = frozenset({"osd"})  # tells which way a page is turned


class Word(NamedTuple):
    """A word, how sure it is (0 to 1), and its box as fractions of the page: left, top, right, bottom."""

    text: str
    confidence: float
    box: tuple[float, float, float, float]


class Recognised(NamedTuple):
    text: str
    words: tuple[Word, ...]


def tool() -> Tool:
    if not languages() or importlib.util.find_spec("tesserocr") is None:
        return Tool(name="tesseract", remedy=_REMEDY)
    import tesserocr

    version = str(tesserocr.tesseract_version()).split()[1]
    return Tool(name="tesseract", version=f"{version} ({' '.join(languages())})", remedy=_REMEDY)


def languages() -> list[str]:
    """By the three letters that settings name them with."""
    folder = _folder()
    files = folder.glob("*.traineddata") if folder else ()
    return sorted(file.stem for file in files if file.stem not in _NO_LANGUAGE)


def recognise(picture: Any, wanted: Sequence[str] = ("eng",), dpi: int = 300) -> Recognised:
    """The words of a PIL image; Unsupported where Tesseract or a language is not there."""
    if missing := [language for language in wanted if language not in languages()]:
        raise Unsupported(f"character recognition lacks {', '.join(missing)}: {_REMEDY}, then retry")
    import tesserocr

    reader = _reader("+".join(wanted))
    reader.SetImage(picture)
    reader.SetSourceResolution(dpi)
    reader.Recognize()
    words = tuple(_words(reader.GetIterator(), tesserocr.RIL.WORD, *picture.size))
    text = reader.GetUTF8Text()
    reader.Clear()
    return Recognised(text, words)


def _words(found: Any, level: Any, width: int, height: int) -> list[Word]:
    words = []
    while found:
        text, box = found.GetUTF8Text(level), found.BoundingBox(level)
        if text and box:
            left, top, right, bottom = box
            place = (left / width, top / height, right / width, bottom / height)
            words.append(Word(text, found.Confidence(level) / 100, place))
        if not found.Next(level):
            break
    return words


@cache
def _reader(wanted: str) -> Any:
    """Loading a language takes longer than reading a page."""
    import tesserocr

    return tesserocr.PyTessBaseAPI(path=str(_folder()), lang=wanted)


@cache
def _folder() -> Path | None:
    return next((folder for place in _PLACES if any((folder := Path(place)).glob("*.traineddata"))), None)
