"""Forensic and disk images, and archives that no library here opens: named, with what to do about them. In a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source

_MOUNT = "mount or unpack it with a forensic tool and import the files"
_CONVERT = "export the volume's files with the tool that made it, or mount it, and import the files"
_NAMED = {
    "application/x-ewf": ("an EnCase or Expert Witness image (E01, L01, Ex01, Lx01)", _MOUNT),
    "application/x-ad1": ("an AccessData logical image (AD1)", "export its files with FTK Imager and import them"),
    "application/x-aff": ("an Advanced Forensic Format image (AFF)", _MOUNT),
    "application/x-raw-disk-image": ("a raw image of a disk or volume", _MOUNT),
    "application/x-vmdk": ("a VMware disk", _CONVERT),
    "application/x-vhd": ("a Virtual PC or Hyper-V disk (VHD)", _CONVERT),
    "application/x-vhdx": ("a Hyper-V disk (VHDX)", _CONVERT),
    "application/x-qemu-disk": ("a QEMU disk", _CONVERT),
    "application/x-vdi": ("a VirtualBox disk", _CONVERT),
    "application/x-apple-diskimage": ("an Apple disk image (DMG)", _CONVERT),
    "application/x-udf-image": (
        "a UDF image",
        f"install the Debian package libudfread0 and retry, or {_MOUNT}",
    ),
    "application/x-ms-wim": (
        "a Windows image (WIM)",
        "install the Debian package libwim15 and retry, or unpack it and import the files",
    ),
}

SPEC = HandlerSpec(name="disk-image", media_types=frozenset(_NAMED), kind="image-of-disk")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    kind, remedy = _NAMED[options.media_type]
    yield Metadata(values={"recognised_as": kind.partition(" ")[2]})
    raise Unsupported(f"{kind} is kept whole; {remedy}")
