"""Renditions that somebody asks for: which are wanted of which exhibits, and what is handed out of one.

Called by the command line. What is made is asked for in the ledger, so that a kill leaves it to `redwell resume`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from redwell.core.artifacts import ArtifactKind
from redwell.core.blobs import Location
from redwell.core.case.rows import Exhibit, MadeArtifact
from redwell.core.errors import NotFound
from redwell.core.jobs.job import JobKind, NewJob
from redwell.core.jobs.priority import LOWEST
from redwell.core.outcomes import Outcome
from redwell.core.work.renderers import Goal
from redwell.load.texts import one_text
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.loadfiles.given import RECORD_ROLES, Handout, given_page, native_file_of_record

AT_ONCE = 1_000
ASKED = (Goal.PDF, Goal.PAGES, Goal.OCR)
PDF_TYPE = "application/pdf"
READABLE = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})
_EXTENSIONS = {PDF_TYPE: "pdf", "image/png": "png", "image/jpeg": "jpg", "text/plain; charset=utf-8": "txt"}
# what is handed out by which name, and what it takes to make it
WHAT: dict[str, tuple[ArtifactKind, Goal]] = {
    "pdf": (ArtifactKind.PDF, Goal.PDF),
    "flattened": (ArtifactKind.FLATTENED_PDF, Goal.PDF),
    "searchable": (ArtifactKind.SEARCHABLE_PDF, Goal.OCR),
    "page": (ArtifactKind.PAGE_IMAGE, Goal.PAGES),
    "cleaned": (ArtifactKind.OCR_CLEANED, Goal.OCR),
    "other": (ArtifactKind.OCR_OTHER, Goal.OCR),
}


def eager_for(settings: Settings, goals: Collection[Goal]) -> Settings:
    """The same settings where these are made, and no others."""
    wanted = {goal.value: "eager" if goal in goals else "lazy" for goal in (Goal.PDF, Goal.PAGES)}
    ocr = settings.ocr if settings.ocr != "none" else "auto"
    return settings.with_overrides({**wanted, "ocr": ocr if Goal.OCR in goals else "none"})


def in_idle_time(case: Case) -> NewJob:
    return NewJob(kind=JobKind.IDLE, priority=LOWEST, host=machine_name(), terms=case.terms)


def ask(case: Case, numbers: Sequence[str], job: NewJob | None = None) -> set[int]:
    """Want what the case's settings make of these exhibits, or of all; the batches that have such work now."""
    job = job or NewJob(kind=JobKind.RENDER, host=machine_name(), terms=case.terms)
    batches = set[int]()
    keys = (exhibit.id for exhibit in _chosen(case.rows, case.name, numbers))
    while some := list(islice(keys, AT_ONCE)):
        batches |= case.store.want_parts(some, job)
    if batches:
        case.announce()
    return batches


def _chosen(rows: CaseReader, name: str, numbers: Sequence[str]) -> Iterator[Exhibit]:
    if not numbers:
        yield from rows.exhibits()
        return
    found = rows.numbered(numbers)
    for number in numbers:
        if number not in found:
            raise NotFound(f"case {name!r} has no exhibit {number!r}; `redwell documents` lists their numbers")
        yield found[number]


def exhibit_of(rows: CaseReader, name: str, number: str) -> Exhibit:
    return next(_chosen(rows, name, [number]))


class Placed(NamedTuple):
    """Where the bytes of a file lie, which may be too many to hold."""

    sha256: bytes
    location: Location
    extension: str


def native(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit) -> Handout:
    """As it came in; of a record of a load file the native that it names."""
    return _handed_out(blobs, native_place(rows, exhibit))


def native_place(rows: CaseReader, exhibit: Exhibit) -> Placed:
    if exhibit.role in RECORD_ROLES:
        sha256, extension = native_file_of_record(rows, exhibit)
        return _placed(rows, sha256, extension)
    if exhibit.sha256 is None:
        raise NotFound(f"{exhibit.control_number} has no content: {exhibit.detail}")
    return _placed(rows, exhibit.sha256, exhibit.name.rpartition(".")[2] if "." in exhibit.name else "bin")


def text(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit) -> Handout:
    return Handout(one_text(exhibit, rows, blobs).encode(), "txt")


def made(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit, what: str, page: int = 0) -> Handout | None:
    """What was made of it already; a PDF that nobody had to mend or flatten is its own."""
    if what == "page" and (given := given_page(rows, blobs, exhibit, page)):
        return given
    place = place_of(rows, exhibit, what, page)
    return _handed_out(blobs, place) if place else None


def place_of(rows: CaseReader, exhibit: Exhibit, what: str, page: int = 0) -> Placed | None:
    """Of what was made of it already, or of its own PDF."""
    kind, _ = WHAT[what]
    found = {(each.kind, each.number): each for each in rows.artifacts(exhibit.id)}
    artifact: MadeArtifact | None = found.get((kind, page)) or _only_part(found, kind)
    if artifact is None and what == "flattened":
        artifact = found.get((ArtifactKind.PDF, 0))
    if artifact is not None:
        return _placed(rows, artifact.sha256, _EXTENSIONS.get(artifact.media_type, "bin"))
    if what == "pdf" and exhibit.media_type == PDF_TYPE and exhibit.role in RECORD_ROLES:
        return None if (ArtifactKind.PAGE_LIST, 0) in found else native_place(rows, exhibit)
    if what == "pdf" and exhibit.media_type == PDF_TYPE and exhibit.sha256 and exhibit.outcome in READABLE:
        return _placed(rows, exhibit.sha256, "pdf")
    return None


def _only_part(found: Mapping[tuple[str, int], MadeArtifact], kind: ArtifactKind) -> MadeArtifact | None:
    """A searchable PDF is made with the range of pages that it is of, which of most documents is the only one; those
    of others are joined, which is one more rendition."""
    parts = [each for each in found.values() if each.kind == kind is ArtifactKind.SEARCHABLE_PDF]
    return parts[0] if len(parts) == 1 else None


def why_not(rows: CaseReader, exhibit: Exhibit) -> str:
    """What is said of a PDF that could not be made."""
    told = [part.detail for part in rows.parts([exhibit.id]).get(exhibit.id, []) if part.detail]
    return told[-1] if told else ""


def _placed(rows: CaseReader, sha256: bytes, extension: str) -> Placed:
    return Placed(sha256, rows.known_blobs([sha256])[sha256], extension)


def _handed_out(blobs: BlobReader, place: Placed) -> Handout:
    return Handout(blobs.read(place.sha256, place.location), place.extension)
