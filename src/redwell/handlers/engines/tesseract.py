"""Tesseract, in this process. Called by handlers of the ocr profile, in the child.

The wheel holds the engine; the languages are files of the system.
"""

import importlib.util
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from redwell.core.errors import Unsupported
from redwell.core.page_words import Word
from redwell.core.wire import Tool

_PLACES = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)
_MORE = "apt-get install tesseract-ocr-deu and the like for other languages"
_NO_LANGUAGE = frozenset({"osd"})  # tells which way a page is turned


class Recognised(NamedTuple):
    """The text as it is read, and its words with boxes as fractions of the picture."""

    text: str
    words: list[Word]


class Turned(NamedTuple):
    """How far a page is turned clockwise, in degrees, how sure that is (15 is much), and the script of its letters."""

    degrees: int
    sureness: float
    script: str


def tool() -> Tool:
    if remedy := _remedy([] if languages() else ["eng"]):
        return Tool(name="tesseract", remedy=remedy)
    import tesserocr

    version = str(tesserocr.tesseract_version()).split()[1]
    return Tool(name="tesseract", version=f"{version} ({' '.join(languages())})", remedy=_MORE)


def languages() -> list[str]:
    """By the three letters that settings name them with."""
    folder = _folder()
    files = folder.glob("*.traineddata") if folder else ()
    return sorted(file.stem for file in files if file.stem not in _NO_LANGUAGE)


def recognise(picture: Any, wanted: Sequence[str] = ("eng",), dpi: int = 300) -> Recognised:
    """The words of a PIL image; Unsupported where Tesseract or a language is not there."""
    check(wanted)
    import tesserocr

    reader = _reader("+".join(wanted))
    _give(reader, picture, dpi)
    reader.Recognize()
    words = _words(reader.GetIterator(), tesserocr.RIL.WORD, *picture.size)
    text = reader.GetUTF8Text() if words else ""  # it fails where there is none
    reader.Clear()
    return Recognised(text, words)


def check(wanted: Sequence[str]) -> None:
    """Unsupported, with the remedy, where one of these languages can not be read."""
    missing = [language for language in wanted if language not in languages()]
    if remedy := _remedy(missing):
        lacks = ", ".join(missing) or "tesserocr"
        raise Unsupported(f"character recognition lacks {lacks}: {remedy}, then redwell retry --lacking")


def _remedy(missing: Sequence[str]) -> str:
    """What to install for these languages; nothing where all is there."""
    steps = [] if importlib.util.find_spec("tesserocr") else ["pip install 'redwell[ocr]'"]
    if missing:
        steps.append("apt-get install " + " ".join(f"tesseract-ocr-{name.replace('_', '-')}" for name in missing))
    return " and ".join(steps)


def turned(picture: Any, dpi: int = 300) -> Turned | None:
    """None where the page has too little to tell, or what tells it is not installed."""
    folder = _folder()
    if folder is None or not (folder / "osd.traineddata").exists():
        return None
    reader = _reader("osd")
    _give(reader, picture, dpi)
    found = reader.DetectOrientationScript()
    reader.Clear()
    if not found:
        return None
    return Turned(int(found["orient_deg"]), float(found["orient_conf"]), str(found["script_name"]))


def _give(reader: Any, picture: Any, dpi: int) -> None:
    gray = picture if picture.mode == "L" else picture.convert("L")
    reader.SetImageBytes(gray.tobytes(), gray.width, gray.height, 1, gray.width)
    reader.SetSourceResolution(dpi)


def _words(found: Any, level: Any, width: int, height: int) -> list[Word]:
    words = []
    while found:
        try:
            text, box = found.GetUTF8Text(level), found.BoundingBox(level)
        except RuntimeError:  # a place without a word
            text, box = "", None
        if box and text and not text.isspace():
            left, top, right, bottom = box
            place = (left / width, top / height, right / width, bottom / height)
            words.append(Word(text, *place, round(found.Confidence(level) / 100, 3)))
        if not found.Next(level):
            break
    return words


@lru_cache(maxsize=4)
def _reader(wanted: str) -> Any:
    """Loading a language takes longer than reading a page."""
    import tesserocr

    mode = tesserocr.PSM.OSD_ONLY if wanted == "osd" else tesserocr.PSM.AUTO
    return tesserocr.PyTessBaseAPI(path=str(_folder()), lang=wanted, psm=mode)


@cache
def _folder() -> Path | None:
    return next((folder for place in _PLACES if any((folder := Path(place)).glob("*.traineddata"))), None)
