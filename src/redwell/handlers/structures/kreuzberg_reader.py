"""kreuzberg, the second opinion on documents and the first on EPUB. Called by the document handlers in a child."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from redwell.core.errors import InvalidFile
from redwell.core.handler import Piece, Source, Text, Trouble
from redwell.core.outcomes import Code

_OOXML = "application/vnd.openxmlformats-officedocument."
_READABLE = frozenset(
    (
        *("application/msword", "application/rtf", "application/vnd.oasis.opendocument.text"),
        *(_OOXML + "wordprocessingml.document", _OOXML + "presentationml.presentation"),
        "application/vnd.ms-powerpoint",
    )
)
_WORTH_A_LOOK = 16 << 10  # a smaller file may well be an empty document


@cache
def _config() -> Any:
    """No cache (it would keep evidence in the home folder), no OCR, no threads beyond the one it cannot do without."""
    from kreuzberg import ConcurrencyConfig, ExtractionConfig

    settings: Any = {"disable_ocr": True}  # its type hints do not know the word
    return ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        concurrency=ConcurrencyConfig(max_threads=1),
        **settings,
    )


def where_silent(pieces: Iterable[Piece], source: Source, media_type: str) -> Iterator[Piece]:
    """The first reader's pieces; where it found no word in a file that is not small, also what kreuzberg finds."""
    silent = media_type in _READABLE and source.size >= _WORTH_A_LOOK
    for piece in pieces:
        silent = silent and not (isinstance(piece, Text) and piece.text.strip())
        yield piece
    if not silent:
        return
    try:
        found = text(source.read(), media_type)
    except InvalidFile:
        return  # the first reader had no complaint; a document may have no words
    if found.strip():
        yield Text(text=found)
        yield Trouble(
            code=Code.HANDLER_ERROR, detail="read by kreuzberg, because our reader found no words", partial=False
        )


def text(data: bytes, media_type: str) -> str:
    """The document's text as kreuzberg reads it; raises `InvalidFile` where it cannot."""
    from kreuzberg import extract_bytes_sync

    try:
        content: str = extract_bytes_sync(data, media_type, _config()).content
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # a panic in its native code is no Exception
        raise InvalidFile(f"kreuzberg: {type(error).__name__}: {error}") from None
    return content
