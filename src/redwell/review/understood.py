"""How a query was understood, in words: shown beside every list of hits, so that no operator is dropped unseen."""

from datetime import UTC, datetime

from redwell.core.search.fields import FieldType, type_of
from redwell.core.search.query import And, Everything, Node, Not, Or, Range, Value, Words


def understood(node: object) -> str:
    match node:
        case Everything():
            return "every document"
        case Words():
            return _in_field(node.field, _words(node))
        case Value(field, value, prefix):
            return f"{field} {'beginning with ' if prefix else 'is '}“{value}”"
        case Range():
            return _range(node)
        case Not(part):
            return f"not {_grouped(part)}"
        case And(parts):
            return " and ".join(map(_grouped, parts))
        case Or(parts):
            return " or ".join(map(_grouped, parts))
    return str(node)


def _grouped(node: Node) -> str:
    told = understood(node)
    return f"({told})" if isinstance(node, And | Or) else told


def _words(node: Words) -> str:
    *first, last = node.words
    if not node.prefix:
        return f"“{' '.join(node.words)}”"
    return f"a word beginning with “{last}”" if not first else f"“{' '.join(node.words)}…”"


def _in_field(field: str, told: str) -> str:
    return f"{told} in {field}" if field else told


def _range(node: Range) -> str:
    low, high = (_shown(node.field, bound) for bound in (node.low, node.high))
    if node.low is None:
        return f"{node.field} before {high}"
    return f"{node.field} from {low} on" if node.high is None else f"{node.field} from {low} until before {high}"


def _shown(field: str, bound: int | None) -> str:
    if bound is None or type_of(field) is not FieldType.DATE:
        return str(bound)
    when = datetime.fromtimestamp(bound, UTC)
    return f"{when:%Y-%m-%d %H:%M}".removesuffix(" 00:00")
