"""The names of ZIP members as people wrote them. Called by the zip handler in a child."""

import zlib
from collections.abc import Iterable

from redwell.handlers.detect.zip_directory import UTF8, Entry, extra_field
from redwell.handlers.structures.charset import guess
from redwell.handlers.unpacking.names import readable_path

_UNICODE_PATH = 0x7075
_LEGACY = "cp437"  # what the format says where nothing else does
_ENOUGH_TO_GUESS = 6
# Encodings of scripts that cp437 has no letters for; a guess of any other is not worth more than the format's word.
_GUESSABLE = frozenset(("cp932", "euc_jp", "gb18030", "big5hkscs", "cp949", "cp866", "cp1251", "koi8-r", "koi8-u"))


def names_encoding(entries: Iterable[Entry]) -> str:
    """The encoding of all names that do not tell theirs: together they are long enough to guess."""
    odd = [entry.name for entry in entries if not entry.name.isascii() and not entry.flags & UTF8]
    sample = b"\n".join(odd[:1000])
    try:
        sample.decode()
        return "utf-8"
    except UnicodeDecodeError:
        pass
    if sum(byte > 0x7F for byte in sample) < _ENOUGH_TO_GUESS:
        return _LEGACY
    found = guess(sample)
    return found if found in _GUESSABLE else _LEGACY


def member_name(entry: Entry, encoding: str, index: int) -> str:
    """A relative path for people to read; it can lead nowhere outside and is never empty."""
    field = extra_field(entry.extra, _UNICODE_PATH)
    if field[:1] == b"\x01" and int.from_bytes(field[1:5], "little") == zlib.crc32(entry.name):
        told = field[5:].decode("utf-8", "replace")
    else:
        told = entry.name.decode("utf-8" if entry.flags & UTF8 else encoding, "replace")
    return readable_path(told, index)
