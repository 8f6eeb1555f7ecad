"""Takes what a handler yields; what it found to be of another format goes to those who read that. In the child."""

from dataclasses import replace
from pathlib import Path

from redwell.core.errors import BadInput, Restart, Unsupported
from redwell.core.handler import Options, ReadAs, Source, StandsFor
from redwell.core.wire import ChildExit
from redwell.handlers.detect.detect import detect
from redwell.handlers.host.attempt import Attempt
from redwell.handlers.host.candidates import Candidates
from redwell.handlers.host.frame_writer import FrameWriter, Gone, has_filled
from redwell.handlers.host.members import Dropped, NeedsOwnTask
from redwell.handlers.host.registry import Handler


class PieceTaker:
    def __init__(self, candidates: Candidates, scratch: Path, writer: FrameWriter) -> None:
        self._candidates, self._scratch, self._writer = candidates, scratch, writer

    def failure(self, handler: Handler, attempt: Attempt, source: Source, options: Options) -> BaseException | None:
        """Anything a handler raises is its own failure, be it no Exception at all, as Rust panics are."""
        try:
            for piece in handler.extract(source, self._scratch, options):
                if isinstance(piece, StandsFor):
                    return self._failure_of_native(piece, attempt, options)
                if isinstance(piece, ReadAs):
                    return self._failure_inside(piece, attempt, replace(options, media_type=piece.media_type))
                attempt.take(piece)
        except (Gone, NeedsOwnTask):
            raise
        except BaseException as error:
            if has_filled(error):
                raise Gone(ChildExit.DISK_FULL) from None
            return error
        return None

    def _failure_inside(self, found: ReadAs, attempt: Attempt, options: Options) -> BaseException | None:
        """What a handler found inside goes to those who read it, one after the other as a document does."""
        error: BaseException | None = Unsupported(f"no handler for {found.media_type}")
        for handler in self._candidates.of(found.media_type, found.source):
            error = self.failure(handler, attempt, found.source, options)
            has_given = attempt.fruitful or attempt.members.count
            if error is None or has_given or isinstance(error, Restart) or not worth_another(error):
                break
        return error

    def _failure_of_native(self, given: StandsFor, attempt: Attempt, options: Options) -> BaseException | None:
        """The document is of the type of what it stands for; what was told of it before counts."""
        media_type = detect(given.source.open, given.source.size, given.name)
        kind = next((h.spec.kind for h in self._candidates.of(media_type, given.source)), "other")
        done, members = attempt.done, attempt.members
        pages, container, declared = done.pages, done.container, done.declared
        done.media_type, done.kind = media_type, kind
        if not given.read:
            return None
        if not given.unpack:
            attempt.members = Dropped(done.task, options.max_members, self._writer, hold=False)
        inside = replace(options, name=given.name, media_type=media_type, volumes=(), synthetic=False)
        error = self._failure_inside(ReadAs(media_type=media_type, source=given.source), attempt, inside)
        done.pages = pages or done.pages
        if not given.unpack:
            attempt.members, done.container, done.declared = members, container, declared
        return error


def worth_another(error: BaseException) -> bool:
    """Another handler may mend a crash or a refusal; not a locked, damaged, empty or giant file."""
    return isinstance(error, Unsupported) or not isinstance(error, BadInput | MemoryError)
