"""Members of an archive become pieces, one by one, whatever the format. Used by the archive handlers in a child."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from redwell.core.errors import BadInput, InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Child, Lost, Metadata, MetaValue, Opening, Options, Piece, Skipped, Trouble
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.unpacking.known_exports import recognised
from redwell.handlers.unpacking.size_limits import ArchiveLimit

_ENOUGH_PATHS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One entry. `take_out` is called at most once, before the next entry is asked for."""

    name: str
    take_out: Callable[[], bytes | Path]
    no_document: str = ""  # what it is, where it is no document
    metadata: Mapping[str, MetaValue] = field(default_factory=dict)


def unpack(members: Iterable[Member], options: Options) -> Iterator[Piece]:
    """Every member that is still to be taken out. The locator is its index; one that fails costs itself alone."""
    settled, paths = _Settled(), set[str]()
    try:
        for locator, member in _pending(_noted(members, paths), options):
            if member is None:
                detail = f"members beyond max_members={options.max_members} were not taken out"
                yield Trouble(code=Code.LIMIT_REACHED, detail=detail)
                break
            yield from settled.pieces(locator, member)
            if settled.limit:
                yield Trouble(code=Code.LIMIT_REACHED, detail=f"{settled.limit}; what follows was not taken out")
                return
    except InvalidFile as error:
        if options.after is None:
            raise
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=str(error))  # the first reading gave members
    if kind := recognised(paths):
        yield Metadata(values={"package": kind})
    settled.judge(options)


def _noted(members: Iterable[Member], paths: set[str]) -> Iterator[Member]:
    """The first paths are enough to know an export by."""
    for member in members:
        if len(paths) < _ENOUGH_PATHS:
            paths.add(member.name)
        yield member


def _pending(members: Iterable[Member], options: Options) -> Iterator[tuple[str, Member | None]]:
    """As `core.handler.pending`, for members that are listed while they are read; None stands for too many."""
    waiting = options.after is not None
    for index, member in enumerate(members):
        locator = str(index)
        if waiting:
            waiting = locator != options.after
        elif index >= options.max_members:
            yield locator, None
            return
        elif locator not in options.skip:
            yield locator, member


class _Settled:
    """What has become of the members so far."""

    def __init__(self) -> None:
        self.taken = 0
        self.lost: set[Outcome] = set()
        self.limit = ""

    def pieces(self, locator: str, member: Member) -> Iterator[Piece]:
        if member.no_document:
            yield Skipped(locator=locator, reason=member.no_document)
            return
        yield Opening(locator=locator, name=member.name)
        try:
            data = member.take_out()
            self.taken += 1
            yield Child(locator=locator, name=member.name, data=data, metadata=member.metadata)
        except BadInput as error:
            self.lost.add(error.outcome)
            self.limit = str(error) if isinstance(error, ArchiveLimit) else ""
            yield Lost(locator=locator, name=member.name, outcome=error.outcome, detail=str(error))

    def judge(self, options: Options) -> None:
        """Name the archive's own end: protected when a member is, so that a retry opens it; else as all members."""
        if Outcome.PASSWORD_PROTECTED in self.lost:
            raise PasswordProtected("members of the archive need a password")
        if self.taken == 0 and options.after is None and self.lost == {Outcome.UNSUPPORTED}:
            raise Unsupported("its members are packed by methods that are not read")
        if self.taken == 0 and options.after is None and self.lost == {Outcome.INVALID_FILE}:
            raise InvalidFile("none of its members can be taken out")
