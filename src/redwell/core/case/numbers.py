"""Control numbers: what people know an exhibit by, for good. Pure; who issues or checks one asks here.

The head of a family has the prefix of its case and the digits of its number, RW00000012. A member has the control
number of its parent, and behind a dot its place among the members, from 1 on: RW00000012.0003; so one that is found
later has a number of its family, too. A number that needs more digits has them.

Heads are numbered by the load, in the order in which they were registered, and without a gap. Cases that began before
that have numbered their files alone, and each member of a mail store or archive by its place in it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

DIGITS = 8
MEMBER_DIGITS = 4
MEMBER_MARK = "."
_DIGITS_AT_THE_END = re.compile(rf"\d{{{DIGITS},}}\Z")


def control_number(prefix: str, number: int) -> str:
    """Of the head of a family."""
    return f"{prefix}{number:0{DIGITS}d}"


def member_control_number(parent: str, ordinal: int) -> str:
    """Of the member at this place, from 0 on, below the exhibit with that control number."""
    return f"{parent}{MEMBER_MARK}{ordinal + 1:0{MEMBER_DIGITS}d}"


class Unnumbered(NamedTuple):
    """An exhibit that was registered, and has no number yet."""

    id: int
    family: int
    parent: int
    ordinal: int


class Numbered(NamedTuple):
    id: int
    number: int  # of its family: the digits
    control: str


def issue(new: Sequence[Unnumbered], known: Mapping[int, Numbered], last: int, prefix: str) -> list[Numbered]:
    """In the order in which they were registered, behind the `last` number that was issued.

    A parent is registered before its members: it is among the new ones, or among the `known`.
    """
    issued: dict[int, Numbered] = {}
    for each in new:
        if each.family == each.id:
            last += 1
            issued[each.id] = Numbered(each.id, last, control_number(prefix, last))
        else:
            parent = issued.get(each.parent) or known[each.parent]
            control = member_control_number(parent.control, each.ordinal)
            issued[each.id] = Numbered(each.id, parent.number, control)
    return list(issued.values())


def number_in(control: str) -> int | None:
    """The digits that an exhibit shares with its family; None where it is no control number."""
    found = _DIGITS_AT_THE_END.search(control.partition(MEMBER_MARK)[0])
    return int(found[0]) if found else None


def ancestors(control: str) -> list[str]:
    """The control numbers from the file down to this one, itself included."""
    parts = control.split(MEMBER_MARK)
    return [MEMBER_MARK.join(parts[: n + 1]) for n in range(len(parts))]
