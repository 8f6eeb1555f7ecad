"""How a delimited load file is written: its encoding and the signs that part rows, values and parts of values. Pure.

Used by whoever reads or writes one: lint and map in the command's process, imports in children.
"""

from dataclasses import dataclass
from typing import Literal

Escape = Literal["none", "double", "backslash"]

DC4, THORN, REGISTERED = "\x14", "\xfe", "\xae"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """`escape` says how a qualifier inside a value is written; Concordance has no way (`none`)."""

    separator: str = DC4
    qualifier: str = THORN  # "": values are never enclosed
    newline_sign: str = REGISTERED  # stands for a line break inside a value; "": breaks are written as they are
    escape: Escape = "none"
    multi: str = ";"
    nested: str = "\\"
    record_end: str = "\r\n"


CONCORDANCE = Dialect()
COMMA = Dialect(separator=",", qualifier='"', newline_sign="", escape="double")
TAB = Dialect(separator="\t", qualifier='"', newline_sign="", escape="double")

_NAMES = {
    DC4: "DC4 (U+0014)",
    THORN: "þ (U+00FE)",
    REGISTERED: "® (U+00AE)",
    "\t": "tab",
    "\r\n": "CR LF",
    "\n": "LF",
    "\r": "CR",
    "": "none",
}


def sign_name(sign: str) -> str:
    """A sign as a person reads it, those that can't be seen by their names."""
    return _NAMES.get(sign, sign if sign.isprintable() else " ".join(f"U+{ord(char):04X}" for char in sign))
