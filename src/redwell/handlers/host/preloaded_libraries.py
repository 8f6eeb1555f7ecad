"""The format libraries that take long to import: the template imports those that a host has needed.

A byte of shared memory per library is all that passes from a host, which read evidence, to the template.
"""

import contextlib
import mmap
import sys
from importlib import import_module

SLOW = (
    "chardet",
    "cryptography.hazmat.primitives.ciphers",
    "cryptography.x509",
    "kreuzberg",
    "lxml.etree",
    "lxml.html",
    "magic",
    "msoffcrypto",
    "olefile",
    "pikepdf",
    "PIL.Image",
    "pillow_heif",
    "py7zr",
    "pypdfium2",
    "pypff",
    "python_calamine",
    "rarfile",
    "redwell.handlers.structures.language",
    "sqlite3",
    "tinytag",
)


class Libraries:
    def __init__(self) -> None:
        self._used = mmap.mmap(-1, len(SLOW))

    def note_used(self) -> None:
        """In the host, before it ends."""
        self._used[:] = bytes(name in sys.modules for name in SLOW)

    def import_used(self) -> None:
        """In the template, before it forks the next host. None of them starts a thread when imported."""
        for name, used in zip(SLOW, self._used[:], strict=True):
            if used and name not in sys.modules:
                with contextlib.suppress(ImportError):
                    import_module(name)
