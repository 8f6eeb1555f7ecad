"""Projects finished exhibits into the search index. Runs in a thread of the importing process.

The rows are the truth. Pending rows are added, committed and only then marked, so a kill costs
work that is done again, never an entry.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from redwell.core.blobs import Location
from redwell.core.seals import seal
from redwell.core.trip import trip
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_store import CaseStore
from redwell.ports.search_index import Entry, SearchIndex

AT_ONCE = 500
MOST_CHARS = 32_000_000  # between two commits
MAIN_FIELDS = frozenset("subject from to cc bcc title author message_id date keywords created modified".split())


def entry_of(exhibit: Mapping[str, Any], text: str) -> Entry:
    """What of an exhibit is searchable; the same exhibit gives the same entry and digest."""
    fields = {
        "name": exhibit["name"],
        "path": exhibit["path"],
        "control_number": exhibit["control_number"],
        "batch": str(exhibit["batch"]),
        "custodian": exhibit["custodian"],
        "kind": exhibit["kind"],
        "media_type": exhibit["media_type"],
        "outcome": exhibit["outcome"],
        "sha256": exhibit["sha256"].hex() if exhibit["sha256"] else "",
        "md5": exhibit["md5"].hex() if exhibit["md5"] else "",
    }
    for name, value in exhibit["metadata"].items():
        fields[name if name in MAIN_FIELDS else "meta." + name] = value if type(value) is str else _plain(value)
    fields = {name: value for name, value in fields.items() if value}
    return Entry(exhibit=exhibit["id"], digest=digest_of(exhibit, fields), text=text, fields=fields)


def digest_of(exhibit: Mapping[str, Any], fields: Mapping[str, str]) -> str:
    return seal((exhibit["text"], sorted(fields.items()))).hex()


def _plain(value: object) -> str:
    return " ; ".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(slots=True)
class Added:
    """What the index was given since its last commit."""

    exhibits: list[int] = field(default_factory=list)
    chars: int = 0

    def is_much(self, documents: int) -> bool:
        """Time for a commit: until then the index holds it in memory, also what it has not looked at yet."""
        return len(self.exhibits) >= documents or self.chars >= MOST_CHARS


def add_pending(store: CaseStore, blobs: BlobStore, index: SearchIndex, added: Added, at_once: int = AT_ONCE) -> int:
    """Add some pending exhibits to the index; how many. They stay pending until `commit`."""
    pending = store.pending_index(at_once)
    if pending:
        index.replace(_entries(pending, store, blobs, added))
    return len(pending)


def commit(store: CaseStore, index: SearchIndex, added: Added) -> None:
    """From now on they are found, whatever happens."""
    trip("index.before_commit")
    index.commit()
    trip("index.after_commit")
    store.indexed(added.exhibits)


def _entries(pending: Sequence[Mapping[str, Any]], store: CaseStore, blobs: BlobStore, added: Added) -> Iterator[Entry]:
    for exhibit, text in with_texts(pending, store, blobs):
        added.exhibits.append(exhibit["id"])
        added.chars += len(text)
        yield entry_of(exhibit, text)


def with_texts(
    exhibits: Iterable[Mapping[str, Any]], store: CaseStore, blobs: BlobStore
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Each exhibit with its text; where the texts lie is asked for many at once."""
    following = iter(exhibits)
    while chunk := list(islice(following, AT_ONCE)):
        places = store.known_blobs([e["text"] for e in chunk if e["text"]])
        for exhibit in chunk:
            yield exhibit, read_text(exhibit, places, blobs)


def read_text(exhibit: Mapping[str, Any], places: Mapping[bytes, Location], blobs: BlobStore) -> str:
    sha256 = exhibit["text"]
    return blobs.read(sha256, places[sha256]).decode("utf-8", "replace") if sha256 else ""
