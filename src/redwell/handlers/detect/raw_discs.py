"""Images of CDs sector by sector, as burning programs keep them: which bytes are the file system's. Reads, no more.

A sector of a CD has 2352 bytes, of which a file system has 2048; some programs keep the bytes between, too. Asked by
handlers.detect.detect for the type, and by the handler for the place of the data.
"""

from typing import BinaryIO, NamedTuple

USED = 2048  # of a sector, by the file system
_SYNC = b"\0" + b"\xff" * 10 + b"\0"
_DESCRIPTOR_SECTOR = 16
_DESCRIPTOR = b"\x01CD001\x01"
_SECTORS_AT = 80  # in the descriptor: how many the file system has
_GAP = 150  # sectors before the first that is numbered 0; some programs keep them
_SYNCED, _HEADED = 12, 4  # bytes
_SUBHEADER = 8
_MODE_1, _MODE_2 = _SYNCED + _HEADED, _SYNCED + _HEADED + _SUBHEADER


class Layout(NamedTuple):
    """Where sector 0 begins, how far it is from one to the next, and where in each its data begin."""

    start: int
    stride: int
    data_at: int

    @property
    def submode_at(self) -> int | None:
        """The byte of a sector that says whether its data have another length; None where all have the same."""
        return self.data_at - _SUBHEADER + 2 if self.data_at in (_MODE_2, _SUBHEADER) else None


_KINDS = (
    *((stride, data_at) for stride in (2352, 2368, 2448) for data_at in (_MODE_1, _MODE_2)),
    (2336, _SUBHEADER),
    (USED, 0),
)
_LAYOUTS = tuple(Layout(gap * stride, stride, data_at) for gap in (0, _GAP) for stride, data_at in _KINDS)


def begins_with_sector(head: bytes) -> bool:
    return head.startswith(_SYNC)


def ends_as_nero(end: bytes) -> bool:
    """Nero writes what it knows of a disc behind the sectors, and at the very end where that begins."""
    return end[-12:-8] == b"NER5" or end[-8:-4] == b"NERO"


def layout_of(file: BinaryIO) -> Layout | None:
    """The layout in which an ISO 9660 file system describes itself; None where there is none."""
    for layout in _LAYOUTS:
        if _descriptor(file, layout, len(_DESCRIPTOR)) == _DESCRIPTOR:
            return layout
    return None


def sectors_of_file_system(file: BinaryIO, layout: Layout) -> int:
    return int.from_bytes(_descriptor(file, layout, USED)[_SECTORS_AT : _SECTORS_AT + 4], "little")


def _descriptor(file: BinaryIO, layout: Layout, length: int) -> bytes:
    file.seek(layout.start + _DESCRIPTOR_SECTOR * layout.stride + layout.data_at)
    return file.read(length)
