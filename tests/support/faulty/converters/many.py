"""Takes documents together. What each says is done: `say`, `refuse`, `raise`, `die`, `hang`, each with a word."""

import os
import time
from collections.abc import Generator, Sequence
from pathlib import Path

from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Document, HandlerSpec, Piece, Text

SPEC = HandlerSpec(name="many", media_types=frozenset({"text/plain"}))
Results = Generator[tuple[int, Piece | BadInput], None, None]


def extract_many(documents: Sequence[Document], scratch: Path) -> Results:
    """`late` in the first document: nothing is given before all is done."""
    words = [document.source.read().decode().split() for document in documents]
    results = _results(words)
    yield from list(results) if "late" in words[0] else results


def _results(words: list[list[str]]) -> Results:
    for number, (what, word, *_) in enumerate(words):
        if what == "die":
            os._exit(3)
        if what == "hang":
            time.sleep(3_600)
        if what == "raise":
            raise RuntimeError(word)
        yield number, InvalidFile(word) if what == "refuse" else Text(text=f"{word} of {len(words)}")
