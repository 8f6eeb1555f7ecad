"""By which paths the files of an ingestion are known (SPEC B2). They lie in the store by content. Pure."""

import re
from uuid import UUID

_ENDING = re.compile(r"\.([A-Za-z0-9]{1,10})\Z")
TRANSCRIPTION = "transcription-output.txt"


def ending_of(name: str) -> str:
    found = _ENDING.search(name)
    return found[1].lower() if found else "bin"


def document_file(ingestion: bytes, name: str) -> str:
    return f"ingestions/{UUID(bytes=ingestion)}/document.{ending_of(name)}"


def transcription_file(ingestion: bytes) -> str:
    return f"ingestions/{UUID(bytes=ingestion)}/{TRANSCRIPTION}"
