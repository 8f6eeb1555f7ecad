"""Claims on documents that name other contents (core.loadfiles.assembly): where those lie. Used by the work thread."""

import os
from collections.abc import Sequence

from msgspec import structs

from redwell.core.blobs import Location
from redwell.core.errors import BadInput
from redwell.core.loadfiles.assembly import MAX_HEADER, MOST_PARTS, Header, read_header
from redwell.core.work.records import Claim, ClaimedVolume
from redwell.runtime.bootstrap.open_case import Case


def with_parts(case: Case, claims: list[Claim]) -> list[Claim]:
    """The same claims, each with what its document names; those too many for one message go back."""
    if not any(claim.is_assembled for claim in claims):
        return claims
    taken, parts = list[Claim](), 0
    for claim in claims:
        known = structs.replace(claim, volumes=_parts(case, claim)) if claim.is_assembled else claim
        parts += len(known.volumes)
        if taken and parts > MOST_PARTS:
            break
        taken.append(known)
    if left := claims[len(taken) :]:
        case.store.release([(claim.id, claim.attempt) for claim in left])
    return taken


def _parts(case: Case, claim: Claim) -> tuple[ClaimedVolume, ...]:
    """The document first. Nothing where it names a content that the case has not: then it is read as it is."""
    own = ClaimedVolume(number=0, sha256=claim.sha256, location=claim.location)
    try:
        named = [bytes.fromhex(part.sha256) for part in _header(case, claim).parts]
    except BadInput:
        return ()
    known: dict[bytes, Location] = case.store.known_blobs(sorted(set(named))) if named else {}
    if any(sha256 not in known for sha256 in named):
        return ()
    return (own, *_numbered(named, known))


def _numbered(named: Sequence[bytes], known: dict[bytes, Location]) -> list[ClaimedVolume]:
    return [ClaimedVolume(number=n, sha256=sha256, location=known[sha256]) for n, sha256 in enumerate(named, 1)]


def _header(case: Case, claim: Claim) -> Header:
    path, offset = case.blobs.place(claim.sha256, claim.location)
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return read_header(os.pread(descriptor, min(MAX_HEADER, claim.location.length), offset))
    finally:
        os.close(descriptor)
