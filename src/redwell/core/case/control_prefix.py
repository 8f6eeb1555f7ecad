"""The letters before the digits of a case's control numbers. They belong to the case. Pure."""

import re
from collections.abc import Mapping

from redwell.core.errors import UserError

DEFAULT = "RW"
KEY = "control_prefix"


def check_prefix(prefix: str) -> str:
    """One that may stand in names of files and in tables."""
    if not re.fullmatch(r"[^\W\d_][\w.-]{0,31}", prefix):
        raise UserError(
            f"control_prefix {prefix!r}: 1 to 32 letters, digits, dots, dashes and underscores, a letter first"
        )
    return prefix


def prefix_of(info: Mapping[str, str]) -> str:
    """Of a case by what it says of itself."""
    return info.get(KEY, DEFAULT)
