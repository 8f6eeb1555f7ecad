"""The task of a set of volumes, or of one of its volumes, from the claim on it. Used by the case's work thread."""

from collections.abc import Callable
from pathlib import Path

from redwell.core import wire
from redwell.core.blobs import Location
from redwell.core.records import Claim
from redwell.core.volumes import PART, in_one_run, missing, scheme_in, suffix_of

Place = Callable[[bytes, Location], tuple[Path, int]]


def with_volumes(task: wire.Task, claim: Claim, place: Place) -> wire.Task:
    """The same task, knowing what its document is in a set; most are in none."""
    task.volume = claim.context == PART
    if scheme := scheme_in(claim.context):
        numbers = [volume.number for volume in claim.volumes]
        read = set(in_one_run(scheme, numbers))
        for volume in (each for each in claim.volumes if each.number in read):
            path, offset = place(volume.sha256, volume.location)
            length, suffix = volume.location.length, suffix_of(scheme, volume.number)
            task.volumes.append(
                wire.Volume(number=volume.number, suffix=suffix, path=str(path), offset=offset, length=length)
            )
        task.missing = missing(scheme, numbers)
    return task
