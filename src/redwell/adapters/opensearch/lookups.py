"""What a query needs to have looked up: words checked in the texts, families of hits. For the index adapter."""

from collections.abc import Iterator

from redwell.adapters.opensearch.client import Client
from redwell.adapters.opensearch.documents import EXHIBIT, FAMILY
from redwell.adapters.opensearch.translation import Dsl
from redwell.core.search.checking import Check
from redwell.core.search.query import Near, Words
from redwell.core.search.stems import Stems
from redwell.ports.search_index import ReadEntries

_PAGE, _AT_ONCE = 10_000, 500


class IndexLookups:
    def __init__(self, client: Client, index: str, read: ReadEntries, stems: Stems | None) -> None:
        self._client, self._index, self._read, self._stems = client, index, read, stems

    def checked(self, part: Words | Near, candidates: Dsl) -> list[int]:
        check, exhibits = Check(part, self._stems), [exhibit for exhibit, _ in self._hits(candidates)]
        return [
            entry.exhibit
            for start in range(0, len(exhibits), _AT_ONCE)
            for entry in self._read(exhibits[start : start + _AT_ONCE])
            if check.fits(entry.text, entry.fields)
        ]

    def families_of(self, query: Dsl) -> list[int]:
        return sorted({family for _, family in self._hits(query)})

    def count(self, query: Dsl) -> int:
        answer = self._client.ask("POST", f"/{self._index}/_count", {"query": query}) or {}
        return int(answer["count"])

    def _hits(self, query: Dsl) -> Iterator[tuple[int, int]]:
        """Every one, with the head of its family."""
        body: Dsl = {"query": query, "sort": [{EXHIBIT: "asc"}], "_source": False, "docvalue_fields": [FAMILY]}
        body |= {"size": _PAGE, "track_total_hits": False}
        while True:
            hits = (self._client.ask("POST", f"/{self._index}/_search", body) or {})["hits"]["hits"]
            yield from ((int(hit["sort"][0]), int(hit["fields"][FAMILY][0])) for hit in hits)
            if len(hits) < _PAGE:
                return
            body["search_after"] = hits[-1]["sort"]
