"""A search whose parts about data (`data.invoice.total:>1000`) are answered from rows, before any engine is asked."""

from collections.abc import Callable

from redwell.core.errors import UserError
from redwell.core.search.query import And, InFamily, Node, Not, Or, Value
from redwell.core.search.query_tokens import mistake
from redwell.core.understanding.data_query import DATA, DataQuery, read_data_query
from redwell.ports.search_index import SearchReader
from redwell.review.narrowed_search import NarrowedSearch

MOST = 20_000


class DataSearch(NarrowedSearch):
    """A SearchReader over another one. A correction of data is found at once: no index has to follow."""

    def __init__(self, index: SearchReader, with_data: Callable[[DataQuery], list[str]]) -> None:
        super().__init__(index)
        self._with_data = with_data

    def _answered(self, node: Node) -> Node:
        match node:
            case Value(field=field) if field.startswith(DATA):
                return self._among(node)
            case And(parts):
                return And(tuple(map(self._answered, parts)))
            case Or(parts):
                return Or(tuple(map(self._answered, parts)))
            case Not(part):
                return Not(self._answered(part))
            case InFamily(part):
                return InFamily(self._answered(part))
            case _:
                return node

    def _among(self, node: Value) -> Node:
        found = self._with_data(read_data_query(node.field.removeprefix(DATA), node.value))
        if len(found) > MOST:
            raise _too_many(node)
        if not found:
            return Value("control_number", "-")  # none has it
        values = tuple(Value("control_number", control.lower()) for control in found)
        return values[0] if len(values) == 1 else Or(values)


def _too_many(node: Value) -> UserError:
    return mistake(node.column, f"more than {MOST:,} documents have such data: narrow it down")
