"""Which handlers there are: the built-in ones, and those that installed packages offer.

The parent asks `discover` once and sends the names to its children; they `load` them.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from redwell.core.handler import HandlerSpec, Options, Piece, Source

GROUP = "redwell.handlers"
UNPACKED = ("archive", "mailbox")  # kinds of handlers
BUILT_IN = (
    "redwell.handlers.text",
    "redwell.handlers.html",
    "redwell.handlers.eml",
    "redwell.handlers.msg",
    "redwell.handlers.tnef",
    "redwell.handlers.sealed",
    "redwell.handlers.mhtml",
    "redwell.handlers.calendar",
    "redwell.handlers.contacts",
    "redwell.handlers.mbox",
    "redwell.handlers.pst",
    "redwell.handlers.olm",
    "redwell.handlers.zip",
    "redwell.handlers.archive",
    "redwell.handlers.cabinet_set",
    "redwell.handlers.compressed",
    "redwell.handlers.sevenzip",
    "redwell.handlers.arj",
    "redwell.handlers.lha",
    "redwell.handlers.xar",
    "redwell.handlers.udf",
    "redwell.handlers.raw_disc",
    "redwell.handlers.wim",
    "redwell.handlers.html_help",
    "redwell.handlers.rar",
    "redwell.handlers.images_of_disks",
    "redwell.handlers.pdf",
    "redwell.handlers.office",
    "redwell.handlers.slides",
    "redwell.handlers.protected",
    "redwell.handlers.spreadsheet",
    "redwell.handlers.image",
    "redwell.handlers.metafile",
    "redwell.handlers.onenote",
    "redwell.handlers.wordperfect",
    "redwell.handlers.iwork",
    "redwell.handlers.compound",
    "redwell.handlers.database",
    "redwell.handlers.recording",
    "redwell.handlers.program",
    "redwell.handlers.shortcut",
    "redwell.handlers.property_list",
)


@dataclass(frozen=True, slots=True)
class Handler:
    """The parts of a handler module."""

    spec: HandlerSpec
    probe: Callable[[bytes], bool]
    extract: Callable[[Source, Path, Options], Iterator[Piece]]


def discover() -> list[str]:
    """Module names, built-in first; a package adds one by an entry point of the group `redwell.handlers`."""
    from importlib.metadata import entry_points  # slow, and children never ask

    return [*BUILT_IN, *sorted({point.value for point in entry_points(group=GROUP)} - set(BUILT_IN))]


def load(names: Iterable[str]) -> list[Handler]:
    """The handlers of these modules, highest score first; of equals the first named."""
    modules = [import_module(name) for name in names]
    handlers = [Handler(module.SPEC, getattr(module, "probe", _no), module.extract) for module in modules]
    return sorted(handlers, key=lambda handler: -handler.spec.score)


def _no(_head: bytes) -> bool:
    return False


def container_types(names: Iterable[str]) -> frozenset[str]:
    """Media types of archives and mailboxes: what is unpacked rather than read."""
    handlers = load(names)
    return frozenset(kind for each in handlers if each.spec.kind in UNPACKED for kind in each.spec.media_types)


def engine_version(names: Iterable[str]) -> str:
    """A short digest that changes when a handler is added, removed or given a new version."""
    specs = sorted((handler.spec.name, handler.spec.version) for handler in load(names))
    return hashlib.sha256(repr(specs).encode()).hexdigest()[:12]
