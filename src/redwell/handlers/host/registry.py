"""The handlers of a child: imported by the names that its parent has sent. The parent itself imports none."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

from redwell.core import wire
from redwell.core.errors import BadInput
from redwell.core.handler import Document, HandlerSpec, Options, Piece, Source
from redwell.core.work.kinds import task_of_reading

ExtractMany = Callable[[Sequence[Document], Path], Generator[tuple[int, Piece | BadInput], None, None]]


@dataclass(frozen=True, slots=True)
class Handler:
    """The parts of a handler module."""

    spec: HandlerSpec
    probe: Callable[[bytes], bool]
    extract: Callable[[Source, Path, Options], Iterator[Piece]]
    extract_many: ExtractMany | None = None


def load(names: Iterable[str]) -> list[Handler]:
    """The handlers of these modules, highest score first; of equals the first named."""
    modules = [import_module(name) for name in names]
    handlers = [_handler(module) for module in modules]
    return sorted(handlers, key=lambda handler: -handler.spec.score)


def _handler(module: ModuleType) -> Handler:
    many: ExtractMany | None = getattr(module, "extract_many", None)
    extract = getattr(module, "extract", None) or (partial(_alone, many) if many else module.extract)
    return Handler(module.SPEC, getattr(module, "probe", _no), extract, many)


def _alone(extract_many: ExtractMany, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """A single document, for a handler that takes many."""
    for _, part in extract_many([Document(source=source, options=options)], scratch):
        if isinstance(part, BadInput):
            raise part
        yield part


def _no(_head: bytes) -> bool:
    return False


def offer(spec: HandlerSpec) -> wire.Offer:
    """What the parent is told of a handler."""
    task = spec.task or task_of_reading(spec.kind)
    return wire.Offer(
        name=spec.name, version=spec.version, kind=spec.kind, task=task, media_types=sorted(spec.media_types)
    )
