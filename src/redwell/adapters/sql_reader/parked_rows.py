"""What happened to a dead letter before it was one, out of the journal: warnings, and the error that ended it."""

import msgspec

from redwell.adapters.sql_reader.session import Session
from redwell.core.case.rows import FailedAttempt
from redwell.core.events.event import EventType
from redwell.core.events.packed import About, PackedEvents
from redwell.core.jobs.loader_life import Life

_TOLD = f"SELECT type, body FROM event WHERE type IN ('{EventType.WARNING}', '{EventType.ERROR}') ORDER BY id"
_LOADERS = "SELECT key, value FROM case_info WHERE key LIKE 'loader %'"
_life = msgspec.json.Decoder(Life).decode
_unpack = msgspec.json.Decoder(PackedEvents).decode


def failures(session: Session, work: int) -> list[FailedAttempt]:
    found = []
    for kind, body in session.stream(_TOLD):
        packed = _unpack(body)
        if packed.about is not About.WORKS:
            continue
        for group in packed.groups:
            if work in group.keys:
                last = kind == EventType.ERROR
                found.append(FailedAttempt(packed.timestamp, last, group.outcome, group.reason))
    return found


def loaders(session: Session) -> dict[int, Life]:
    return {int(key.rpartition(" ")[2]): _life(value) for key, value in session.all(_LOADERS)}
