"""What happened to a dead letter before it was one, out of the journal; and how far loaders and uploaders are."""

import msgspec
from msgspec import structs

from redwell.adapters.sql_reader.session import Session
from redwell.core.case.rows import FailedAttempt, SlowWork
from redwell.core.events.event import EventType
from redwell.core.events.packed import About, PackedEvents
from redwell.core.jobs.loader_life import Life
from redwell.core.viewing.uploader_life import UploaderLife

_TOLD = f"SELECT type, body FROM event WHERE type IN ('{EventType.WARNING}', '{EventType.ERROR}') ORDER BY id"
_LATELY = f"""SELECT type, body FROM event WHERE id > (SELECT coalesce(max(id), 0) - 20000 FROM event)
AND type IN ('{EventType.WARNING}', '{EventType.ERROR}') ORDER BY id"""
_A_PLACE = """SELECT i.path FROM derivation d JOIN ingestion i ON i.document = d.document WHERE d.id = :work
ORDER BY i.id LIMIT 1"""
_LOADERS = "SELECT key, value FROM case_info WHERE key LIKE 'loader %'"
_UPLOADERS = "SELECT key, value FROM case_info WHERE key LIKE 'uploader %'"
_life = msgspec.json.Decoder(Life).decode
_uploader_life = msgspec.json.Decoder(UploaderLife).decode
_unpack = msgspec.json.Decoder(PackedEvents).decode


def slow(session: Session, limit: int) -> list[SlowWork]:
    found: dict[int, SlowWork] = {}
    for _, body in session.all(_LATELY):
        packed = _unpack(body)
        if packed.about is not About.WORKS:
            continue
        for group in packed.groups:
            for key in group.keys:
                before = found.pop(key).attempts if key in found else 0
                task = str(packed.detail.get("task", ""))
                found[key] = SlowWork(key, task, "", before + 1, group.outcome, group.reason, packed.timestamp)
    latest = list(found.values())[: -limit - 1 : -1]
    return [structs.replace(each, path=_path(session, each.work)) for each in latest]


def _path(session: Session, work: int) -> str:
    return next((str(path) for (path,) in session.all(_A_PLACE, work=work)), "")


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


def uploaders(session: Session) -> dict[int, UploaderLife]:
    return {int(key.rpartition(" ")[2]): _uploader_life(value) for key, value in session.all(_UPLOADERS)}
