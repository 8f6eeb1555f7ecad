"""The texts of exhibits, from their blobs. For the index, and for whoever looks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol, TypeVar

from redwell.core.blobs import Location
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader

AT_ONCE = 500


class WithText(Protocol):
    @property
    def text(self) -> bytes | None: ...


class Places(Protocol):
    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]: ...


T = TypeVar("T", bound=WithText)


def with_texts(exhibits: Iterable[T], places: Places, blobs: BlobReader) -> Iterator[tuple[T, str]]:
    """Each exhibit with its text; where the texts lie is asked for many at once."""
    following = iter(exhibits)
    while chunk := list(islice(following, AT_ONCE)):
        known = places.known_blobs([exhibit.text for exhibit in chunk if exhibit.text])
        for exhibit in chunk:
            yield exhibit, read_text(exhibit, known, blobs)


def text_of(rows: CaseReader, blobs: BlobReader, exhibit: int) -> str:
    """Empty where there is none."""
    found = rows.some([exhibit]).get(exhibit)
    return next((text for _, text in with_texts([found] if found else [], rows, blobs)), "")


def read_text(exhibit: WithText, places: Mapping[bytes, Location], blobs: BlobReader) -> str:
    sha256 = exhibit.text
    return blobs.read(sha256, places[sha256]).decode("utf-8", "replace") if sha256 else ""
