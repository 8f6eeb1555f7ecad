"""Could a text be a load file? Asked with its first bytes in a child, before it is taken for plain text. Pure.

Stricter than the lint, which is given files that a person calls load files: a table of anything is none.
"""

import re
from collections.abc import Iterable

from redwell.core.loadfiles.fields import BY_ALIAS, plain
from redwell.core.loadfiles.formats.encodings import FoundEncoding, decoded, find_encoding
from redwell.core.loadfiles.formats.rows import Rows
from redwell.core.loadfiles.formats.sniff import LoadFileKind, find_dialect, kind_of
from redwell.core.loadfiles.mapping import propose

_SIGNS = re.compile('[,|\t;^~\x14\xfe"]+')
_IDS = frozenset({"docid", "begbates"})
_MORE = frozenset({"endbates", "begattach", "endattach", "attachrange", "nativepath", "textpath", "imagepath"})


def load_file_kind(head: bytes) -> LoadFileKind | None:
    """By rows of pages, tokens, the signs of Concordance, or columns that only load files have; None for the rest."""
    text = head.decode() if head.isascii() and b"\0" not in head else "".join(decoded([head], _encoding(head)))
    kind = kind_of(text)
    if kind is LoadFileKind.EDRM:
        return kind if "<Documents" in text and "<Document " in text and "DocID" in text else None
    if kind is not LoadFileKind.DELIMITED:
        return kind
    first = text.split("\n", 1)[0]
    if not _told(BY_ALIAS.get(plain(name), "") for name in _SIGNS.split(first)):  # quick: every text is asked
        return None
    found = find_dialect(text, cut=True)
    names = next((row.values for row in Rows([first], found.dialect) if row.values), [])
    return kind if found.header and _told(propose(names).fields) else None


def _told(fields: Iterable[str]) -> bool:
    """An id, and what only a load file says of it."""
    known = set(fields)
    return bool(known & _IDS and known & _MORE)


def _encoding(head: bytes) -> FoundEncoding:
    """Of a file's beginning: its last letter may be cut."""
    found = find_encoding([head])
    if found.encoding == "cp1252":
        whole = find_encoding([head[: head.rfind(b"\n") + 1]])
        return whole if head.count(b"\n") else found
    return found
