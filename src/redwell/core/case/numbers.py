"""Control numbers: what people know an exhibit by, for good. Pure; who issues or checks one asks here.

The head of a family has the prefix of its case and the digits of its number, RW00000012. A member has the control
number of its parent, and behind a dot its place among the members, from 1 on: RW00000012.0003; so one that is found
later has a number of its family, too. A number that needs more digits has them.

Heads are numbered by the load, without a gap and by a rule, so that the same evidence has the same numbers in every
run: the files of a batch in the order of its walk, then what lies in the first of them that is an archive or a mail
store, then what lies in the next; nested ones follow in the same way. Cases that began before that have numbered heads
as they were found, or their files alone, and each member of a mail store or archive by its place in it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from redwell.core.case.families import FILE_DEPTH

DIGITS = 8
MEMBER_DIGITS = 4
MEMBER_MARK = "."
_DIGITS_AT_THE_END = re.compile(rf"\d{{{DIGITS},}}\Z")
_MOST_DIGITS = 18  # that a row can hold


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
    batch: int
    depth: int

    @property
    def is_head(self) -> bool:
        return self.family == self.id


class Numbered(NamedTuple):
    id: int
    number: int  # of its family: the digits
    control: str


class Issuer:
    """Issues numbers behind the `last` one."""

    def __init__(self, prefix: str, last: int) -> None:
        self._prefix, self.last = prefix, last

    def issue(
        self, new: Iterable[Unnumbered], known: Mapping[int, Numbered], reached: Mapping[int, int]
    ) -> dict[int, Numbered]:
        """In their order. A parent is among the new ones before its members, or among the `known`.

        `reached` says of a batch up to which number everything has ended, or is the one that is being read: what lies
        in it can be numbered, since nothing comes before it any more. What lies behind is left out.
        """
        issued: dict[int, Numbered] = {}
        for each in new:
            parent = issued.get(each.parent) or known.get(each.parent)
            if each.is_head:
                if each.depth == FILE_DEPTH or (parent and parent.number <= reached.get(each.batch, 0)):
                    self.last += 1
                    issued[each.id] = Numbered(each.id, self.last, control_number(self._prefix, self.last))
            elif parent:
                control = member_control_number(parent.control, each.ordinal)
                issued[each.id] = Numbered(each.id, parent.number, control)
        return issued


def number_in(control: str) -> int | None:
    """The digits that an exhibit shares with its family; None where it is no control number."""
    found = _DIGITS_AT_THE_END.search(control.partition(MEMBER_MARK)[0])
    return int(found[0]) if found and len(found[0]) <= _MOST_DIGITS else None


def ancestors(control: str) -> list[str]:
    """The control numbers from the file down to this one, itself included."""
    parts = control.split(MEMBER_MARK)
    return [MEMBER_MARK.join(parts[: n + 1]) for n in range(len(parts))]
