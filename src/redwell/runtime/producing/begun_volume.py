"""The folder of a volume that is being written: `NAME.part` until all of it is in order.

A note in it says whose it is, and stays until the case knows that the volume was written: of a run that was killed
between the two the same command does what is left.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from redwell.core.errors import UserError
from redwell.core.production.values import Production
from redwell.core.trip import trip
from redwell.produce.out_folder import OutFolder
from redwell.produce.volume_writing import WORK, Plan

JOURNAL, NOTE = ".journal.jsonl", ".production.json"


@contextmanager
def begun(target: Path, plan: Plan) -> Iterator[OutFolder]:
    """The folder that is being written, of this run or one before it; it gets its name when all went well.

    What was begun with other redactions is of no use, and goes.
    """
    if target.exists():
        raise UserError(_there_already(target))
    part = target.with_name(f"{target.name}.part")
    note = _note_of(plan)
    if (part / NOTE).exists() and (before := (part / NOTE).read_bytes()) != note:
        if msgspec.json.decode(before)[:-1] != msgspec.json.decode(note)[:-1]:
            raise UserError(f"{part} was begun for another production or other options: remove it, or go on with those")
        for each in part.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    out = OutFolder(part)
    out.put(NOTE, [note])
    yield out
    trip("production.before_rename")
    (part / JOURNAL).unlink(missing_ok=True)
    shutil.rmtree(part / WORK, ignore_errors=True)
    _sync(part)
    os.rename(part, target)
    trip("production.after_rename")


def is_unrecorded(target: Path, plan: Plan) -> bool:
    """Whether it is whole, and nothing but the record of that is missing."""
    return (target / NOTE).exists() and (target / NOTE).read_bytes() == _note_of(plan)


def recorded(target: Path) -> None:
    (target / NOTE).unlink(missing_ok=True)


def refuse_finished(target: Path) -> None:
    """Before anything is begun beside it."""
    if target.exists() and not (target / NOTE).exists():
        raise UserError(_there_already(target))


def _there_already(target: Path) -> str:
    return f"{target} is there already, and nothing is written over: choose another folder"


def _note_of(plan: Plan) -> bytes:
    boxes = msgspec.json.encode([each for key in sorted(plan.redactions) for each in plan.redactions[key]])
    made: Production = plan.production
    options = hashlib.sha256(repr(plan.options).encode()).hexdigest()
    return msgspec.json.encode([made.name, made.created_ms, options, hashlib.sha256(boxes).hexdigest()])


def _sync(folder: Path) -> None:
    """What has the name survives a power cut."""
    for at, _, files in os.walk(folder):
        for name in [*files, "."]:
            descriptor = os.open(os.path.join(at, name), os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
