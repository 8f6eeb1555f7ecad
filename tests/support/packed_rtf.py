"""Packs RTF as Outlook does (MS-OXRTFCP), for tests of the readers."""

import struct

WINDOW_START = 207


def packed(rtf: bytes, *, end_mark: bool = True) -> bytes:
    """Literals only, with a run that reads its own output where bytes repeat eight times or more."""
    out, write, at = bytearray(), WINDOW_START, 0
    units: list[tuple[bool, bytes]] = []
    while at < len(rtf):
        repeated = len(rtf) - at > 9 and at > 0 and rtf[at : at + 9] == rtf[at - 1 : at] * 9
        if repeated:
            units.append((True, struct.pack(">H", ((write - 1) % 4096) << 4 | 7)))
        else:
            units.append((False, rtf[at : at + 1]))
        step = 9 if repeated else 1
        write, at = write + step, at + step
    if end_mark:
        units.append((True, struct.pack(">H", (write % 4096) << 4)))
    for start in range(0, len(units), 8):
        eight = units[start : start + 8]
        out.append(sum(is_run << bit for bit, (is_run, _) in enumerate(eight)))
        out += b"".join(content for _, content in eight)
    return struct.pack("<II4sI", len(out) + 12, len(rtf), b"LZFu", 0) + bytes(out)
