"""Binary property lists of Apple's programs, and the web pages that Safari saves as such. Runs in a child."""

import plistlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from redwell.core.errors import InvalidFile
from redwell.core.handler import (
    Child,
    Contents,
    HandlerSpec,
    Metadata,
    Opening,
    Options,
    Piece,
    Role,
    Source,
    Text,
    Trouble,
    pending,
)
from redwell.core.names import shortened
from redwell.core.outcomes import Code

SPEC = HandlerSpec(name="property-list", media_types=frozenset(("application/x-bplist",)), kind="document")
_MAIN, _OTHERS, _FRAMES = "WebMainResource", "WebSubresources", "WebSubframeArchives"
_MOST_VALUES, _MOST_LEVELS = 500_000, 100  # a list may hold itself, and many times over
_LONGEST_PATH = 1_000


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """A line for each value; of a saved page its files instead."""
    try:
        root = plistlib.loads(source.read(), fmt=plistlib.FMT_BINARY)
    except (plistlib.InvalidFileException, ValueError, OverflowError, RecursionError, TypeError) as error:
        raise InvalidFile(f"the property list is damaged: {error}") from None
    if isinstance(root, dict) and isinstance(root.get(_MAIN), dict):
        yield from _page(root, options)
    else:
        yield from _values(root, options)


def _values(root: Any, options: Options) -> Iterator[Piece]:
    lines: list[str] = []
    room = options.max_text_chars
    for number, line in enumerate(_lines(root)):
        lines += [line] if line else []
        room -= len(line) + 1
        if room < 0 or number >= _MOST_VALUES:
            yield Trouble(code=Code.LIMIT_REACHED, detail="the text is cut off: the list has too many values")
            break
    yield Text(text="\n".join(lines)[: options.max_text_chars])


def _lines(root: Any) -> Iterator[str]:
    """`path: value` in order, and nothing for what holds others; no recursion, as lists may be deep."""
    open_lists: list[tuple[str, Iterator[tuple[Any, Any]]]] = [("", iter([("", root)]))]
    while open_lists:
        above, values = open_lists[-1]
        name, value = next(values, (None, None))
        if name is None:
            open_lists.pop()
            continue
        path = f"{above}/{name}"[-_LONGEST_PATH:] if above else str(name)[-_LONGEST_PATH:]
        if isinstance(value, dict | list) and len(open_lists) <= _MOST_LEVELS:
            open_lists.append((path, iter(value.items()) if isinstance(value, dict) else enumerate(value)))
            yield ""
        else:
            yield f"{path}: {_shown(value)}" if path else _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, bytes | dict | list):  # the latter where they lie too deep
        return f"({len(value)} {'bytes' if isinstance(value, bytes) else 'values'})"
    return f"{value.isoformat()}Z" if isinstance(value, datetime) else str(value)


def _page(root: dict[str, Any], options: Options) -> Iterator[Piece]:
    files = dict(_files(root))
    yield Metadata(values={"url": str(root[_MAIN].get("WebResourceURL", ""))})
    yield Contents(declared=len(files))
    for locator in pending(files, options):
        resource = files[locator]
        name = _name(str(resource.get("WebResourceURL", "")), locator)
        yield Opening(locator=locator, name=name)
        told = {"content_type": str(resource.get("WebResourceMIMEType", ""))}
        role: Role = "embedded" if locator == "0" else "inline"
        yield Child(locator=locator, name=name, data=resource["WebResourceData"], role=role, metadata=told)


def _files(root: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The page, what it shows, and the pages inside it with theirs."""
    waiting, number, met = [root], 0, {id(root)}
    while waiting:
        archive = waiting.pop(0)
        for resource in (archive.get(_MAIN), *_listed(archive, _OTHERS)):
            if isinstance(resource, dict) and isinstance(resource.get("WebResourceData"), bytes):
                yield str(number), resource
                number += 1
        for frame in _listed(archive, _FRAMES):
            if isinstance(frame, dict) and id(frame) not in met:  # one may hold itself
                met.add(id(frame))
                waiting.append(frame)


def _listed(archive: dict[str, Any], name: str) -> list[Any]:
    value = archive.get(name)
    return value if isinstance(value, list) else []


def _name(url: str, locator: str) -> str:
    try:
        last = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2]
    except ValueError:
        last = ""
    return shortened(last) or ("page.html" if locator == "0" else f"file {locator}")
