"""What an index can be asked instead of what it cannot tell: never too little, so that it can be checked. Pure."""

from dataclasses import dataclass

from redwell.core.search.fields import FieldType, type_of
from redwell.core.search.query import And, Near, Node, Or, Present, Range, Stem, Value, Word, Words


@dataclass(frozen=True, slots=True)
class Sloppy:
    """Two different words, the second at most `slop` places from where it stands in a phrase.

    Both engines count alike: `slop` words between the two in this order, two fewer in the other one.
    """

    first: str
    second: str
    slop: int


def narrowed(node: Node) -> Node:
    """Of words or words near each other: the same words, wherever they stand."""
    match node:
        case Words(words, field, prefix, column):
            last = len(words) - 1
            single = [Words((_begin(w),), field, prefix and n == last, column) for n, w in enumerate(words)]
            return single[0] if len(single) == 1 else And(tuple(single))
        case Near(left, right):
            return And((narrowed(left), narrowed(right)))
        case Or(parts):
            return Or(tuple(map(narrowed, parts)))
        case _:
            return node


def any_value(node: Present) -> Words | Value | Range:
    """The same in what every engine has: words and values that begin anyhow, numbers that are open at both ends."""
    match type_of(node.field):
        case FieldType.TEXT:
            return Words(("",), node.field, prefix=True, column=node.column)
        case FieldType.KEYWORD:
            return Value(node.field, "", prefix=True, column=node.column)
        case FieldType.DATE | FieldType.NUMBER:
            return Range(node.field, column=node.column)


def _begin(word: Word) -> Word:
    return word.kept if isinstance(word, Stem) else word


def sloppy_pairs(node: Near) -> tuple[Sloppy, ...]:
    """Where both sides are single plain words: what finds them near each other; empty where it is not as simple."""
    lefts, rights = _plain_words(node.left), _plain_words(node.right)
    if lefts is None or rights is None or set(lefts) & set(rights):
        return ()
    pairs = [(left, right) for left in lefts for right in rights]
    if not node.ordered:
        pairs += [(right, left) for left, right in pairs]
    return tuple(Sloppy(first, second, node.distance - 1) for first, second in pairs)


def is_exact(node: Near) -> bool:
    """Whether those pairs find no more than was asked for: in another order only what is wanted anyway, or nothing."""
    return not node.ordered or node.distance < 3


def _plain_words(node: Node) -> list[str] | None:
    match node:
        case Words((str(word),), prefix=False):
            return [word]
        case Or(parts):
            found = [_plain_words(part) for part in parts]
            return None if None in found else [word for words in found if words for word in words]
        case _:
            return None
