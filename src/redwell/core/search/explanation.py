"""How a query was understood, in words that can be agreed on. Pure; for `--explain` and for every answer as JSON."""

from datetime import datetime, tzinfo

from redwell.core.search.fields import FieldType, type_of
from redwell.core.search.query import (
    Among,
    And,
    Everything,
    Fuzzy,
    InFamily,
    Near,
    Node,
    Not,
    Or,
    Pattern,
    Present,
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
        case Value(field, "", prefix=True) | Present(field):
            return f"{field} has a value"
        case Value(field, value, prefix):
            return f"{field} {'begins with' if prefix else 'is'} {value}"
        case Range():
            return _range(node, zone)
        case Among(asked=asked):
            return asked
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
    if type_of(node.field) is not FieldType.DATE:
        return f"{node.field} {_numbers(node.low, node.high)}"
    low = f"from {_second(node.low, zone)} on" if node.low is not None else ""
    high = f"before {_second(node.high, zone)}" if node.high is not None else ""
    return f"{node.field} {' and '.join(part for part in (low, high) if part)}"


def _numbers(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f"is {low:,}" if high == low + 1 else f"from {low:,} to {high - 1:,}"
    return f"from {low:,} on" if low is not None else f"up to {(high or 0) - 1:,}"


def _second(value: int, zone: tzinfo) -> str:
    try:
        return f"{datetime.fromtimestamp(value, zone).replace(tzinfo=None).isoformat(' ')} {zone}"
    except (ValueError, OverflowError):  # the years 1 and 9999 reach over what has a date
        return "the end of the year 9999" if value > 0 else "the beginning of the year 1"
