"""Strings and metadata made fit for a frame, a database and an index: no NULs, no lone surrogates, no giants.

Used by the attempt, in the child: a frame that breaks the protocol would cost the whole child.
"""

import math
import re
from collections.abc import Iterable, Mapping

from redwell.core.handler import MetaValue

_UNFIT = re.compile("[\x00\ud800-\udfff]")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")
_DETAIL_CHARS = 2_000
_KEY_CHARS = 200
_VALUE_CHARS = 64 << 10
_LIST_ITEMS = 10_000
_ALL_CHARS = 1 << 19  # four bytes each at most, so a frame stays well below its limit
_SMALLEST_INT, _LARGEST_INT = -(1 << 63), (1 << 63) - 1


def plain(text: object, chars: int) -> str:
    """At most `chars` characters; whatever can't be stored becomes the replacement character."""
    text = str(text)[:chars]
    return text if text.isprintable() else _UNFIT.sub("\ufffd", text)


def detail_of(said: object) -> str:
    """Without the places in memory that libraries' errors name: the same bytes give the same detail."""
    return plain(_ADDRESS.sub("", str(said)), _DETAIL_CHARS)


def plain_metadata(values: Mapping[str, object]) -> tuple[dict[str, MetaValue], int]:
    """The fields that fit, in order, and how many did not."""
    kept: dict[str, MetaValue] = {}
    room = _ALL_CHARS
    for key, value in values.items():
        name, fit = plain(key, _KEY_CHARS), _plain_value(value)
        chars = len(name) + _chars(fit)
        if chars <= room:
            kept[name] = fit
            room -= chars
    return kept, len(values) - len(kept)


def _plain_value(value: object) -> MetaValue:
    if isinstance(value, str):
        return plain(value, _VALUE_CHARS)
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and _SMALLEST_INT <= value <= _LARGEST_INT:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, list | tuple | set | frozenset):
        return _plain_list(value)
    return plain(value, _VALUE_CHARS)


def _plain_list(values: Iterable[object]) -> list[str]:
    return [plain(value, _VALUE_CHARS) for value, _ in zip(values, range(_LIST_ITEMS), strict=False)]


def _chars(value: MetaValue) -> int:
    if isinstance(value, list):
        return sum(len(item) + 8 for item in value)
    return len(value) if isinstance(value, str) else 8
