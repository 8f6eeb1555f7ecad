"""One handler's attempt at one document: its pieces become frames, and in the end a Done.

Made by the host, in the child. Nothing a handler yields is trusted to fit a frame.
"""

from collections.abc import Callable
from functools import cache

from redwell.core import handler as piece
from redwell.core import wire
from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import BadInput, TooLarge
from redwell.core.handler import HandlerSpec, MetaValue, Options, Piece
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.handlers.host.clean_values import detail_of, plain, plain_metadata
from redwell.handlers.host.frame_writer import FrameWriter
from redwell.handlers.host.members import Members, bytes_of
from redwell.handlers.host.text_buffer import TextBuffer
from redwell.handlers.host.waiting_artifacts import WaitingArtifacts, size_of

_PROBLEMS = 500
_TYPE_CHARS = 200
_FINAL = {Outcome.PASSWORD_PROTECTED, Outcome.EMPTY, Outcome.UNSUPPORTED}


class Attempt:
    def __init__(self, task: int, spec: HandlerSpec, options: Options, writer: FrameWriter, members: Members) -> None:
        self.members = members
        self._writer = writer
        self._text = TextBuffer(options.max_text_chars)
        self._made: list[wire.Made] = []
        self._waiting = WaitingArtifacts()
        self._final: dict[str, MetaValue] = {}
        self._partial = False
        self._name, self._passwords = spec.name, options.passwords
        self.done = wire.Done(
            task=task,
            outcome=Outcome.SUCCESS,
            media_type=options.media_type,
            kind=spec.kind,
            handler=f"{spec.name}/{spec.version}",
            metadata={},
            problems=[],
        )

    @property
    def fruitful(self) -> bool:
        """Something came out that would be lost if this attempt were thrown away."""
        return bool(self.members.with_bytes or self._text.chars or self._made or self._waiting)

    @property
    def text_bytes(self) -> int:
        """How long its text may be in the spool, with what goes there together with it."""
        return 4 * self._text.chars + self._waiting.bytes

    def take(self, part: Piece) -> None:
        """Pass one piece on, or keep it for the end. A piece of no known kind is the handler's error."""
        match part:
            case piece.Text():
                if not self._text.add(part.text):
                    self.trouble(Code.LIMIT_REACHED, f"text ends after {self._text.chars} characters (max_text_chars)")
            case piece.Metadata():
                (self._final if part.is_final else self.done.metadata).update(part.values)
            case piece.Pages():
                self.done.pages = int(part.count)
            case piece.Contents():
                self.done.container, self.done.declared = True, part.declared
            case piece.Trouble():
                self.trouble(part.code, part.detail, partial=part.partial)
            case piece.Opening():
                self.members.open(part)
            case piece.Child() | piece.Lost() | piece.Skipped():
                self.members.add(part)
            case piece.Artifact():
                self._make(part)
            case _:
                raise TypeError(f"a handler yields pieces, not {type(part).__name__}")

    def _make(self, part: piece.Artifact) -> None:
        """It waits for the members that may still come; the pages of a rendition, which has none, go at once."""
        made = self._artifact(part)
        if isinstance(part.data, piece.GivenPart):
            self._made.append(made)
        elif part.number:
            made.data = self._writer.put(bytes_of(part.data))
            self._made.append(made)
        else:
            self._writer.see_room_for(self._waiting.bytes + size_of(part.data))
            self._waiting.add(made, part.data)

    def _artifact(self, part: piece.Artifact) -> wire.Made:
        given = part.data if isinstance(part.data, piece.GivenPart) else None
        return wire.Made(
            kind=part.kind,
            data=None,
            part=given.number if given else None,
            media_type=plain(part.media_type, _TYPE_CHARS),
            number=part.number,
            last=part.last,
            amount=part.amount,
            figures=dict(part.figures),
        )

    def trouble(self, code: Code, detail: str, *, partial: bool = True) -> None:
        self._partial = self._partial or partial
        if len(self.done.problems) < _PROBLEMS:
            self.done.problems.append(Problem(code=Code(code), detail=detail_of(detail)))

    def fail(self, error: BaseException) -> None:
        """End with what the error says. What already came out is kept, so the document is partial then."""
        if isinstance(error, BadInput):
            self._fail_as_told(error)
        elif isinstance(error, MemoryError):
            self._end(Outcome.OUT_OF_MEMORY, "the address space of the child was used up")
        else:
            reason = f"{self._name}: {type(error).__name__}: {error}"
            self.trouble(Code.HANDLER_ERROR, reason)
            self._end(Outcome.PARTIAL if self.fruitful else Outcome.INVALID_FILE, reason)

    def _fail_as_told(self, error: BadInput) -> None:
        if error.outcome in _FINAL or not self.fruitful:
            self._end(error.outcome, str(error))
            return
        limit = isinstance(error, TooLarge)
        self.trouble(Code.LIMIT_REACHED if limit else Code.FILE_MISSING_OR_INCOMPLETE, str(error))
        self._end(Outcome.PARTIAL, str(error))

    def _end(self, outcome: Outcome, detail: str) -> None:
        self.done.outcome, self.done.detail = outcome, detail_of(detail)

    def finish(self) -> wire.Done:
        """The last frame of the document. Its text goes to the spool now, in one run."""
        done = self.done
        self._spool_text()
        done.made = self._made
        self._tell_language()
        done.metadata.update(self._final)
        if isinstance(self._passwords, piece.Passwords) and self._passwords.has_opened:
            done.metadata["opened_with_password"] = True
        done.metadata, left_out = plain_metadata(done.metadata)
        if left_out:
            self.trouble(Code.METADATA_UNAVAILABLE, f"{left_out} fields are over the size limit", partial=False)
        if self._partial and done.outcome is Outcome.SUCCESS:
            done.outcome, done.detail = Outcome.PARTIAL, next((p.detail for p in done.problems), "")
        return done

    def _spool_text(self) -> None:
        try:
            for made, parts in self._waiting.take():
                made.data = self._writer.put(parts)
                self._made.append(made)
            if self._text.chars:
                text = self._writer.put(self._text.parts())
                self._made.append(wire.Made(kind=ArtifactKind.TEXT, data=text, amount=self._text.chars))
        except TooLarge as error:
            self.trouble(Code.LIMIT_REACHED, str(error))
        self._text.close()

    def _tell_language(self) -> None:
        if self._text.chars and (language := _telling()(self._text.head)):
            self.done.metadata["language"] = language


@cache
def _telling() -> Callable[[str], str]:
    """Imported when the first text is there: the model is loaded with it."""
    from redwell.handlers.structures.language import language_of

    return language_of
