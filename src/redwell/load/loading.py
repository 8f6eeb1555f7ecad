"""What the steps of a load are given. Made by the loader, in the process that indexes a case."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from redwell.core.case.copies import Rule
from redwell.core.case.filing import Filed
from redwell.ports.blob_store import BlobReader
from redwell.ports.load_queue import LoadQueue
from redwell.ports.search_index import SearchIndex

MOST_CHARS = 32_000_000  # between two commits


@dataclass(slots=True)
class Added:
    """What the index was given since its last commit."""

    exhibits: list[int] = field(default_factory=list)
    chars: int = 0

    def is_much(self, documents: int) -> bool:
        """Time for a commit: until then the index holds it in memory, also what it has not looked at yet."""
        return len(self.exhibits) >= documents or self.chars >= MOST_CHARS


@dataclass(slots=True)
class Loading:
    queue: LoadQueue
    blobs: BlobReader
    index: SearchIndex
    added: Added = field(default_factory=Added)
    texts: dict[int, str] = field(default_factory=dict)  # of this chunk, where a step has read them before the index
    filed: dict[int, Filed] = field(default_factory=dict)  # of this chunk, heads that were put into their folders
    told_anew: set[int] = field(default_factory=set)  # exhibits beside the chunk that are to be indexed with it
    # sources and custodians that the case has rows of, and those that this chunk brings
    known_sources: set[int] = field(default_factory=set)
    new_sources: set[int] = field(default_factory=set)
    known_custodians: set[str] = field(default_factory=set)
    new_custodians: dict[str, None] = field(default_factory=dict)  # in order
    _rules: dict[int, Rule] = field(default_factory=dict)

    def rules_of(self, batches: Collection[int]) -> Mapping[int, Rule]:
        """How each of these batches looks for copies; it is fixed with the batch."""
        if new := [key for key in batches if key not in self._rules]:
            self._rules |= self.queue.copy_rules(new)
        return self._rules
