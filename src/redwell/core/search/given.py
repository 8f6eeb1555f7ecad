"""Fields whose values are rows of the case, not words of an index: tags, threads, neighbours. Pure.

Whoever searches looks their documents up first, and every engine is asked for these by their control numbers: what was
tagged a moment ago is found at once.
"""

from collections.abc import Callable, Sequence

from redwell.core.errors import UserError
from redwell.core.search.query import And, InFamily, Node, Not, Or, Value
from redwell.core.search.query_tokens import mistake

GIVEN = frozenset({"tag", "thread", "near"})
MOST = 20_000  # documents that one value may stand for
Lookup = Callable[[str, str, bool], Sequence[str]]  # field, value, is a prefix: control numbers


def resolved(node: Node, lookup: Lookup) -> Node:
    """The same query in fields that every index has."""
    match node:
        case Value(field) if field in GIVEN:
            try:
                return _among(lookup(field, node.value, node.prefix), f"{field}:{node.value}")
            except UserError as error:
                raise mistake(node.column, str(error)) from None
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


def _among(controls: Sequence[str], asked: str) -> Node:
    if len(controls) > MOST:
        raise UserError(f"{asked} stands for more than {MOST:,} documents: narrow the search by words instead")
    values = tuple(Value("control_number", control.lower()) for control in controls)
    return values[0] if len(values) == 1 else Or(values) if values else Value("control_number", "-")
