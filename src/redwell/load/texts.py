"""The texts of exhibits, from their blobs: what was read, and what was recognised. For the index, and whoever looks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol, TypeVar

from redwell.core.blobs import Location
from redwell.core.case.page_texts import RecognisedPage, joined_text
from redwell.ports.blob_store import BlobReader

AT_ONCE = 500
_LONGEST_KEPT = 50_000  # characters
_Pages = Sequence[RecognisedPage]


class WithText(Protocol):
    @property
    def id(self) -> int: ...
    @property
    def text(self) -> bytes | None: ...
    @property
    def ocr(self) -> bytes | None: ...


class Places(Protocol):
    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]: ...
    def recognised_texts(self, exhibits: Sequence[int]) -> Mapping[int, _Pages]:
        """Page and blob of each text that was recognised in these exhibits."""
        ...


T = TypeVar("T", bound=WithText)


def with_texts(exhibits: Iterable[T], places: Places, blobs: BlobReader) -> Iterator[tuple[T, str]]:
    """Each exhibit with its text; where the texts lie is asked for many at once."""
    following = iter(exhibits)
    while chunk := list(islice(following, AT_ONCE)):
        with_ocr = [exhibit.id for exhibit in chunk if exhibit.ocr]
        pages = places.recognised_texts(with_ocr) if with_ocr else {}
        wanted = [exhibit.text for exhibit in chunk if exhibit.text]
        wanted += [sha256 for texts in pages.values() for _, sha256, _ in texts]
        known = places.known_blobs(wanted)
        for exhibit in chunk:
            read = _read(exhibit.text, known, blobs) if exhibit.text else ""
            mine = pages.get(exhibit.id)
            if not mine:
                yield exhibit, read
                continue
            texts = {page: _read(sha256, known, blobs) for page, sha256, _ in mine}
            yield exhibit, joined_text(read, texts, {each.page for each in mine if each.replaces})


class Keeping(Protocol):
    @property
    def queue(self) -> Places: ...
    @property
    def blobs(self) -> BlobReader: ...
    @property
    def texts(self) -> dict[int, str]: ...


def kept_texts(exhibits: Iterable[T], case: Keeping) -> Mapping[int, str]:
    """Each is read once in a chunk, whichever step needs it first; a long one is not kept."""
    unread = [exhibit for exhibit in exhibits if exhibit.id not in case.texts]
    read = {exhibit.id: text for exhibit, text in with_texts(unread, case.queue, case.blobs)}
    case.texts.update((key, text) for key, text in read.items() if len(text) <= _LONGEST_KEPT)
    return {**case.texts, **read}


def one_text(exhibit: WithText, places: Places, blobs: BlobReader) -> str:
    return "".join(text for _, text in with_texts([exhibit], places, blobs))


def _read(sha256: bytes, places: Mapping[bytes, Location], blobs: BlobReader) -> str:
    return blobs.read(sha256, places[sha256]).decode("utf-8", "replace")
