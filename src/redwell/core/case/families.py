"""Families: where a member stands below the file that it came in with. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

MEMBER_OF = "//"  # between the path of a container and the name of a member: mails/july.zip//report.docx
FILE_DEPTH = 0
SOURCE_DEPTH = FILE_DEPTH - 1  # a walk is above its files, and no exhibit


class Position(NamedTuple):
    """The root of a file is the file itself, which its row leaves out: it is not numbered before it is there."""

    path: str
    root: int | None = None
    depth: int = FILE_DEPTH


def member_path(container: str, name: str) -> str:
    return f"{container}{MEMBER_OF}{name}"


def root_of(key: int, root: int | None) -> int:
    """The file at the top of a family, from any row of it."""
    return key if root is None else root


def member_position(key: int, parent: Position, name: str) -> Position:
    """Of a member of the row with this key."""
    return Position(member_path(parent.path, name), root_of(key, parent.root), parent.depth + 1)


# of what lies in an archive or a mail store, or is a record of a volume, and is attached to nothing
MEMBER_ROLES = frozenset({"member", "record"})


def family_of(key: int, role: str, parent: int, parents_family: int) -> int:
    """The head of a member's family. What lies in a store is its own, unless the store is attached to something."""
    return key if role in MEMBER_ROLES and parents_family == parent else parents_family


# of what is in it each is one by itself
HOLDS_FAMILIES = frozenset({"archive", "delivery", "mailbox", "image-of-disk", "volume"})


def head_among(kinds: Sequence[str | None]) -> int:
    """Of an exhibit's ancestors from the top down, and itself as the last: which one its readers take for the head
    of its family. A mail in a mailbox is the head of its attachments, an archive that is attached belongs to it."""
    return next((n for n, kind in enumerate(kinds[:-1]) if kind not in HOLDS_FAMILIES), len(kinds) - 1)
