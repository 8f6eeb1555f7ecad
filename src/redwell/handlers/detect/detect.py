"""What a file is, by its content; by its name only where content does not tell. Called in children alone.

Own rules, because a general library on every mail of a mailbox costs more than the rest of an import. The first
4 KB are read once; more is read only inside OLE2 and ZIP files, and at the far marks of unknown binaries: never more
than 5 MB of any file, nothing is unpacked or decoded, and no library is asked.
"""

import codecs
from collections.abc import Callable
from typing import BinaryIO

from redwell.core.type_hints import BY_NAME_ALONE, OWNER_FILE, name_hint
from redwell.handlers.detect import media_binary, media_zip, ole_directory, owner_file
from redwell.handlers.detect.media_magic import BY_FIRST_BYTE, FORM, OGG, OLE, RIFF, WORDLIKE, ZIP
from redwell.handlers.detect.media_mail import mail_type
from redwell.handlers.detect.media_text import text_type
from redwell.handlers.detect.plain_text import byte_order_mark, ebcdic, is_ascii_with_strays, is_text, unmarked_unicode

EMPTY = "inode/x-empty"
UNKNOWN = "application/octet-stream"
PORTABLE_EXECUTABLE = "application/vnd.microsoft.portable-executable"
PROGRAMS = frozenset(
    (
        PORTABLE_EXECUTABLE,
        "application/x-dosexec",
        "application/x-executable",
        "application/x-mach-binary",
        "application/x-amiga-executable",
        "application/x-atari-executable",
    )
)
_HEAD = 4096
_INSIDE = {RIFF: media_binary.riff_type, FORM: media_binary.form_type, OGG: media_binary.ogg_type}


def detect(open_source: Callable[[], BinaryIO], size: int, name: str) -> str:
    """The media type of these bytes. The same bytes with the same `name_hint(name)` always give the same type.

    Bytes that a rule stumbles over are UNKNOWN: nobody's work may end with a hostile file. What can't be read raises.
    """
    try:
        return _detected(open_source, size, name)
    except OSError:
        raise
    except Exception:
        return UNKNOWN


def _detected(open_source: Callable[[], BinaryIO], size: int, name: str) -> str:
    with open_source() as file:
        head = file.read(_HEAD)
        if not head:
            return EMPTY
        hint = name_hint(name)
        signature = _by_signature(head)
        if signature:
            return _refined(signature, file, size, head, hint)
        if owner_file.owner(head, size):
            return OWNER_FILE
        known = _as_text(head, hint) or media_binary.binary_type(file, size, head)
        return known or ("text/plain" if is_ascii_with_strays(head) else BY_NAME_ALONE.get(hint, UNKNOWN))


def _by_signature(head: bytes) -> str | None:
    for sign, kind in BY_FIRST_BYTE.get(head[0], ()):
        if head.startswith(sign) and not (sign in WORDLIKE and is_text(head)):
            return kind
    return None


def _refined(signature: str, file: BinaryIO, size: int, head: bytes, hint: str) -> str:
    if signature == ZIP:
        return media_zip.media_type(file, size, head, hint)
    if signature == OLE:
        return ole_directory.media_type(file, head)
    inside = _INSIDE.get(signature)
    return inside(head) if inside else signature


def _as_text(head: bytes, hint: str) -> str | None:
    """The kind of text, or None for binary. Mail comes first: its body may be binary."""
    mark = byte_order_mark(head)
    encoding, skip = mark or (unmarked_unicode(head) or ebcdic(head) or "", 0)
    if encoding and encoding != "utf-8":
        wide = codecs.getincrementaldecoder(encoding)("replace").decode(head[skip:])
        head, skip = wide.encode("utf-8", "replace"), 0
    head = head[skip:] if skip else head
    kind = mail_type(head, hint) or media_binary.late_pdf(head)
    if kind:
        return kind
    return text_type(head, hint) if mark or encoding or is_text(head) else None
