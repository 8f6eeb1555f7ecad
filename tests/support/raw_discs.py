"""Images of CDs with whole sectors, made of ISO images. Checksums are left out: nobody here reads them."""

SYNC = b"\0" + b"\xff" * 10 + b"\0"
USED = 2048
GAP = 150


def synced(mode: int, around: bytes = b"", submode: int = 0x08) -> tuple[bytes, bytes]:
    """What stands before and behind the data of a sector."""
    if mode == 1:
        return SYNC + b"\0\2\0\1", bytes(288) + around
    subheader = bytes((0, 0, submode, 0)) * 2
    return SYNC + b"\0\2\0\2" + subheader, bytes(280) + around


def in_sectors(iso: bytes, before: bytes = b"", behind: bytes = b"", gap: int = 0) -> bytes:
    data = bytes(gap * USED) + iso
    return b"".join(before + data[at : at + USED] + behind for at in range(0, len(data), USED))
