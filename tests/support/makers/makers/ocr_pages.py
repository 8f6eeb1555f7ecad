"""Recognises the pages of a stub PDF; `unreadable` ones have no text, `kill` kills the child."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from makers.scan import pages_of
from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import Unsupported
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of

SPEC = replace(spec_of("ocr-pages"), score=90)  # before the engines themselves


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if "missing" in options.ocr_languages:
        raise Unsupported("Tesseract has no language 'missing'")
    pages = pages_of(source.read())
    last = options.last_page or len(pages)
    yield Artifact(
        kind=ArtifactKind.SEARCHABLE_PDF,
        data=b"%PDF-1.7 searchable",
        media_type="application/pdf",
        number=options.first_page,
        last=last,
    )
    for number in range(options.first_page, last + 1):
        words = pages[number - 1]
        if words == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if words == "unreadable":
            yield Trouble(code=Code.NO_TEXT, detail=f"page {number}")
        elif not words.startswith("text: "):
            yield Artifact(
                kind=ArtifactKind.OCR_TEXT,
                data=f"{words}\n".encode(),
                media_type="text/plain",
                number=number,
                amount=len(words) + 1,
            )
