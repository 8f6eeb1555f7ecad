"""Whether files that are volumes by their names are so by their bytes, too. Used by the task runner in the child.

Anybody may call a file `a.r00`: nothing that is a document by itself may be hidden behind a set.
"""

from collections.abc import Callable, Sequence

from redwell.core.handler import Source, Volume
from redwell.core.work.volumes import LAST, Scheme, place_of
from redwell.handlers.detect.detect import PROGRAMS, UNKNOWN, detect
from redwell.handlers.detect.self_extracting import appended_archive
from redwell.handlers.detect.zip_directory import is_whole

_RAR, _ZIP, _SEVENZIP = "application/vnd.rar", "application/zip", "application/x-7z-compressed"
_ARJ, _CAB = "application/x-arj", "application/vnd.ms-cab-compressed"
_HEAD = 64
_ARJ_MARK, _ARJ_HEADERS, _ARJ_FLAGS_AT = b"\x60\xea", 8192, 8
_ARJ_FOLLOWED, _ARJ_CONTINUED = 4, 8
_CAB_MARK, _CAB_FLAGS_AT, _CAB_LINKED = b"MSCF", 30, 3


def are_a_set(volumes: Sequence[Volume], head: Source, volume_at: Callable[[int], Source]) -> bool:
    """False where the head is whole by itself, or the second file begins as the first does."""
    place = place_of(f"a{volumes[0].suffix}")
    match place.scheme if place else None:
        case Scheme.ZIP:
            return volumes[-1].number != LAST or not _is_whole_zip(head)
        case Scheme.RAR | Scheme.OLD_RAR:
            return not _is_whole_rar(head, _start_of_rar(head))
        case Scheme.ARJ:
            return _type_of(head) == _ARJ and not _is_whole_arj(head)
        case Scheme.CAB:
            places = range(1, len(volumes))
            return _type_of(head) == _CAB and any(map(_is_linked_cabinet, (head, *map(volume_at, places))))
        case _:
            kind = _type_of(head)
            second = volume_at(1) if len(volumes) > 1 else None
            return second is None or kind == UNKNOWN or kind.startswith("text/") or kind != _type_of(second)


def stands_alone(source: Source, media_type: str, kind: str) -> bool:
    """Whether a volume's own bytes are a document; of archives those that are whole. `kind` is its handler's."""
    if media_type == _ZIP:
        return _is_whole_zip(source)
    if media_type == _RAR:
        return _is_whole_rar(source, 0)
    if media_type == _SEVENZIP:
        return _is_whole_sevenzip(source)
    if media_type == _ARJ:
        return _is_whole_arj(source)
    if media_type == _CAB:
        return not _is_linked_cabinet(source)
    return kind != "archive"


def _type_of(source: Source) -> str:
    return detect(source.open, source.size, "")


def _is_whole_zip(source: Source) -> bool:
    with source.open() as file:
        return is_whole(file, source.size)


def _start_of_rar(head: Source) -> int | None:
    """The first volume may unpack itself: then a program stands before the archive."""
    kind = _type_of(head)
    if kind == _RAR:
        return 0
    if kind not in PROGRAMS:
        return None
    with head.open() as file:
        found = appended_archive(file, head.size)
    return found.start if found and found.media_type == _RAR else None


def _is_whole_rar(source: Source, start: int | None) -> bool:
    """Its first header does not say that it is a volume; one that is encrypted says nothing."""
    if start is None:
        return True
    with source.open() as file:
        file.seek(start)
        head = file.read(_HEAD)
    if head[6:7] == b"\0":
        return len(head) > 12 and head[9] == 0x73 and not head[10] & 1
    numbers = _numbers(head[12:])
    if len(numbers) < 5 or numbers[1] != 1:
        return False
    extra = 1 if numbers[2] & 1 else 0
    return not numbers[3 + extra] & 1


def _numbers(data: bytes) -> list[int]:
    """As RAR 5 writes them: size of the header, its type and flags, and what the type asks for."""
    found, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            found.append(value)
            value = shift = 0
    return found


def _is_whole_arj(source: Source) -> bool:
    """Neither does it say that another volume follows, nor does its first member go on from one before."""
    with source.open() as file:
        head = file.read(_ARJ_HEADERS)
    first = head.find(_ARJ_MARK, 4 + int.from_bytes(head[2:4], "little"))
    own, of_first = (head[at + _ARJ_FLAGS_AT] if 0 <= at < len(head) - _ARJ_FLAGS_AT else 0 for at in (0, first))
    return not own & _ARJ_FOLLOWED and not of_first & _ARJ_CONTINUED


def _is_linked_cabinet(source: Source) -> bool:
    """It says that it goes on from another one, or in another one."""
    with source.open() as file:
        head = file.read(_HEAD)
    return head[:4] == _CAB_MARK and len(head) == _HEAD and bool(head[_CAB_FLAGS_AT] & _CAB_LINKED)


def _is_whole_sevenzip(source: Source) -> bool:
    with source.open() as file:
        start = file.read(32)
    offset, length = int.from_bytes(start[12:20], "little"), int.from_bytes(start[20:28], "little")
    return length > 0 and 32 + offset + length <= source.size
