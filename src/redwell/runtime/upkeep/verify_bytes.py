"""Reads every stored byte of a case again and compares it with its hashes. Called by verify."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, groupby, islice

from redwell.core.blobs import Digests, Hashing
from redwell.core.case.findings import Check, Finding
from redwell.core.errors import RedwellError
from redwell.ports.audit import Audit, Kept
from redwell.ports.blob_store import BlobReader
from redwell.runtime.upkeep.verify_counts import Account

BLOBS_AT_ONCE = 200_000  # sorted in memory, some 100 bytes each
NAMED_AT_ONCE = 500
NAMED_PER_PACK = 3
_UNREADABLE = (RedwellError, OSError, ValueError, TypeError, AttributeError)  # the last three: of a row by hand


@dataclass(frozen=True, slots=True)
class Damage:
    detail: str
    sha256s: tuple[bytes, ...]  # of some of the blobs that it hits


class StoredBytes:
    """Goes through the packs from beginning to end, each once."""

    def __init__(self, audit: Audit, blobs: BlobReader, account: Account) -> None:
        self._audit, self._blobs, self._account = audit, blobs, account

    def findings(self) -> Iterator[Finding]:
        """Names an exhibit with everything that is damaged; the names are looked up for many at once."""
        damages = (damage for first, last in self._ranges() for damage in self._damages(first, last))
        while some := list(islice(damages, NAMED_AT_ONCE)):
            names = self._audit.affected([sha256 for damage in some for sha256 in damage.sha256s])
            for damage in some:
                hit, *others = (names.get(sha256) or f"blob {_hex(sha256)}" for sha256 in damage.sha256s)
                yield Finding(Check.BYTES, hit, damage.detail + "".join(f"; also of {other}" for other in others))

    def _ranges(self) -> Iterator[tuple[str, str]]:
        """Neighbouring packs, together few enough to be sorted in memory."""
        group: list[str] = []
        total = 0
        for pack, count in self._audit.packs():
            if group and total + count > BLOBS_AT_ONCE:
                yield group[0], group[-1]
                group, total = [], 0
            group, total = [*group[:1], pack], total + count
        if group:
            yield group[0], group[-1]

    def _damages(self, first: str, last: str) -> Iterator[Damage]:
        for pack, blobs in groupby(self._audit.blobs(first, last), key=lambda kept: kept.location.pack):
            if pack:
                yield from self._in_pack(blobs)
            else:
                for kept in blobs:
                    yield from self._checked(kept)

    def _in_pack(self, blobs: Iterator[Kept]) -> Iterator[Damage]:
        first = next(blobs)
        try:
            self._blobs.check_pack(first.location.pack)
        except _UNREADABLE as error:
            some = [first.sha256, *(kept.sha256 for kept in islice(blobs, NAMED_PER_PACK - 1))]
            count = len(some) + sum(1 for _ in blobs)
            yield Damage(f"{error}; {count:,} contents were in it", tuple(some))
            return
        for kept in chain([first], blobs):
            yield from self._checked(kept)

    def _checked(self, kept: Kept) -> Iterator[Damage]:
        self._account.blobs += 1
        try:
            wrong = self._wrong(kept)
        except _UNREADABLE as error:
            wrong = str(error)
        if wrong:
            place = (
                f"{kept.location.length} bytes at {kept.location.offset} of {kept.location.pack or 'their own file'}"
            )
            yield Damage(f"{place}: {wrong}", (kept.sha256,))

    def _wrong(self, kept: Kept) -> str:
        """What is wrong with one blob; empty when nothing is."""
        hashing = Hashing(identity=kept.native is None)
        for part in self._blobs.stored(kept.sha256, kept.location):
            hashing.add(part)
        found = hashing.digests
        self._account.bytes += kept.location.length
        expected = kept.native or Digests(kept.sha256, b"", b"")
        wrong = [name for name in ("sha256", "sha1", "md5") if getattr(found, name) != getattr(expected, name)]
        return f"they do not match {' and '.join(wrong)}" if wrong else ""


def _hex(sha256: object) -> str:
    return sha256.hex() if isinstance(sha256, bytes) else repr(sha256)
