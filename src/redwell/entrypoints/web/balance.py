"""The books of an import as a picture: parts of one bar that add up to all that was found. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDTH = 1000.0


@dataclass(frozen=True, slots=True)
class Part:
    label: str
    kind: str  # what it is coloured by
    count: int
    start: float
    width: float


def balance(progress: Mapping[str, Any]) -> list[Part]:
    counts = (
        ("documents", "ok", progress["done"] - progress["exceptions"] - progress["filtered"]),
        ("filtered", "filtered", progress["filtered"]),
        ("exceptions", "warn", progress["exceptions"]),
        ("open", "open", progress["open"]),
    )
    parts, start = list[Part](), 0.0
    for label, kind, count in counts:
        width = WIDTH * count / progress["documents"] if progress["documents"] else 0.0
        parts.append(Part(label, kind, count, round(start, 2), round(width, 2)))
        start += width
    return parts
