"""Control numbers: what people know an exhibit by, for good. Pure; who issues or checks one asks here.

A file has the prefix of its case and the digits of its number, RW00000012. A member has the control number of its
parent, and behind a dot its place among the members, from 1 on: RW00000012.0003. A number that needs more digits has
them.
"""

import re

DIGITS = 8
MEMBER_DIGITS = 4
MEMBER_MARK = "."
_DIGITS_AT_THE_END = re.compile(rf"\d{{{DIGITS},}}\Z")


def control_number(prefix: str, number: int) -> str:
    """Of a file that came in."""
    return f"{prefix}{number:0{DIGITS}d}"


def member_control_number(parent: str, ordinal: int) -> str:
    """Of the member at this place, from 0 on, below the exhibit with that control number."""
    return f"{parent}{MEMBER_MARK}{ordinal + 1:0{MEMBER_DIGITS}d}"


def number_in(control: str) -> int | None:
    """The digits that an exhibit shares with its family; None where it is no control number."""
    found = _DIGITS_AT_THE_END.search(control.partition(MEMBER_MARK)[0])
    return int(found[0]) if found else None


def ancestors(control: str) -> list[str]:
    """The control numbers from the file down to this one, itself included."""
    parts = control.split(MEMBER_MARK)
    return [MEMBER_MARK.join(parts[: n + 1]) for n in range(len(parts))]
