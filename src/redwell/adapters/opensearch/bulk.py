"""Documents on their way to OpenSearch: 50 at once, each of them once. Used by the index adapter.

After three failures they go one by one, so that none keeps the others back. After a time-out nobody knows what arrived:
the index is asked, and the rest is sent.
"""

import json
from collections.abc import Sequence

import msgspec

from redwell.adapters.opensearch.client import PASSING, Client, Json, Passing
from redwell.adapters.opensearch.documents import DIGEST, document
from redwell.core.errors import Permanent
from redwell.ports.search_index import Entry

_encoded = msgspec.json.Encoder().encode


class Bulk:
    def __init__(self, client: Client, index: str, routing: str) -> None:
        self._client, self._index, self._routing = client, index, routing

    def send(self, entries: Sequence[Entry]) -> None:
        """All are there when this returns. Passing where the index takes none for the time being."""
        latest = list({entry.exhibit: entry for entry in entries}.values())
        at_once = self._client.patience.at_once
        for start in range(0, len(latest), at_once):
            rest = self._tried(latest[start : start + at_once])
            for entry in rest:
                if self._tried([entry]):
                    raise Passing(f"OpenSearch did not take exhibit {entry.exhibit}; it is tried again", refused=True)

    def _tried(self, entries: list[Entry]) -> list[Entry]:
        """Those that were not taken, after all attempts."""
        for attempt in range(1, self._client.patience.retries + 1):
            try:
                entries = self._sent(entries)
            except Passing as error:
                entries = entries if error.refused else self._missing(entries)
            if not entries:
                return []
            self._client.wait(2**attempt)
        return entries

    def _sent(self, entries: Sequence[Entry]) -> list[Entry]:
        """Those that the index is too busy for."""
        answer = self._client.bulk(f"/{self._index}/_bulk?routing={self._routing}", _lines(entries))
        if not answer["errors"]:
            return []
        results = [item["index"] for item in answer["items"]]
        for entry, result in zip(entries, results, strict=True):
            if "error" in result and result["status"] not in PASSING:
                raise Permanent(f"OpenSearch refused exhibit {entry.exhibit}: {json.dumps(result['error'])[:500]}")
        return [entry for entry, result in zip(entries, results, strict=True) if "error" in result]

    def _missing(self, entries: Sequence[Entry]) -> list[Entry]:
        """Those that the index has not, or has as they were before."""
        wanted = [{"_id": str(entry.exhibit), "routing": self._routing} for entry in entries]
        answer: Json = self._client.ask("POST", f"/{self._index}/_mget", {"docs": wanted}) or {}
        known = {found["_id"]: found["_source"][DIGEST] for found in answer["docs"] if found.get("found")}
        return [entry for entry in entries if known.get(str(entry.exhibit)) != entry.digest]


def _lines(entries: Sequence[Entry]) -> bytes:
    lines = list[bytes]()
    for entry in entries:
        lines += [_encoded({"index": {"_id": str(entry.exhibit)}}), _encoded(document(entry))]
    return b"\n".join(lines) + b"\n"
