"""Takes the tasks of a message one after the other, and sends what came of each.

Used by `host`, in the sandboxed host process; nothing outside it trusts what happens here.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from redwell.core import wire
from redwell.core.errors import Restart
from redwell.core.handler import Options, Passwords, Source, Volume
from redwell.core.loadfiles.assembly import read_header
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import KINDS, Purpose, TaskType, task_of_reading
from redwell.handlers.detect.detect import detect
from redwell.handlers.host.attempt import Attempt
from redwell.handlers.host.candidates import Candidates
from redwell.handlers.host.frame_writer import FrameWriter, Gone
from redwell.handlers.host.joined_source import JoinedSource
from redwell.handlers.host.members import Members, NeedsOwnTask, NoMembers
from redwell.handlers.host.piece_taker import PieceTaker, worth_another
from redwell.handlers.host.read_members_inside import InsideReader
from redwell.handlers.host.registry import Handler
from redwell.handlers.host.scratch_folder import ScratchFolder
from redwell.handlers.host.source import BytesSource, Incomplete, Opened, TaskSource
from redwell.handlers.host.together import Together
from redwell.handlers.host.volume_checks import are_a_set, stands_alone
from redwell.handlers.sandbox.namespaces import end_all_others

_READ = {Outcome.SUCCESS, Outcome.PARTIAL, Outcome.PASSWORD_PROTECTED}


class _ForAnotherWorker(BaseException):
    """It is a container, and the worker that sent it unpacks none (SPEC A9)."""


class TaskRunner:
    def __init__(self, setup: wire.Setup, handlers: Sequence[Handler], writer: FrameWriter, *, own_pids: bool) -> None:
        self._candidates = Candidates(handlers)
        self._scratch = ScratchFolder(setup.scratch)
        self._setup = setup
        self._writer = writer
        self._inside = InsideReader(writer, self._member)
        self._together = Together(writer, self._scratch.path, self._choice) if setup.rights.together else None
        self._opened = Opened()
        self._pieces = PieceTaker(self._candidates, self._scratch.path, writer)
        self._out_of_memory = False
        self._ends_stragglers = setup.rights.processes and own_pids and not setup.rights.warm

    def work(self, message: wire.Message) -> None:
        """Every task of the message, in order; each is flushed when it ends, as its clock stops then."""
        self._writer.begin_message(message.spool)
        done, count = 0, len(message.tasks)
        while done < count:
            done += self._some(message.tasks[done:]) or self._one(message.tasks[done])
            self._clean()
            if self._out_of_memory or (done < count and self._writer.crowded):
                raise Gone(wire.ChildExit.RECYCLE)

    def _some(self, tasks: Sequence[wire.Task]) -> int:
        """How many of them were taken together, if that is what this profile does."""
        if self._together is None:
            return 0
        taken = self._together.work(tasks)
        self._out_of_memory = self._together.out_of_memory
        return taken

    def _one(self, task: wire.Task) -> int:
        self._writer.begin_document()
        self._writer.frame(self._told(task))
        self._writer.flush()
        return 1

    def _choice(self, task: wire.Task, source: Source) -> tuple[Handler, Options] | None:
        """Whoever would be the first to try it."""
        media_type = _type_of(source, task)
        handler = next(self._candidates.for_task(task, media_type, source), None)
        return (handler, self._options(task, media_type)) if handler else None

    def _told(self, task: wire.Task) -> wire.Done | wire.Left:
        try:
            return self._document(task)
        except _ForAnotherWorker:
            return wire.Left(task=task.id)

    def _document(self, task: wire.Task) -> wire.Done:
        if task.length == 0 and not task.only_type:
            return _empty(task)
        try:
            if task.assembled:
                return self._assembled(task)
            source = TaskSource(task, self._opened, self._scratch.path)
            if task.only_type:
                return self._seen(task, source)
            if task.volume:
                return self._volume(task, source)
            return self._set(task, source) if task.volumes else self._extract(task, source)
        except Incomplete as error:
            problem = Problem(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=str(error))
        except OSError as error:
            problem = Problem(code=Code.SOURCE_UNREADABLE, detail=str(error.strerror))
        return wire.Done(task=task.id, outcome=Outcome.INVALID_FILE, detail=problem.detail, problems=[problem])

    def _assembled(self, task: wire.Task) -> wire.Done:
        """What was put together here is of the type that it says."""
        with closing(JoinedSource(task.volumes, self._scratch.path)) as joined:
            return self._extract(task, joined)

    def _seen(self, task: wire.Task, source: Source) -> wire.Done:
        """What it is, and who would take it."""
        media_type = _type_of(source, task)
        kind = next((handler.spec.kind for handler in self._candidates.of(media_type, source)), "other")
        return wire.Done(task=task.id, outcome=Outcome.SUCCESS, media_type=media_type, kind=kind)

    def _member(self, task: wire.Task, data: bytes) -> wire.Done:
        """What was held back of the document before, as a document of its own; NeedsOwnTask where it can't be."""
        self._clean()
        if self._out_of_memory:
            raise NeedsOwnTask
        source = BytesSource(data, task.name, self._scratch.path)
        return self._extract(task, source, NoMembers) if data else _empty(task)

    def _volume(self, task: wire.Task, source: Source) -> wire.Done:
        """A volume that is not its set's head; what is a document by itself is read as one."""
        media_type = _type_of(source, task)
        for handler in self._candidates.of(media_type, source):
            if stands_alone(source, media_type, handler.spec.kind):
                done = self._extract(task, source)
                if done.outcome in _READ or done.container:
                    return done
            break
        return wire.Done(task=task.id, outcome=Outcome.SUCCESS, media_type=media_type, kind="volume")

    def _set(self, task: wire.Task, head: Source) -> wire.Done:
        with closing(JoinedSource(task.volumes, self._scratch.path)) as joined:
            if task.as_task is TaskType.COMBINE_PAGE_IMAGES:
                return self._extract(task, joined)
            if are_a_set(self._options(task, "").volumes, head, joined.volume):
                return _with_missing(self._extract(task, joined), task.missing)
        task.volumes = []
        return self._extract(task, head)

    def _extract(self, task: wire.Task, source: Source, kind: type[Members] = Members) -> wire.Done:
        """Try handlers by score until one succeeds, or has already sent members."""
        options = self._options(task, _type_of(source, task))
        best: Attempt | None = None
        failures: list[Problem] = []
        for handler in self._candidates.for_task(task, options.media_type, source):
            if not task.unpack and handler.spec.unpacks:
                raise _ForAnotherWorker
            attempt, error = self._attempt(handler, task, source, options, kind)
            if error is None or attempt.members.count or not worth_another(error):
                best = attempt
                break
            if best is None or (attempt.fruitful and not best.fruitful):
                best = attempt
            failures = [*failures, *attempt.done.problems]
        if best is None:
            what = "" if KINDS[task.as_task].purpose is Purpose.READ else f"{task.as_task} of "
            return wire.Done(
                task=task.id,
                outcome=Outcome.UNSUPPORTED,
                detail=f"no handler for {what}{options.media_type}",
                media_type=options.media_type,
            )
        if held := best.members.take_held():
            self._inside.send(task, held, best.text_bytes)
        done = best.finish()
        done.problems += [problem for problem in failures if problem not in done.problems]
        return done

    def _attempt(
        self, handler: Handler, task: wire.Task, source: Source, options: Options, kind: type[Members]
    ) -> tuple[Attempt, BaseException | None]:
        """A handler that asks to begin again is given one more try, behind what it gave already (SPEC A11).

        What it gave may be held still: it is sent with what the second try gives.
        """
        self._tell(task, handler)
        error: BaseException | None = None
        members = kind(task.id, options.max_members, self._writer, hold=task.inside)
        for last_try in (False, True):
            attempt = Attempt(task.id, handler.spec, options, self._writer, members)
            error = self._run(handler, attempt, source, options)
            if last_try or not isinstance(error, Restart):
                break
            options = replace(options, after=members.last or options.after)
            self._scratch.clean()
        return attempt, error

    def _tell(self, task: wire.Task, handler: Handler) -> None:
        """If the child dies on a container, it is its members that are missing, not a text."""
        if handler.spec.unpacks and task.path:
            self._writer.frame(wire.Begun(task=task.id, as_task=task_of_reading(handler.spec.kind)))
            self._writer.flush()

    def _run(self, handler: Handler, attempt: Attempt, source: Source, options: Options) -> BaseException | None:
        error = self._pieces.failure(handler, attempt, source, options)
        if error is not None:
            self._out_of_memory = self._out_of_memory or isinstance(error, MemoryError)
            attempt.fail(error)
        return error

    def _options(self, task: wire.Task, media_type: str) -> Options:
        return Options(
            name=task.name,
            media_type=media_type,
            passwords=Passwords(task.passwords),
            after=task.after,
            skip=frozenset(task.skip),
            synthetic=task.synthetic,
            plain=task.plain,
            first_page=task.first_page,
            last_page=task.last_page,
            order=task.order,
            volumes=tuple(Volume(number=v.number, suffix=v.suffix, size=v.length) for v in task.volumes),
            timezone=self._setup.timezone,
            ocr_languages=self._setup.ocr_languages,
            **self._setup.options,
        )

    def _clean(self) -> None:
        if self._ends_stragglers:
            end_all_others()
        self._scratch.clean()


def _type_of(source: Source, task: wire.Task) -> str:
    if task.assembled:
        with source.open() as file:
            return read_header(file.read(task.volumes[0].length)).media_type
    return detect(source.open, source.size, task.name)


def _empty(task: wire.Task) -> wire.Done:
    return wire.Done(task=task.id, outcome=Outcome.EMPTY, detail="no bytes")


def _with_missing(done: wire.Done, missing: Sequence[str]) -> wire.Done:
    """The work on a set is partial at best where a volume is missing."""
    done.problems += [
        Problem(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=f"the volume {suffix} is missing") for suffix in missing
    ]
    if missing and done.outcome is Outcome.SUCCESS:
        done.outcome, done.detail = Outcome.PARTIAL, f"the volume {missing[0]} is missing"
    return done
