"""The folder of a volume that is being written: `NAME.part` until all of it is in order."""

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
        raise UserError(f"{target} is there already, and nothing is written over: choose another folder")
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
    for name in (JOURNAL, NOTE):
        (part / name).unlink(missing_ok=True)
    shutil.rmtree(part / WORK, ignore_errors=True)
    _sync(part)
    os.rename(part, target)
    trip("production.after_rename")


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
