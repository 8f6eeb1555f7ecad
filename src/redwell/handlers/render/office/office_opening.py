"""Office documents as LibreOffice is given them: whole, without a lock, and with what they showed last. In a child."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Document, Options
from redwell.handlers.engines import libreoffice
from redwell.handlers.office.decryption import decrypted
from redwell.handlers.office.odf_decryption import unlocked
from redwell.handlers.render.office.frozen_fields import frozen
from redwell.handlers.render.office.office_extensions import extension_of

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# a stream that stays when PowerPoint's lock is opened: LibreOffice refuses a presentation that has one of this name
_LOCK_OF_SLIDES = "EncryptedSummary".encode("utf-16-le"), "DecryptedSummary".encode("utf-16-le")
_OPEN_DOCUMENT = ("opendocument", "sun.xml")


def opened(documents: Sequence[Document], scratch: Path) -> dict[int, libreoffice.Document | BadInput]:
    """By number: what LibreOffice is to open, or why it would not show the document."""
    return {number: _one(document, scratch, number) for number, document in enumerate(documents)}


def _one(document: Document, scratch: Path, number: int) -> libreoffice.Document | BadInput:
    """With the extension of what it is, whatever its name says."""
    try:
        clear = _without_lock(document, scratch / f"clear-{number}")
    except BadInput as error:
        return error
    if not _is_whole(clear):
        return InvalidFile("a damaged package: LibreOffice would not find its parts")
    still = frozen(clear, scratch / f"frozen-{number}")
    return libreoffice.Document(still, extension_of(document.options.media_type))


def _without_lock(document: Document, target: Path) -> Path:
    """LibreOffice takes no password on its command line: a locked document is opened here."""
    with document.source.open() as file:
        clear = _clear(file, document.options)
        if clear is file:
            return document.source.path()
        target.write_bytes(clear.read().replace(*_LOCK_OF_SLIDES))
        return target


def _clear(file: BinaryIO, options: Options) -> BinaryIO:
    head = file.read(8)
    file.seek(0)
    if head == _OLE:
        return decrypted(file, options.passwords) if _is_locked(file) else file
    if head.startswith(b"PK") and any(word in options.media_type for word in _OPEN_DOCUMENT):
        return unlocked(file, options) if zipfile.is_zipfile(file) else file
    return file


def _is_locked(file: BinaryIO) -> bool:
    """Of Word, Excel and PowerPoint as they were until 2003; nothing else of that make is locked."""
    import msoffcrypto  # type: ignore[import-untyped]

    try:
        return bool(msoffcrypto.OfficeFile(file).is_encrypted())
    except Exception:  # damaged, or none of these: LibreOffice sees for itself
        return False
    finally:
        file.seek(0)


def _is_whole(path: Path) -> bool:
    """LibreOffice shows the bytes of a damaged package as if they were words."""
    with path.open("rb") as file:
        return file.read(2) != b"PK" or zipfile.is_zipfile(file)
