"""A handler for documents of the form `FAULT <name> <argument>`: does what the name says.

Runs in Redwell's sandboxed children in the fault tests. A fault that the sandbox refuses raises an error;
one that it did not refuse goes on to yield text, which the tests take for a breach.
"""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import HandlerSpec, Options, Piece, Source, Text

SPEC = HandlerSpec(name="faulty", media_types=frozenset(), score=99, kind="text")
_MARK = b"FAULT "


def probe(head: bytes) -> bool:
    return head.startswith(_MARK)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    from faulty import deaths, escapes, junk, members

    name, _, argument = source.read()[len(_MARK) :].decode().strip().partition(" ")
    for module in (deaths, escapes, junk, members):
        if fault := getattr(module, name, None):
            yield from fault(argument, source, scratch, options) or ()
            yield Text(text=f"after {name}")
            return
    yield Text(text=argument)
