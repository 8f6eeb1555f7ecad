"""Takes the tasks of a message one after the other, and sends what came of each.

Used by `host`, in the sandboxed host process; nothing outside it trusts what happens here.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing

from redwell.core import wire
from redwell.core.errors import BadInput, Unsupported
from redwell.core.handler import Options, Source, Volume
from redwell.core.media import detect
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.attempt import Attempt
from redwell.handlers.inside import Inside
from redwell.handlers.joined_source import JoinedSource
from redwell.handlers.members import Members, NeedsOwnTask, NoMembers
from redwell.handlers.outlet import Gone, Outlet
from redwell.handlers.registry import Handler
from redwell.handlers.sandbox.namespaces import end_all_others
from redwell.handlers.scratch_folder import ScratchFolder
from redwell.handlers.source import BytesSource, Incomplete, Opened, TaskSource
from redwell.handlers.volumes import are_a_set, stands_alone

_HEAD = 4096
_READ = {Outcome.SUCCESS, Outcome.PARTIAL, Outcome.PASSWORD_PROTECTED}


class Workbench:
    def __init__(self, setup: wire.Setup, handlers: Sequence[Handler], outlet: Outlet, *, own_pids: bool) -> None:
        self._handlers = handlers
        self._by_type: dict[str, list[Handler]] = {}
        self._scratch = ScratchFolder(setup.scratch)
        self._limits = setup.options
        self._outlet = outlet
        self._inside = Inside(outlet, self._member)
        self._opened = Opened()
        self._out_of_memory = False
        self._ends_stragglers = setup.processes and own_pids

    def work(self, message: wire.Message) -> None:
        """Every task of the message, in order; each is flushed when it ends, as its clock stops then."""
        self._outlet.begin_message(message.spool)
        for left, task in zip(reversed(range(len(message.tasks))), message.tasks, strict=True):
            self._outlet.begin_document()
            self._outlet.frame(self._document(task))
            self._outlet.flush()
            self._clean()
            if self._out_of_memory or (left and self._outlet.crowded):
                raise Gone(wire.ChildExit.RECYCLE)

    def _document(self, task: wire.Task) -> wire.Done:
        if task.length == 0:
            return _empty(task)
        try:
            source = TaskSource(task, self._opened, self._scratch.path)
            if task.volume:
                return self._volume(task, source)
            return self._set(task, source) if task.volumes else self._extract(task, source)
        except Incomplete as error:
            problem = wire.Problem(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=str(error))
        except OSError as error:
            problem = wire.Problem(code=Code.SOURCE_UNREADABLE, detail=str(error.strerror))
        return wire.Done(task=task.id, outcome=Outcome.INVALID_FILE, detail=problem.detail, problems=[problem])

    def _member(self, task: wire.Task, data: bytes) -> wire.Done:
        """What was held back of the document before, as a document of its own; NeedsOwnTask where it can't be."""
        self._clean()
        if self._out_of_memory:
            raise NeedsOwnTask
        source = BytesSource(data, task.name, self._scratch.path)
        return self._extract(task, source, NoMembers) if data else _empty(task)

    def _volume(self, task: wire.Task, source: Source) -> wire.Done:
        """A volume that is not its set's head; what is a document by itself is read as one."""
        media_type = detect(source.open, source.size, task.name)
        for handler in self._candidates(media_type, source):
            if stands_alone(source, media_type, handler.spec.kind):
                done = self._extract(task, source)
                if done.outcome in _READ or done.container:
                    return done
            break
        return wire.Done(task=task.id, outcome=Outcome.SUCCESS, media_type=media_type, kind="volume")

    def _set(self, task: wire.Task, head: Source) -> wire.Done:
        with closing(JoinedSource(task.volumes, self._scratch.path)) as joined:
            if are_a_set(self._options(task, "").volumes, head, joined.volume):
                return _with_missing(self._extract(task, joined), task.missing)
        task.volumes = []
        return self._extract(task, head)

    def _extract(self, task: wire.Task, source: Source, kind: type[Members] = Members) -> wire.Done:
        """Try handlers by score until one succeeds, or has already sent members."""
        options = self._options(task, detect(source.open, source.size, task.name))
        best: Attempt | None = None
        failures: list[wire.Problem] = []
        for handler in self._candidates(options.media_type, source):
            members = kind(task.id, options.max_members, self._outlet, hold=task.inside)
            attempt = Attempt(task.id, handler.spec, options, self._outlet, members)
            error = self._run(handler, attempt, source, options)
            if error is None or attempt.members.count or not _worth_another(error):
                best = attempt
                break
            if best is None or (attempt.fruitful and not best.fruitful):
                best = attempt
            failures = [*failures, *attempt.done.problems]
        if best is None:
            return wire.Done(
                task=task.id,
                outcome=Outcome.UNSUPPORTED,
                detail=f"no handler for {options.media_type}",
                media_type=options.media_type,
            )
        if held := best.members.take_held():
            self._inside.send(task, held, best.text_bytes)
        done = best.finish()
        done.problems += [problem for problem in failures if problem not in done.problems]
        return done

    def _run(self, handler: Handler, attempt: Attempt, source: Source, options: Options) -> BaseException | None:
        """Anything a handler raises is its own failure, be it no Exception at all, as Rust panics are."""
        try:
            for piece in handler.extract(source, self._scratch.path, options):
                attempt.take(piece)
        except (Gone, NeedsOwnTask):
            raise
        except BaseException as error:
            self._out_of_memory = self._out_of_memory or isinstance(error, MemoryError)
            attempt.fail(error)
            return error
        return None

    def _candidates(self, media_type: str, source: Source) -> Iterator[Handler]:
        """Those for the type, and those that ask to see the bytes and want them."""
        if media_type not in self._by_type:
            offered = [h for h in self._handlers if media_type in h.spec.media_types or not h.spec.media_types]
            self._by_type[media_type] = offered
        return (h for h in self._by_type[media_type] if h.spec.media_types or _probes(h, source))

    def _options(self, task: wire.Task, media_type: str) -> Options:
        return Options(
            name=task.name,
            media_type=media_type,
            passwords=tuple(task.passwords),
            after=task.after,
            skip=frozenset(task.skip),
            synthetic=task.synthetic,
            volumes=tuple(Volume(number=v.number, suffix=v.suffix, size=v.length) for v in task.volumes),
            **self._limits,
        )

    def _clean(self) -> None:
        if self._ends_stragglers:
            end_all_others()
        self._scratch.clean()


def _empty(task: wire.Task) -> wire.Done:
    return wire.Done(task=task.id, outcome=Outcome.EMPTY, detail="no bytes")


def _probes(handler: Handler, source: Source) -> bool:
    with source.open() as opened:
        head = opened.read(_HEAD)
    try:
        return handler.probe(head)
    except Exception:
        return False


def _with_missing(done: wire.Done, missing: Sequence[str]) -> wire.Done:
    """The work on a set is partial at best where a volume is missing."""
    done.problems += [
        wire.Problem(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=f"the volume {suffix} is missing")
        for suffix in missing
    ]
    if missing and done.outcome is Outcome.SUCCESS:
        done.outcome, done.detail = Outcome.PARTIAL, f"the volume {missing[0]} is missing"
    return done


def _worth_another(error: BaseException) -> bool:
    """Another handler may mend a crash or a refusal; not a locked, damaged, empty or giant file."""
    return isinstance(error, Unsupported) or not isinstance(error, BadInput | MemoryError)
