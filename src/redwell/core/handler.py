"""What a handler is given and what it yields. Every format module depends on this file alone.

A handler module has two parts, `SPEC` and `extract(source, scratch, options)`, and a third where Redwell
does not know the type: a SPEC without media types is asked `probe(head)` with the first 4 KB of each document.
It runs in a sandboxed child, yields pieces, gets no services and raises `BadInput` errors.

A handler of a profile that takes documents together (core.work.profiles) may have `extract_many(documents, scratch)`
instead, or beside it: a generator of (number of the document, piece), documents in order. A `BadInput` in place of a
piece ends its document. If the call fails, it is made again with fewer documents until the bad one is alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

from redwell.core.artifacts import ArtifactKind
from redwell.core.compression import Compression, PdfCompression
from redwell.core.outcomes import Code, Outcome
from redwell.core.work.kinds import TaskType, task_of_reading

MetaValue = str | int | float | bool | list[str]
Role = Literal["member", "attachment", "inline", "embedded", "record", "attached-record"]
HashKind = Literal["bytes", "synthetic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A run of the document's text; runs are joined in order."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Fields of the document in plain lower-case names; a later piece overrides an earlier one that is not final."""

    values: Mapping[str, MetaValue]
    is_final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Pages, slides, or image frames."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Said before a member is opened: if the child dies now, this member failed and no other."""

    locator: str
    name: str


@dataclass(frozen=True, slots=True)
class GivenPart:
    """Bytes that the case has already, of a document that was put together (core.loadfiles.assembly): of a member the
    number of a file of its volume, of an artifact that of a part of its document."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A member, attachment or embedded file with bytes of its own.

    `data` as a path names a regular file below `scratch`; the host takes and removes it.
    `hash_kind` is "synthetic" where the container holds no such bytes and the handler composed them.
    A member that its container gives no name (`""`) is called as the container is, without its extension.
    """

    locator: str
    name: str
    data: bytes | memoryview | Path | GivenPart
    role: Role = "member"
    metadata: Mapping[str, MetaValue] = field(default_factory=dict)
    hash_kind: HashKind = "bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A member that could not be taken out. It becomes an exhibit with this outcome and no bytes."""

    locator: str
    name: str
    outcome: Outcome
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A locator that is no document, such as a folder entry; counted, never an exhibit."""

    locator: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """How many members the container's own index declares (None: it has none). Makes this a container.

    The host counts `listed` itself: each distinct locator of a Child, Lost or Skipped piece.
    """

    declared: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A named problem with a part of the document. `partial` turns SUCCESS into PARTIAL."""

    code: Code
    detail: str
    partial: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """Something made of the document: a PDF, the image of a page, the words on it and where they stand.

    `number` is a page, or the first of a range that ends with `last`; `data` as a path is as with `Child`.
    `amount` counts what it has: pages of a PDF, words of a page, characters of a text.
    """

    kind: ArtifactKind
    data: bytes | memoryview | Path | GivenPart
    media_type: str
    number: int = 0
    last: int | None = None
    amount: int = 0
    figures: Mapping[str, int | float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAs:
    """The rest of the document is of another type: the handler of that goes on with `source`. Always the last piece.

    So a handler finds what lies inside a wrapping, and knows nothing of its readers. What they say is said by it.
    """

    media_type: str
    source: "Source"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandsFor:
    """The document is shown as what `source` is: its type and kind. Always the last piece.

    Its text and properties are read where `read` says so, and what is in it comes out where `unpack` does, too.
    """

    source: "Source"
    name: str
    read: bool
    unpack: bool


Piece = Text | Metadata | Pages | Opening | Child | Lost | Skipped | Contents | Trouble | Artifact | ReadAs | StandsFor


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerSpec:
    """What a handler takes. The highest score wins; the next is tried where it fails."""

    name: str
    media_types: frozenset[str]
    score: int = 50
    version: int = 1
    task: TaskType | None = None  # None: it reads contents; else the kind of work that it does on them
    kind: str = "other"  # text, mail, archive, document, spreadsheet, slides, pdf, image, ...

    @property
    def unpacks(self) -> bool:
        """What it takes is opened for its members rather than read."""
        return self.task is None and task_of_reading(self.kind) is not TaskType.EXTRACT_TEXT


class Source(Protocol):
    """The bytes of one document, read-only."""

    size: int

    def read(self) -> bytes: ...
    def open(self) -> BinaryIO: ...
    def path(self) -> Path:
        """A real file with these bytes (made in scratch when they lie inside a pack)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """One file of a set whose bytes lie one behind the other in the source. Its name ends in `suffix`."""

    number: int  # as core.work.volumes counts
    suffix: str
    size: int


class Passwords(tuple[str, ...]):
    """Those at hand for a document, and whether one of them opened it or a part of it: not which."""

    has_opened = False


def tell_opened(passwords: Sequence[str]) -> None:
    """One of them fits. A handler says so where it knows, and the host tells it of the document."""
    if isinstance(passwords, Passwords):
        passwords.has_opened = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One document's circumstances. Only `name` may decide a type, and only where bytes do not."""

    name: str
    media_type: str
    passwords: tuple[str, ...] = ()
    after: str | None = None  # the last locator already settled; go on behind it
    skip: frozenset[str] = frozenset()  # locators that killed a child; do not open them again
    max_members: int = 100_000
    max_member_bytes: int = 4 << 30
    max_total_bytes: int = 16 << 30
    max_ratio: int = 1_000
    max_text_chars: int = 50_000_000
    embedded_images: int = 0  # 1: pictures inside documents are members
    volumes: tuple[Volume, ...] = ()  # none: the source is one file
    synthetic: bool = False  # a handler composed these bytes; what they say of themselves proves nothing
    # of renditions and recognition
    plain: bool = False  # all other tries failed: whatever can be spared is left out (SPEC's NO_OCR)
    first_page: int = 1
    last_page: int = 0  # 0: to the end
    order: str = ""  # of a handler that is asked for by name: what exactly is wanted (core.production.orders)
    page_dpi: int = 96  # of page images
    sheet_pages: int = 10_000  # of a spreadsheet's PDF
    pdf_compression: int = PdfCompression.AUTO
    jpeg_quality: int = 0  # 0: whatever its maker thinks best
    timezone: str = "UTC"  # of the case, an IANA name
    ocr_dpi: int = 300
    ocr_all: int = 0  # 1: pages with a text layer of their own are recognised too
    ocr_languages: str = "eng"  # Tesseract's names, joined by +
    ocr_second: int = 0  # 1: a second engine tries the worst pages
    ocr_tries: int = 1  # 0: what was tried besides the reading that is kept is forgotten

    @property
    def compression(self) -> Compression:
        return Compression(PdfCompression(self.pdf_compression), self.jpeg_quality)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One of the documents that are given to `extract_many`."""

    source: Source
    options: Options


def pending(locators: Iterable[str], options: Options) -> Iterator[str]:
    """The locators still to be opened, in order: those behind `after`, without `skip`."""
    waiting = options.after is not None
    for locator in locators:
        if waiting:
            waiting = locator != options.after
        elif locator not in options.skip:
            yield locator
