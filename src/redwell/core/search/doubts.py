"""Names and values of a query that no table knows: a mistake, unless the case has them all the same. Pure.

Handlers of others name metadata and kinds of their own, so only the index can tell.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from redwell.core.errors import UserError
from redwell.core.search.fields import FIELDS, META
from redwell.core.search.metadata_catalogue import FIELDS as CATALOGUE
from redwell.core.search.metadata_catalogue import unknown_fields
from redwell.core.search.query import Node, Present, Value, Words, leaves
from redwell.core.search.query_tokens import mistake


@dataclass(frozen=True, slots=True)
class Doubt:
    """Where nothing in the case fits `probe`, the query is wrong, and `error` says how."""

    probe: Words | Value
    error: UserError


def doubts(query: Node) -> Iterator[Doubt]:
    for leaf in leaves(query):
        match leaf:
            case Words(field=field) | Present(field) if field.startswith(META) and unknown_fields(
                [field.removeprefix(META)]
            ):
                yield Doubt(Words(("",), field, prefix=True), _no_metadata(leaf))
            case Value(field=field) if FIELDS[field].may_be_absent:
                yield Doubt(Value(field, "", prefix=True), _none_yet(leaf))
                yield from _of_number(leaf)
            case Value(field="family"):
                yield from _of_number(leaf)
            case Value(field="batch" | "folder"):
                yield Doubt(leaf, mistake(leaf.column, f'no document of the case is in {leaf.field} "{leaf.value}"'))
            case Value(field=field) if (known := FIELDS[field].values) and not _is_among(leaf, known):
                yield Doubt(leaf, _no_value(leaf, known))


def _of_number(leaf: Value) -> Iterator[Doubt]:
    """Families and copies are asked for by the control number of a document."""
    wrong = mistake(leaf.column, f"no document has the control number {leaf.value.upper()}")
    yield Doubt(Value("control_number", leaf.value, leaf.prefix), wrong)


def _is_among(leaf: Value, known: Collection[str]) -> bool:
    return any(value.startswith(leaf.value) for value in known) if leaf.prefix else leaf.value in known


def _no_metadata(leaf: Words | Present) -> UserError:
    name = leaf.field.removeprefix(META)
    near = [META + each for each in get_close_matches(name, CATALOGUE, n=3)]
    hint = f"; did you mean {' or '.join(near)}?" if near else "; docs/fields.md has the names"
    return mistake(leaf.column, f'no document of the case has metadata "{name}"{hint}')


def _none_yet(leaf: Value) -> UserError:
    return mistake(
        leaf.column, f"no document of the case has a value for {leaf.field} yet, so nothing can be found by it"
    )


def _no_value(leaf: Value, known: Collection[str]) -> UserError:
    near = get_close_matches(leaf.value, known, n=3)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return mistake(leaf.column, f'"{leaf.value}" is no {leaf.field}; {hint}there are {", ".join(sorted(known))}')
