"""The frames that send claimed documents to a child. Used by the case's work thread."""

from collections.abc import Callable, Sequence
from pathlib import Path

from redwell.core import wire
from redwell.core.blobs import Location
from redwell.core.work.lanes import Lane
from redwell.core.work.page_ranges import range_in, reading_in
from redwell.core.work.records import Claim, ClaimedVolume
from redwell.core.work.volumes import PART, in_one_run, missing, name_in, scheme_in, suffix_of

Place = Callable[[bytes, Location], tuple[Path, int]]


def tasks_of(claims: Sequence[Claim], place: Place, passwords: list[str], *, unpack: bool) -> list[wire.Task]:
    """A task for each claim; `place` says where its bytes lie. Without `unpack` containers are left as they are."""
    return [_with_volumes(_task(claim, place, passwords, unpack), claim, place) for claim in claims]


def _task(claim: Claim, place: Place, passwords: list[str], unpack: bool) -> wire.Task:
    """The name says no more than the derivation's key does."""
    path, offset = place(claim.sha256, claim.location)
    pages = range_in(claim.context)
    return wire.Task(
        id=claim.id,
        path=str(path),
        offset=offset,
        length=claim.location.length,
        name=name_in(reading_in(claim.context)),
        passwords=passwords,
        after=claim.after,
        skip=list(claim.skip),
        synthetic=claim.synthetic,
        unpack=unpack,
        as_task=claim.task,
        engine=claim.engine,
        plain=claim.plain,
        first_page=pages.first,
        last_page=pages.last,
        # later attempts are plain, and there are some: what kills a child must be told from its container
        inside=claim.attempt == 1 and claim.lane is Lane.SMALL,
    )


def part_of(part: ClaimedVolume, place: Place) -> wire.Volume:
    path, offset = place(part.sha256, part.location)
    length, suffix = part.location.length, f"part {part.number}"
    return wire.Volume(number=part.number, suffix=suffix, path=str(path), offset=offset, length=length)


def _with_volumes(task: wire.Task, claim: Claim, place: Place) -> wire.Task:
    """The same task, knowing what its document is in a set; most are in none."""
    task.volume = claim.context == PART
    if claim.is_assembled:
        task.assembled = bool(claim.volumes)
        task.volumes = [part_of(each, place) for each in claim.volumes]
        return task
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
    elif claim.volumes:
        task.volumes = [part_of(volume, place) for volume in claim.volumes]
    return task
