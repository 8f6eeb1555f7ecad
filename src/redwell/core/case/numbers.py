"""Control numbers: what people know an exhibit by, for good. Pure; who issues or checks one asks here.

A file has the prefix of its case and the digits of its number, RW00000012. A member has the control number of its
parent, and behind a dot its place among the members, from 1 on: RW00000012.0003. A number that needs more digits has
them.
"""

DIGITS = 8
MEMBER_DIGITS = 4
MEMBER_MARK = "."


def control_number(prefix: str, number: int) -> str:
    """Of a file that came in."""
    return f"{prefix}{number:0{DIGITS}d}"


def member_control_number(parent: str, ordinal: int) -> str:
    """Of the member at this place, from 0 on, below the exhibit with that control number."""
    return f"{parent}{MEMBER_MARK}{ordinal + 1:0{MEMBER_DIGITS}d}"
