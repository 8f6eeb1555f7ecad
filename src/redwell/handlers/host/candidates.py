"""Which handlers a document is offered to, and in which order. Used by the task runner, in the child."""

from collections.abc import Iterator, Sequence

from redwell.core import wire
from redwell.core.handler import Source
from redwell.core.work.kinds import KINDS, Purpose, TaskType
from redwell.handlers.host.registry import Handler

_HEAD = 4096


class Candidates:
    """Handlers come highest score first."""

    def __init__(self, handlers: Sequence[Handler]) -> None:
        self._handlers = handlers
        self._by_type: dict[tuple[TaskType | None, str], list[Handler]] = {}

    def for_task(self, task: wire.Task, media_type: str, source: Source) -> Iterator[Handler]:
        """Of a rendition the handler that its row names, whatever its input looks like; else those for the type."""
        if task.engine:
            return (h for h in self._handlers if h.spec.name == task.engine and h.spec.task is task.as_task)
        return self.of(media_type, source, task.as_task)

    def of(self, media_type: str, source: Source, task: TaskType = TaskType.EXTRACT_TEXT) -> Iterator[Handler]:
        """Of those for the kind of work: the ones for the type, and those that ask to see the bytes and want them."""
        own = None if KINDS[task].purpose is Purpose.READ else task
        if (own, media_type) not in self._by_type:
            able = [h for h in self._handlers if h.spec.task is own]
            self._by_type[own, media_type] = [
                h for h in able if media_type in h.spec.media_types or not h.spec.media_types
            ]
        return (h for h in self._by_type[own, media_type] if h.spec.media_types or _probes(h, source))


def _probes(handler: Handler, source: Source) -> bool:
    with source.open() as opened:
        head = opened.read(_HEAD)
    try:
        return handler.probe(head)
    except Exception:
        return False
