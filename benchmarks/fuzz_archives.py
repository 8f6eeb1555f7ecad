"""Good archives of every kind but ZIP, for benchmarks.fuzz to damage: the same bytes at every run."""

import base64
import gzip
import lzma
from pathlib import Path

from tests.support import wim_files
from tests.support.cabinets import cabinet
from tests.support.lha_files import member as lha_member
from tests.support.libarchive_files import made
from tests.support.other_documents import exe
from tests.support.rar_files import NUMBERS, PACKED_3, PACKED_5, Locked, Member, packed_by_rar_2, rar3, rar5
from tests.support.raw_discs import in_sectors, synced
from tests.support.udf_files import image
from tests.support.xar_files import entry, packed

_FILES = {"one.txt": b"valve coating\n" * 50, "two/three.txt": b"four million\n"}
# a member that ARJ packed and one that it stored
_ARJ = base64.b64decode(
    "YOopACILAQIQAAIa9VL6avVS+moAAAAAAAAAAAAAAAAAAAAAAABzLmFyagAA8sXYtQAAYOo1AC4LAQIQAQD1tVL6ah8AAAAwAgAAnbkeLwAApB"
    "EAAAAAAAC1UvpqtVL6agAAAAB2LnR4dAAApcszdAAAABFCimp/uf0A+izEREEVwxlKSycAhFF/tg2bjyqvUGDqNQAuCwECEAAA9bVS+moEAAAA"
    "BAAAAH1mwZAAAKQRAAAAAAAAtVL6arVS+moAAAAAZi50eHQAACg2lBYAAGZvdXJg6gAA"
)


def write_archives(folder: Path) -> Path:
    """Also an image of a disk, which is only named."""
    folder.mkdir()
    files = {
        "members.tar": made("gnutar", _FILES),
        "members.tar.gz": gzip.compress(made("pax", _FILES), mtime=0),
        "members.cpio": made("cpio_newc", _FILES),
        "text.gz": gzip.compress(_FILES["one.txt"], mtime=0),
        "text.xz": lzma.compress(_FILES["one.txt"]),
        "members.7z": made("7zip", _FILES),
        "new.rar": rar5([Member("n.txt", NUMBERS, PACKED_5), Member("o.txt", _FILES["one.txt"])]),
        "old.rar": rar3([Member("n.txt", NUMBERS, PACKED_3), Member("o.txt", _FILES["one.txt"])]),
        "locked.rar": rar5([Member("n.txt", NUMBERS, PACKED_5)], Locked("password")),
        "oldest.rar": rar3(
            [Member("n.txt", NUMBERS, packed_by_rar_2(NUMBERS))], version=20, comment=Member("CMT", b"x")
        ),
        "members.arj": _ARJ,
        "members.lzh": b"".join(lha_member(b"one.txt", _FILES["one.txt"], level=level) for level in range(4)) + b"\0",
        "members.cab": cabinet(_FILES),
        "unpacks-itself.exe": exe() + made("7zip", _FILES),
        "member.xar": packed(entry("one.txt", 700), _FILES["one.txt"]),
        "disc.iso": image(),
        "disc.bin": in_sectors(made("iso9660", _FILES), *synced(1)),
        "image.wim": wim_files.PACKED,
        "disk.E01": b"EVF\t\r\n\xff\0" + bytes(600),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder
