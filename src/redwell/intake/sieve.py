"""Leaves files out before they are processed: by rules, and by a list of known files. Runs in the importing process.

Only loose files pass here. What lies inside mails and archives stays with its family. Nothing here looks into a file:
what its type is, a child says.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec.structs import replace

from redwell.core.case.filters import KNOWN_FILE, Rules, may_be_known
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import task_of_reading
from redwell.core.work.records import Found, Read
from redwell.ports.content_types import Content, ContentTypes, Seen
from redwell.ports.known_files import KnownFiles

TRANSCRIPTS = frozenset({"transcript", "pdf", "archive"})  # a PDF may be one, and packages are opened


class Sieve:
    def __init__(self, rules: Rules, known: KnownFiles | None, types: ContentTypes) -> None:
        self._rules, self._known, self._types = rules, known, types

    def before_reading(self, found: Iterable[Found]) -> Iterator[Found]:
        """Each file that was found; one that the rules leave out is FILTERED, with the reason."""
        if not self._rules.look_at_files:
            yield from found
            return
        for file in found:
            reason = "" if file.outcome else self._reason(file)
            yield replace(file, outcome=Outcome.FILTERED, detail=reason) if reason else file

    def _reason(self, file: Found) -> str:
        return self._rules.of_file(file.path, file.size or 0, datetime.fromisoformat(file.dates["modified"]))

    def after_reading(self, reads: list[Read]) -> list[Read]:
        """What only the content tells. The bytes of what is left out stay in the case, with their hashes."""
        if self._known is not None:
            reads = [self._unless_known(read) for read in reads]
        return self._by_type(reads) if self._rules.look_at_types else reads

    def _unless_known(self, read: Read) -> Read:
        if read.stored is None or self._known is None:
            return read
        md5 = read.stored.digests.md5
        if not may_be_known(md5, read.stored.size) or md5 not in self._known:
            return read
        reason = f"{KNOWN_FILE}MD5 {md5.hex()} is in {self._known.name}"
        return replace(read, outcome=Outcome.FILTERED, detail=reason)

    def _by_type(self, reads: list[Read]) -> list[Read]:
        """A child tells the types. What it can't tell is not left out: its outcome will say what is wrong with it."""
        asked = [(at, read.name, read.stored) for at, read in enumerate(reads) if read.stored and not read.outcome]
        seen = self._types.of([Content(s.digests.sha256, s.location, name) for _, name, s in asked])
        judged = list(reads)
        for (at, _, stored), told in zip(asked, seen, strict=True):
            judged[at] = self._judged(reads[at], told, stored.size) if told.media_type else reads[at]
        return judged

    def _judged(self, read: Read, seen: Seen, size: int) -> Read:
        if reason := self._rules.of_type(seen.media_type):
            return replace(read, outcome=Outcome.FILTERED, detail=reason)
        if self._rules.transcripts and size and seen.kind not in TRANSCRIPTS:
            detail = f"{seen.media_type} is no transcript; import it with --type files"
            refused = Problem(code=Code.NO_TRANSCRIPT, detail=detail)
            return replace(read, outcome=Outcome.UNSUPPORTED, problems=(*read.problems, refused))
        if not self._rules.mailboxes or not size:
            return read
        if seen.kind == "mailbox":
            return replace(read, task=task_of_reading(seen.kind))
        told = Problem(code=Code.NO_MAILBOX, detail=f"{seen.media_type} is no mailbox; import it with --type files")
        return replace(read, outcome=Outcome.UNSUPPORTED, problems=(*read.problems, told))
