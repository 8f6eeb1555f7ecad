"""Forensic and disk images are known by their content and named with the remedy."""

from pathlib import Path

import pytest
from tests.support.pieces import read

from redwell.core.errors import Unsupported
from redwell.handlers.disks import disk_images

pytestmark = pytest.mark.requirement("A20")


def at(size: int, *marks: tuple[int, bytes]) -> bytes:
    data = bytearray(size)
    for place, mark in marks:
        data[place : place + len(mark)] = mark
    return bytes(data)


BOOT = (510, b"\x55\xaa")
PARTITION = (446, b"\x80\x01\x01\x00\x07\xfe\xff\xff" + (2).to_bytes(4, "little") + (8).to_bytes(4, "little"))
IMAGES = {
    "E01": (b"EVF\t\r\n\xff\0" + bytes(600), "EnCase"),
    "L01": (b"LVF\t\r\n\xff\0" + bytes(600), "EnCase"),
    "Ex01": (b"EVF2\r\n\x81\0" + bytes(600), "EnCase"),
    "AD1": (b"ADSEGMENTEDFILE\0" + bytes(600), "AD1"),
    "MBR": (at(8192, BOOT, PARTITION), "raw image"),
    "GPT": (at(8192, BOOT, (512, b"EFI PART")), "raw image"),
    "NTFS": (at(8192, BOOT, (0, b"\xeb\x52\x90NTFS    ")), "raw image"),
    "FAT": (at(8192, BOOT, (0, b"\xeb\x3c\x90MSDOS5.0"), (54, b"FAT16   ")), "raw image"),
    "ext": (at(8192, (1080, b"\x53\xef")), "raw image"),
    "VMDK": (b"KDMV\x01\0\0\0" + bytes(600), "VMware"),
    "VMDK descriptor": (b"# Disk DescriptorFile\nversion=1\n", "VMware"),
    "dynamic VHD": (b"conectix" + bytes(600), "VHD"),
    "fixed VHD": (at(8192, (8192 - 512, b"conectix")), "VHD"),
    "VHDX": (b"vhdxfile" + bytes(600), "VHDX"),
    "VDI": (at(8192, (0, b"<<< Oracle VM"), (64, b"\x7f\x10\xda\xbe")), "VirtualBox"),
    "DMG": (at(8192, (8192 - 512, b"koly")), "DMG"),
    "UDF": (at(0x9000, (0x8001, b"BEA01"), (0x8801, b"NSR03")), "UDF"),
    "WIM": (b"MSWIM\0\0\0" + bytes(600), "WIM"),
}


@pytest.mark.parametrize("kind", IMAGES)
def test_an_image_is_named_with_what_to_do(kind: str, tmp_path: Path) -> None:
    data, word = IMAGES[kind]
    pieces = read(disk_images, data, tmp_path, name="evidence.bin")
    assert isinstance(pieces.error, Unsupported)
    assert word in str(pieces.error) and "import" in str(pieces.error)
    assert pieces.metadata["recognised_as"] in str(pieces.error)
