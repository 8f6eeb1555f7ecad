"""A picture becomes the text that Tesseract finds in it."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source, Text
from redwell.handlers.engines.tesseract import recognise

SPEC = HandlerSpec(name="ocr", media_types=frozenset({"image/png"}))


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    from PIL import Image

    with source.open() as file, Image.open(file) as picture:
        found = recognise(picture)
    yield Text(text=found.text)
    yield Metadata(values={"words": len(found.words), "surest": max(word.confidence for word in found.words)})
