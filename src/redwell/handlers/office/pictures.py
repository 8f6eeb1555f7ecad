"""Pictures inside packages, as files of their own where the setting `embedded_images` asks. Runs in a child."""

from functools import partial

from redwell.core.handler import Options
from redwell.handlers.structures.embedded import Embedded
from redwell.handlers.structures.zip_package import Package

_EXTENSIONS = frozenset("bmp emf gif ico jp2 jpe jpeg jpg png svg tif tiff wdp webp wmf".split())
_NOT_SHOWN = ("thumbnail", "preview", "prvimage")  # what the program draws of the document itself


def of_package(package: Package, options: Options) -> list[Embedded]:
    """The picture parts of a ZIP package, byte for byte."""
    if not options.embedded_images:
        return []
    return [
        Embedded(part, name, partial(_part, package, part, name), role="inline")
        for part in package.names()
        if (name := part.rpartition("/")[2]).rpartition(".")[2].lower() in _EXTENSIONS
        and not name.lower().startswith(_NOT_SHOWN)
    ]


def _part(package: Package, part: str, name: str) -> tuple[str, bytes]:
    return name, package.open(part).read()
