"""The full-text index of one case on OpenSearch; every machine that has its address searches it.

Everything in here can be rebuilt from the rows. What was added is found after a commit, or with luck before.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from redwell.adapters.opensearch.bulk import Bulk
from redwell.adapters.opensearch.case_alias import CaseAlias
from redwell.adapters.opensearch.client import Client
from redwell.adapters.opensearch.documents import AS_WRITTEN_FIELD, DIGEST, EXHIBIT, FAMILY, PLACE, place_key
from redwell.adapters.opensearch.lookups import IndexLookups
from redwell.adapters.opensearch.translation import EVERYTHING, Dsl, Translation
from redwell.core.errors import Permanent, UserError
from redwell.core.search.doubts import doubts
from redwell.core.search.matches import NO_PASSAGE, Matches
from redwell.core.search.query import is_scored
from redwell.core.search.request import CONTROL_NUMBER, SCORE, Facet, Search
from redwell.core.search.stems import Stems
from redwell.ports.search_index import Counts, Entry, Hit, Hits, ReadEntries

_PAGE = 10_000  # hits that OpenSearch gives at once
_MOST_VALUES = 65_000  # of a field that is counted


class OpenSearchIndex:
    """Keeps the promises of `ports.search_index.SearchIndex`."""

    def __init__(
        self, client: Client, environment: str, case: str, read: ReadEntries, stems: Stems | None = None
    ) -> None:
        self._client, self._alias = client, CaseAlias(client, environment, case)
        self._read, self._stems = read, stems
        self._waiting: list[Entry] = []
        self._written: str | None = None  # the index that is written to

    def replace(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._waiting.append(entry)
            if len(self._waiting) >= self._client.patience.at_once:
                self._send()

    def commit(self) -> None:
        self._send()
        if self._written is not None:
            self._client.ask("POST", f"/{self._written}/_refresh")

    def _send(self) -> None:
        if not self._waiting:
            return
        if self._written is None:
            self._written = self._current() or self._begun()
        Bulk(self._client, self._written, self._alias.routing).send(self._waiting)
        self._waiting = []

    def _begun(self) -> str:
        index = self._alias.made()
        self._alias.point_at(index)
        return index

    def _current(self) -> str | None:
        index = self._alias.index()
        if index is not None and not self._alias.is_of_today(index):
            raise Permanent(f"the index {index} was made by another version; run 'redwell reindex'")
        return index

    def search(self, request: Search) -> Hits:
        index = self._current()
        if index is None:
            return Hits()
        lookups = IndexLookups(self._client, index, self._read, self._stems)
        translation = Translation(lookups)
        for doubt in doubts(request.query):  # filters are no person's writing
            if not lookups.count(translation.of(doubt.probe)):
                raise doubt.error
        query = translation.filtered(request.query, request.filters)
        found, total, facets = self._found(index, request, query)
        shown = found[: request.limit]
        after = self._cursor(request, shown) if len(found) > len(shown) > 0 else None
        return Hits(total=total, hits=tuple(self._hits(request, shown)), after=after, facets=facets)

    def _found(self, index: str, request: Search, query: Dsl) -> tuple[list[Dsl], int, dict[str, Counts]]:
        """One hit more than is wanted, page by page; totals and counts come with the first page."""
        body: Dsl = {"query": query, "sort": _sort(request), "_source": False, "docvalue_fields": [EXHIBIT, FAMILY]}
        if request.after is not None:
            body["search_after"] = _behind(request)
        counted = {facet.field: _counting(facet) for facet in request.facets}
        first: dict[str, Any] = {"track_total_hits": True, **({"aggs": counted} if counted else {})}
        left = request.limit + 1 if request.limit > 0 else 0
        found: list[Dsl] = []
        answer = self._asked(index, {**body, **first, "size": min(left, _PAGE)})
        total, told = int(answer["hits"]["total"]["value"]), answer.get("aggregations", {})
        while hits := answer["hits"]["hits"]:
            found += hits
            left -= len(hits)
            if left < 1 or len(hits) < _PAGE:
                break
            more = {"size": min(left, _PAGE), "track_total_hits": False, "search_after": hits[-1]["sort"]}
            answer = self._asked(index, {**body, **more})
        return found, total, {facet.field: _counts(told[facet.field], facet) for facet in request.facets}

    def _asked(self, index: str, body: Dsl) -> Dsl:
        try:
            return self._client.ask("POST", f"/{index}/_search?routing={self._alias.routing}", body) or {}
        except Permanent as error:
            if "maxClauseCount" in str(error) or "too_many" in str(error):
                told = "the query has more parts than the OpenSearch cluster takes (a thousand or so): ask in two"
                raise UserError(told) from error
            raise

    def _cursor(self, request: Search, shown: list[Dsl]) -> Any:
        *key, place = shown[-1]["sort"]
        value = _key(request, key[0]) if key else (0.0 if request.sort.field == SCORE else None)
        seen = (request.after.seen if request.after else 0) + len(shown)
        return request.cursor(value, bytes.fromhex(place).decode("utf-8", "surrogatepass"), seen)

    def _hits(self, request: Search, found: list[Dsl]) -> Iterator[Hit]:
        matches = Matches(request.query, self._stems)
        keys = [int(hit["fields"][EXHIBIT][0]) for hit in found]
        is_read = request.snippets or request.positions
        texts = {entry.exhibit: entry.text for entry in self._read(keys)} if is_read else {}
        for key, hit in zip(keys, found, strict=True):
            text = texts.get(key, "")
            passage = matches.passage(text) if request.snippets else NO_PASSAGE
            yield Hit(
                exhibit=key,
                family=int(hit["fields"][FAMILY][0]),
                score=float(hit["_score"] or 0.0) if request.sort.field == SCORE else None,
                snippet=passage.text,
                page=passage.page,
                positions=tuple(matches.spans(text)) if request.positions else (),
            )

    def entries(self) -> Iterator[tuple[int, str]]:
        index = self._current()
        body: Dsl = {"query": EVERYTHING, "sort": [{EXHIBIT: "asc"}], "_source": [DIGEST], "size": _PAGE}
        while index is not None:
            hits = self._asked(index, body)["hits"]["hits"]
            for hit in hits:
                yield int(hit["sort"][0]), hit["_source"][DIGEST]
            if len(hits) < _PAGE:
                return
            body["search_after"] = hits[-1]["sort"]

    def damaged(self) -> Iterator[str]:
        index = self._alias.index()
        if index is not None:
            health = self._client.ask("GET", f"/_cluster/health/{index}") or {}
            if health["status"] == "red":
                yield index

    def is_there(self) -> bool:
        return self._alias.index() is not None

    def is_outdated(self) -> bool:
        index = self._alias.index()
        return index is not None and not self._alias.is_of_today(index)

    def forget(self) -> None:
        self._waiting, self._written = [], None
        self._alias.remove()

    def close(self) -> None:
        """What was not sent is dropped."""
        self._waiting, self._written = [], None
        self._client.close()


def _sort(request: Search) -> list[Dsl]:
    field = request.sort.field
    if field == CONTROL_NUMBER or (field == SCORE and not is_scored(request.query)):
        return [{PLACE: "asc"}]
    if field == SCORE:
        return [{"_score": "desc"}, {PLACE: "asc"}]
    order = "desc" if request.sort.descending else "asc"
    return [{field: {"order": order, "missing": "_last"}}, {PLACE: "asc"}]


_LAST = {False: 2**63 - 1, True: -(2**63)}  # how OpenSearch sorts what has no value, by whether it is descending


def _key(request: Search, value: Any) -> float | int | None:
    if request.sort.field == SCORE:
        return float(value)
    return None if value is None or int(value) == _LAST[request.sort.descending] else int(value)


def _behind(request: Search) -> list[Any]:
    after = request.after
    assert after is not None
    place = place_key(after.place)
    if len(_sort(request)) == 1:
        return [place]
    return [_LAST[request.sort.descending] if after.key is None else after.key, place]


def _counting(facet: Facet) -> Dsl:
    return {"terms": {"field": f"{AS_WRITTEN_FIELD}.{facet.field}", "size": _MOST_VALUES}}


def _counts(told: Dsl, facet: Facet) -> Counts:
    """Of all values, so that those shown are the most frequent ones for sure."""
    counted = sorted(((b["key"], b["doc_count"]) for b in told["buckets"]), key=lambda each: (-each[1], each[0]))
    other = sum(count for _, count in counted[facet.limit :]) + int(told["sum_other_doc_count"])
    return Counts(tuple(counted[: facet.limit]), other)
