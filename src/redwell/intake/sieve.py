"""Leaves files out before they are processed: by rules, and by a list of known files. Runs in the importing process.

Only loose files pass here. What lies inside mails and archives stays with its family. A type is told by core.media's
rules over a bounded part of the file, which parse nothing; whatever looks further into evidence does so in a child.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import BinaryIO

from msgspec.structs import replace

from redwell.core.blobs import Stored
from redwell.core.culling import Rules, may_be_known
from redwell.core.media import detect
from redwell.core.outcomes import Outcome
from redwell.core.records import Found, Read
from redwell.ports.blob_store import BlobStore
from redwell.ports.known_files import KnownFiles


class Sieve:
    def __init__(self, rules: Rules, known: KnownFiles | None, blobs: BlobStore) -> None:
        self._rules, self._known, self._blobs = rules, known, blobs

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
        if self._known is None and not self._rules.look_at_types:
            return reads
        return [self._sieved(read) for read in reads]

    def _sieved(self, read: Read) -> Read:
        if read.stored is None:
            return read
        reason = self._known_reason(read.stored) or self._type_reason(read.stored, read.name)
        return replace(read, outcome=Outcome.FILTERED, detail=reason) if reason else read

    def _known_reason(self, stored: Stored) -> str:
        md5 = stored.digests.md5
        if self._known is None or not may_be_known(md5, stored.size) or md5 not in self._known:
            return ""
        return f"a known file: MD5 {md5.hex()} is in {self._known.name}"

    def _type_reason(self, stored: Stored, name: str) -> str:
        if not self._rules.look_at_types:
            return ""
        return self._rules.of_type(detect(partial(self._opened, stored), stored.size, name))

    def _opened(self, stored: Stored) -> BinaryIO:
        return self._blobs.open(stored.digests.sha256, stored.location)
