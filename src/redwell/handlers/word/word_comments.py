"""Who made the comments of Word's binary documents. Called by documents.word_binary in a child."""

import struct

_FIB_COMMENTS, _FIB_PEOPLE = 0xBA, 0x01BA
_COMMENT_SIZE, _PERSON = 30, 20  # of a comment's entry, and where in it the number of its author stands
_MARK = "\x05"


def with_authors(text: str, body: bytes, table: bytes) -> str:
    """The text with a name before each comment, where the document's lists agree with it."""
    try:
        names = _authors(body, table)
    except (struct.error, IndexError):
        return text
    parts = text.split(_MARK)
    if not names or len(parts) != 2 * len(names) + 1:  # a mark in the body and one before each comment
        return text
    told = [f"{name}: {part.lstrip()}" for name, part in zip(names, parts[len(names) + 1 :], strict=True)]
    return "".join((*parts[: len(names) + 1], *told))


def _authors(body: bytes, table: bytes) -> list[str]:
    start, size = struct.unpack_from("<II", body, _FIB_COMMENTS)
    count = max(0, (min(size, len(table) - start) - 4) // (4 + _COMMENT_SIZE))
    people = _people(table, *struct.unpack_from("<II", body, _FIB_PEOPLE)) if count else []
    first = start + 4 * (count + 1)
    numbers = [struct.unpack_from("<H", table, first + _COMMENT_SIZE * n + _PERSON)[0] for n in range(count)]
    return [people[number] for number in numbers]


def _people(table: bytes, start: int, size: int) -> list[str]:
    names, at = [], start
    while at + 2 <= min(start + size, len(table)):
        (length,) = struct.unpack_from("<H", table, at)
        names.append(table[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace"))
        at += 2 + 2 * length
    return names
