"""The library that near duplicates are found with; imported when it is asked for, since few looks need it."""

from collections.abc import Callable


def sketcher() -> Callable[[frozenset[str]], bytes]:
    from redwell.adapters.rensa.sketches import sketch_of

    return sketch_of
