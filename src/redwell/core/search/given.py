"""Values that are rows of the case, not words of an index: tags, threads, neighbours, data. Pure.

Whoever searches looks their documents up first, and every engine is asked for these by their control numbers: what was
tagged or corrected a moment ago is found at once.
"""

from collections.abc import Callable, Sequence

from redwell.core.errors import UserError
from redwell.core.search.query import Among, And, InFamily, Node, Not, Or, Value
from redwell.core.search.query_tokens import mistake

GIVEN = frozenset({"tag", "thread", "near"})
MOST = 1_000_000  # documents that one value may stand for
Lookup = Callable[[Value], Sequence[str] | None]  # control numbers; None: the index knows it


def resolved(node: Node, lookup: Lookup) -> Node:
    """The same query in fields that every index has."""
    match node:
        case Value():
            return _looked_up(node, lookup)
        case And(parts):
            return And(tuple(resolved(part, lookup) for part in parts))
        case Or(parts):
            return Or(tuple(resolved(part, lookup) for part in parts))
        case Not(part):
            return Not(resolved(part, lookup))
        case InFamily(part):
            return InFamily(resolved(part, lookup))
        case _:
            return node


def _looked_up(value: Value, lookup: Lookup) -> Node:
    try:
        controls = lookup(value)
        return value if controls is None else among(controls, f"{value.field}:{value.value}")
    except UserError as error:
        raise mistake(value.column, str(error)) from None


def among(controls: Sequence[str], asked: str) -> Node:
    """One of these documents; `asked` is how it was asked for, and differs where that does."""
    if len(controls) > MOST:
        raise UserError(f"{asked} stands for more than {MOST:,} documents: narrow the search by words instead")
    return Among("control_number", tuple(control.lower() for control in controls), asked)
