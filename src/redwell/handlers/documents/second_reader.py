"""kreuzberg, the second opinion on documents and the first on EPUB. Called by the document handlers in a child."""

from functools import cache
from typing import Any

from redwell.core.errors import InvalidFile


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
