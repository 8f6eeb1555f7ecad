"""HTML becomes a member of itself: what a browser prints of it. The browser is started once."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from redwell.core.handler import Child, HandlerSpec, Options, Piece, Source, Text
from redwell.handlers.engines.chromium import Browser

SPEC = HandlerSpec(name="print", media_types=frozenset({"text/html"}))


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    browser = _browser()
    yield Child(locator="pdf", name="pdf", data=browser.pdf(source.read().decode()))
    yield Text(text=f"printed by {browser.pid}")


@cache
def _browser() -> Browser:
    return Browser()
