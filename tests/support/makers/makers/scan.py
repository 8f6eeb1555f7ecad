"""A PDF that says `STUB` is a scan: each of its lines is a page, and `text: …` is one with a text layer."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Options, Pages, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code

SPEC = HandlerSpec(name="scan", media_types=frozenset({"application/pdf"}), score=90, kind="pdf")


def pages_of(data: bytes) -> list[str]:
    return [line for line in data.decode("latin-1").splitlines() if not line.startswith("%PDF")]


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    data = source.read()
    if b"STUB" not in data[:40]:
        raise Unsupported("no stub")
    pages = pages_of(data)
    yield Pages(count=len(pages))
    yield Text(text="\f".join(page[6:] + "\n" if page.startswith("text: ") else "\n" for page in pages))
    bare = [str(number) for number, page in enumerate(pages, 1) if not page.startswith("text: ")]
    if bare:
        yield Trouble(code=Code.OCR_PENDING, detail=f"no text on page {', '.join(bare)}", partial=False)
