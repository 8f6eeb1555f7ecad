"""How a query was understood, in words that can be agreed on. Pure; for `--explain` and for every answer as JSON."""

from datetime import datetime, tzinfo

from redwell.core.search.fields import FieldType, type_of
from redwell.core.search.query import (
    And,
    Everything,
    Fuzzy,
    InFamily,
    Near,
    Node,
    Not,
    Or,
    Pattern,
    Range,
    Stem,
    Value,
    Word,
    Words,
)


def explained(node: Node, zone: tzinfo) -> str:
    """The whole query, every group in brackets, days with their time zone."""
    match node:
        case Words():
            return _words(node)
        case Near(left, right, distance, ordered):
            order = "before" if ordered else "near"
            return f"({explained(left, zone)} at most {distance} words {order} {explained(right, zone)})"
        case Value(field, value, prefix):
            return f"{field} {'begins with' if prefix else 'is'} {value}"
        case Range():
            return _range(node, zone)
        case Everything():
            return "everything"
        case Not(part):
            return f"NOT {explained(part, zone)}"
        case InFamily(part):
            return f"(in the family: {explained(part, zone)})"
        case And(parts):
            return "(" + " AND ".join(explained(part, zone) for part in parts) + ")"
        case Or(parts):
            return "(" + " OR ".join(explained(part, zone) for part in parts) + ")"


def _words(node: Words) -> str:
    last = len(node.words) - 1
    told = [_word(word, node.prefix and number == last) for number, word in enumerate(node.words)]
    shown = told[0] if len(told) == 1 else f'the phrase "{" ".join(told)}"'
    return f"{node.field}: {shown}" if node.field else shown


def _word(word: Word, prefix: bool) -> str:
    match word:
        case str():
            return word + "*" * prefix
        case Pattern(text):
            return text
        case Fuzzy(text, edits):
            return f"[{text} with up to {edits} {'change' if edits == 1 else 'changes'}]"
        case Stem(text, stem, language):
            return f"[{text} by its {language} stem {stem}]"


def _range(node: Range, zone: tzinfo) -> str:
    is_date = type_of(node.field) is FieldType.DATE

    def told(value: int) -> str:
        return f"{datetime.fromtimestamp(value, zone):%Y-%m-%d %H:%M:%S} {zone}" if is_date else f"{value:,}"

    low = f"from {told(node.low)} on" if node.low is not None else ""
    high = f"before {told(node.high)}" if node.high is not None else ""
    return f"{node.field} {' and '.join(part for part in (low, high) if part)}"
