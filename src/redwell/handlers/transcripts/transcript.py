"""Transcripts of depositions and hearings in plain text: the text as it is, and its facts. Runs in a child.

Page and line of any place follow from the text alone (core.transcripts.layout). A text that only begins like one is
left to the reader of plain text.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Pages, Piece, Source, Text
from redwell.core.transcripts.facts import facts
from redwell.core.transcripts.layout import lay_out
from redwell.core.transcripts.probe import may_be_transcript
from redwell.handlers.structures.charset import encoding_of, usable

SPEC = HandlerSpec(name="transcript", media_types=frozenset(), score=25, kind="transcript", version=2)
_LARGEST = 32 << 20  # a day of testimony has less than a megabyte


def probe(head: bytes) -> bool:
    return may_be_transcript(head)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if source.size > min(_LARGEST, options.max_text_chars):
        raise Unsupported("too large for a transcript")
    data = source.read()
    encoding = encoding_of(data, "")
    text = usable(data.decode(encoding, "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
    layout = lay_out(text)
    if layout is None:
        raise Unsupported("its lines have no numbers by page")
    yield Metadata(values={"encoding": encoding, **facts(text, layout)})
    yield Pages(count=len(layout.pages))
    yield Text(text=text)
