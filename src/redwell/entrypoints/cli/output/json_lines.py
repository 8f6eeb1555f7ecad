"""Rows of a listing as JSON, one a line; for lists of a hundred thousand."""

import json
import re
from typing import Any

import msgspec

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")


def json_line(value: Any) -> str:
    """The same value as json.dumps gives, in letters that every terminal and pipe has, several times faster."""
    try:
        line = msgspec.json.encode(value)
    except UnicodeEncodeError:  # a name that is not UTF-8 has half a character in it
        return json.dumps(value)
    return line.decode() if line.isascii() else _BEYOND_ASCII.sub(_spelled, line.decode())


def _spelled(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]
