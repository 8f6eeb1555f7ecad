"""Formats of transcripts whose insides nobody has described: refused, with what to ask for instead. Runs in a child.

Such a file that is a ZIP, an OLE2 storage or XML in truth is known by its bytes, and opened as that.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Options, Piece, Source
from redwell.core.type_hints import BY_NAME_ALONE

SPEC = HandlerSpec(
    name="undescribed-transcript", media_types=frozenset(BY_NAME_ALONE.values()), score=10, kind="transcript"
)
_ASK = "ask for the transcript as ASCII (.txt with page and line numbers) or PDF"
_WORDS = {
    "lef": f"named like a LiveNote evidence file; {_ASK}, and for its exhibits as files",
    "ptx": f"named like an E-Transcript; {_ASK}",
    "ptf": f"named like a portable transcript with annotations; {_ASK}, and for the annotations as a report",
    "cms": f"named like a TrialDirector case; {_ASK}, or for OpenDVT with the video",
    "xmef": f"named like a TextMap evidence package; {_ASK}, and for its exhibits as files",
    "xmptf": f"named like a TextMap transcript; {_ASK}",
}


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    extension = next(name for name, media_type in BY_NAME_ALONE.items() if media_type == options.media_type)
    raise Unsupported(_WORDS[extension])
    yield
