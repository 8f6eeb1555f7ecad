"""Pictures inside RTF documents, where `embedded_images` asks. Called by the document handler in a child."""

import re
from functools import partial

from redwell.core.errors import InvalidFile
from redwell.core.handler import Options
from redwell.handlers.structures.embedded import Embedded
from redwell.handlers.structures.pictures.picture_files import as_file, hash_kind

# the same picture for older readers stands behind it, in a group of its own
_PICTURE = re.compile(rb"(\\nonshppict\s*)?\{\s*\\pict(?![a-z])")
_TOKEN = re.compile(rb"\\bin(\d{1,9}) ?|\\([a-z]+)-?\d* ?|([{}])|([0-9a-fA-F]+)|\\?.", re.S)
_KINDS = {
    b"pngblip": "png",
    b"jpegblip": "jpg",
    b"emfblip": "emf",
    b"wmetafile": "wmf",
    b"macpict": "pict",
    b"dibitmap": "bmp",
}


def pictures(data: bytes, options: Options) -> list[Embedded]:
    """Every picture of the document, in order."""
    if not options.embedded_images:
        return []
    found: list[Embedded] = []
    at = 0
    while opening := _PICTURE.search(data, at):
        start = opening.end()
        extension, raw, at = _read(data, start)
        if extension and not opening[1]:
            name, kind = f"picture {len(found) + 1}.{extension}", hash_kind(extension)
            take = partial(_file, name, extension, raw)
            found.append(Embedded(f"pict:{start}", name, take, role="inline", hash_kind=kind))
    return found


def _read(data: bytes, start: int) -> tuple[str, bytes, int]:
    """Kind, bytes and end of the picture whose group is open at `start`; inner groups are its properties."""
    extension, depth, at = "", 1, start
    parts: list[bytes] = []
    while depth and (token := _TOKEN.match(data, at)):
        at = token.end()
        if token[1]:
            count = int(token[1])
            parts.append(data[at : at + count].hex().encode())
            at += count
        elif token[2] and depth == 1:
            extension = _KINDS.get(token[2], extension)
        elif token[3]:
            depth += 1 if token[3] == b"{" else -1
        elif token[4] and depth == 1:
            parts.append(token[4])
    hexed = b"".join(parts)
    return extension, bytes.fromhex(hexed[: len(hexed) // 2 * 2].decode("ascii")), at


def _file(name: str, extension: str, raw: bytes) -> tuple[str, bytes]:
    if not raw:
        raise InvalidFile("the picture is empty")
    return name, as_file(extension, raw)
