"""What a page that was read gives: its text, its words with their places, and what was tried besides. Called by the
handlers, in the child."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Trouble
from redwell.core.outcomes import Code
from redwell.core.page_words import PageWords
from redwell.handlers.ocr.quality import NOTHING
from redwell.handlers.ocr.recognition import Reading

_NAMED = 10
TEXT_TYPE = "text/plain; charset=utf-8"


def page_pieces(reading: Reading, number: int, points: tuple[float, float], why: str = "") -> Iterator[Artifact]:
    """Nothing where nothing was read. `points` is the size of the page as it is shown, `why` says what it lacked."""
    if not reading.says_something:
        return
    figures = reading.figures() | ({"lack": why} if why else {})
    yield Artifact(
        kind=ArtifactKind.OCR_TEXT,
        data=reading.text.encode(),
        media_type=TEXT_TYPE,
        number=number,
        amount=len(reading.words),
        figures=figures,
    )
    yield Artifact(
        kind=ArtifactKind.WORD_BOXES,
        data=page_words.encode(PageWords(round(points[0], 2), round(points[1], 2), reading.words)),
        media_type=page_words.MEDIA_TYPE,
        number=number,
        amount=len(reading.words),
    )
    yield from _tried(reading, number)


def _tried(reading: Reading, number: int) -> Iterator[Artifact]:
    """Of a page that was read more than once: the picture that was made for it, and the reading that was not kept."""
    if reading.cleaned:
        picture = io.BytesIO()
        reading.cleaned.save(picture, "PNG", compress_level=3)  # more takes twice as long for a tenth
        yield Artifact(
            kind=ArtifactKind.OCR_CLEANED, data=picture.getvalue(), media_type="image/png", number=number, amount=1
        )
    if reading.other:
        yield Artifact(
            kind=ArtifactKind.OCR_OTHER,
            data=reading.other.text.encode(),
            media_type=TEXT_TYPE,
            number=number,
            amount=len(reading.other.words),
            figures=reading.other.figures(),
        )


def beside(reading: Reading, own: str) -> Reading:
    """What was read on a page that has words of its own: those that are not among them."""
    known = {_normal(word) for word in own.split()}
    words = [word for word in reading.words if _normal(word.text) and _normal(word.text) not in known]
    if not words:
        return replace(reading, text="", words=[], quality=NOTHING)
    return replace(reading, text=" ".join(word.text for word in words) + "\n", words=words)


def _normal(word: str) -> str:
    """Letters and digits alone: what stands around them is easily misread."""
    return "".join(char for char in word.casefold() if char.isalnum())


def partly_unread(pages: Sequence[int]) -> Trouble:
    """Of pages with much in shadow that has no word; the rest of them reads well, and nothing else would tell."""
    named = ", ".join(map(str, pages[:_NAMED])) + (f" and {len(pages) - _NAMED} more" if len(pages) > _NAMED else "")
    detail = (
        f"page{'s' if len(pages) > 1 else ''} {named}: much of what looks like writing lies in shadow and was not read"
    )
    return Trouble(code=Code.PARTLY_UNREAD, detail=detail, partial=False)


def nothing_read(pages: int, options: Options, *, is_sure: bool = True) -> Trouble:
    """Of a document whose pages look as if they had text; if not `is_sure`, it may be a photograph."""
    detail = f"nothing could be read on {pages} page{'s' if pages > 1 else ''} (ocr_languages={options.ocr_languages})"
    if not is_sure:
        detail += "; it may be a page in deep shadow, or a photograph"
    return Trouble(code=Code.NO_TEXT, detail=detail, partial=is_sure)
