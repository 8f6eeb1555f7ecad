"""By which paths files of documents and ingestions are known (SPEC B2). They lie in the store by content. Pure."""

import re
from uuid import UUID

_ENDING = re.compile(r"\.([A-Za-z0-9]{1,10})\Z")
TRANSCRIPTION = "transcription-output.txt"
OTHER_TRANSCRIPTION = "transcription-output-other.txt"
PREPROCESSED = "preprocessed.png"


def ending_of(name: str) -> str:
    found = _ENDING.search(name)
    return found[1].lower() if found else "bin"


def document_file(document: int, name: str) -> str:
    return f"documents/{document}.{ending_of(name)}"


def transcription_file(ingestion: bytes) -> str:
    return f"ingestions/{UUID(bytes=ingestion)}/{TRANSCRIPTION}"


def file_of_page(ingestion: bytes, name: str, page: int) -> str:
    """Of a page that was cleaned and read again: the picture, or the reading that was not kept."""
    return f"ingestions/{UUID(bytes=ingestion)}/{name}?page={page}"
