"""Images of disks and volumes, whose marks lie far from the start; and archives known by their end."""

from typing import BinaryIO

from redwell.handlers.detect.raw_discs import begins_with_sector, ends_as_nero

_SECTOR = 512
_BOOT_MARK, _BOOT_MARK_AT = b"\x55\xaa", 510
_PARTITIONS_AT, _PARTITION = 446, 16
_BOOT_STATES = (0x00, 0x80)
_VOLUMES = ((3, b"NTFS    "), (3, b"EXFAT   "), (3, b"-FVE-FS-"), (54, b"FAT"), (82, b"FAT32"))
_VDI_MARK, _VDI_AT = b"\x7f\x10\xda\xbe", 64
_EXT_MARK, _EXT_AT = b"\x53\xef", 1080
_RAW = "application/x-raw-disk-image"
_RAW_CD = "application/x-raw-cd-image"
_DESCRIPTORS_AT, _DESCRIPTORS, _DESCRIPTOR = 0x8000, 16, 2048


def disk_type(file: BinaryIO, size: int, head: bytes) -> str | None:
    """The image that this is, or an archive with something in front; None where nothing fits."""
    if head[_VDI_AT : _VDI_AT + 4] == _VDI_MARK:
        return "application/x-vdi"
    if begins_with_sector(head):
        return _RAW_CD
    return _optical(file, size) or _by_end(file, size) or (_RAW if _is_raw(head, size) else None)


def _optical(file: BinaryIO, size: int) -> str | None:
    """ISO 9660, with UDF beside it or not; UDF alone is another format."""
    if size < _DESCRIPTORS_AT + _DESCRIPTOR:
        return None
    if b"CD001" in _marks(file):
        return "application/x-iso9660-image"
    return "application/x-udf-image" if has_udf(file) else None


def has_udf(file: BinaryIO) -> bool:
    return bool(_marks(file) & {b"NSR02", b"NSR03"})


def _marks(file: BinaryIO) -> set[bytes]:
    """The names of the descriptors at the start of an optical disc."""
    file.seek(_DESCRIPTORS_AT)
    area = file.read(_DESCRIPTORS * _DESCRIPTOR)
    return {area[at + 1 : at + 6] for at in range(0, len(area), _DESCRIPTOR)}


def _by_end(file: BinaryIO, size: int) -> str | None:
    file.seek(max(0, size - 1024))
    end = file.read(1024)
    if end[-512:-508] == b"koly":
        return "application/x-apple-diskimage"
    if end[-512:-504] == b"conectix":
        return "application/x-vhd"
    if ends_as_nero(end):
        return _RAW_CD
    return "application/zip" if b"PK\x05\x06" in end else None


def _is_raw(head: bytes, size: int) -> bool:
    if head[_EXT_AT : _EXT_AT + 2] == _EXT_MARK and not any(head[:_SECTOR]):
        return True
    if size % _SECTOR or head[_BOOT_MARK_AT : _BOOT_MARK_AT + 2] != _BOOT_MARK:
        return False
    if head[_SECTOR : _SECTOR + 8] == b"EFI PART":
        return True
    return any(head[at : at + len(mark)] == mark for at, mark in _VOLUMES) or _has_partitions(head, size)


def _has_partitions(head: bytes, size: int) -> bool:
    """A table whose entries are all empty or plausible, and one of which lies within the image."""
    entries = [head[at : at + _PARTITION] for at in range(_PARTITIONS_AT, _BOOT_MARK_AT, _PARTITION)]
    used = [entry for entry in entries if any(entry)]
    starts = [int.from_bytes(entry[8:12], "little") * _SECTOR for entry in used]
    return bool(used) and all(e[0] in _BOOT_STATES and e[4] for e in used) and any(0 < at < size for at in starts)
