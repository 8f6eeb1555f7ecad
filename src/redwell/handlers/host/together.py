"""Documents that one call of a handler takes together, each with its own result. Used by the workbench, in the child.

A call that fails is made again with fewer documents, until the one that it can't do is alone: that one has failed.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from redwell.core import wire
from redwell.core.errors import BadInput
from redwell.core.handler import Document, Options, Piece, Source
from redwell.handlers.host.attempt import Attempt
from redwell.handlers.host.frame_writer import FrameWriter, Gone, has_filled
from redwell.handlers.host.members import Members
from redwell.handlers.host.registry import Handler
from redwell.handlers.host.source import Incomplete, Opened, TaskSource

Choose = Callable[[wire.Task, Source], tuple[Handler, Options] | None]


class _Given(NamedTuple):
    task: int
    handler: Handler
    document: Document


class Together:
    def __init__(self, writer: FrameWriter, scratch: Path, choose: Choose) -> None:
        self._writer, self._scratch, self._choose = writer, scratch, choose
        self.out_of_memory = False

    def work(self, tasks: Sequence[wire.Task]) -> int:
        """As many from the front as one handler takes in one call; 0 where the first has to be done by itself."""
        with ExitStack() as files:
            given = self._gathered(tasks, files)
            waiting = [given] if given else []
            while waiting:
                some = waiting.pop(0)
                left = self._call(some)
                cut = 1 if len(left) < len(some) else len(left) // 2  # whoever has given something was at the next
                waiting[:0] = [part for part in (left[:cut], left[cut:]) if part]
            return len(given)

    def _gathered(self, tasks: Sequence[wire.Task], files: ExitStack) -> list[_Given]:
        given: list[_Given] = []
        for task in tasks:
            found = self._found(task, self._scratch / f"document-{len(given)}", files)
            if found is None or (given and found.handler is not given[0].handler):
                break
            given.append(found)
        return given

    def _found(self, task: wire.Task, folder: Path, files: ExitStack) -> _Given | None:
        if not task.length or task.only_type or task.volume or task.volumes:
            return None
        opened = Opened()
        files.callback(opened.close)
        try:
            folder.mkdir(exist_ok=True)
            source = TaskSource(task, opened, folder)
            choice = self._choose(task, source)
        except (Incomplete, OSError):
            return None
        if choice is None or choice[0].extract_many is None:
            return None
        return _Given(task.id, choice[0], Document(source=source, options=choice[1]))

    def _call(self, given: list[_Given]) -> list[_Given]:
        """One call for all of these; those that are to be tried again."""
        run = _Run(given, self._writer)
        try:
            run.take_all(self._scratch)
        except Gone:
            raise
        except BaseException as error:
            if has_filled(error):
                raise Gone(wire.ChildExit.DISK_FULL) from None
            self.out_of_memory = self.out_of_memory or isinstance(error, MemoryError)
            if len(given) - run.done == 1 or run.attempt.members.count:  # alone, or it can't be taken back
                run.attempt.fail(error)
                run.next()
        return given[run.done :]


class _Run:
    """One call: documents are begun and finished in order, as their pieces come."""

    def __init__(self, given: list[_Given], writer: FrameWriter) -> None:
        self._given, self._writer = given, writer
        self.done = 0
        self.attempt = self._begin()

    def take_all(self, scratch: Path) -> None:
        extract_many = self._given[0].handler.extract_many
        assert extract_many, "it was chosen for that"
        pieces = extract_many([each.document for each in self._given], scratch)
        try:
            for number, part in pieces:
                self._take(number, part)
        finally:
            pieces.close()  # and with it what the handler has started
        while self.done < len(self._given):
            self.next()

    def _take(self, number: int, part: Piece | BadInput) -> None:
        if not self.done <= number < len(self._given):
            raise ValueError(f"a piece of document {number} comes out of turn")
        while self.done < number:
            self.next()
        if isinstance(part, BadInput):
            self.attempt.fail(part)
        else:
            self.attempt.take(part)

    def next(self) -> None:
        """The current document is over; the parent hears of it at once, as its clock stops then."""
        self._writer.frame(self.attempt.finish())
        self._writer.flush()
        self.done += 1
        if self.done < len(self._given):
            if self._writer.crowded:
                raise Gone(wire.ChildExit.RECYCLE)
            self.attempt = self._begin()

    def _begin(self) -> Attempt:
        self._writer.begin_document()
        task, handler, document = self._given[self.done]
        members = Members(task, document.options.max_members, self._writer, hold=False)
        return Attempt(task, handler.spec, document.options, self._writer, members)
