"""Hands out what came with a volume: natives and pages of its records, its load files. Called by `redwell get`."""

from typing import NamedTuple

from redwell.core.artifacts import ArtifactKind
from redwell.core.case.native_bytes import RECORD_ROLES
from redwell.core.case.rows import Exhibit
from redwell.core.errors import NotFound
from redwell.core.loadfiles.assembly import MAX_HEADER, Part, read_header
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.volume_document import read_volume
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader

_DELIVERY = "delivery"


class Handout(NamedTuple):
    data: bytes
    extension: str


def native_hash(rows: CaseReader, exhibit: Exhibit) -> bytes | None:
    """Of the bytes that an exhibit is: of a record those of the native that came with it."""
    return _artifact(rows, exhibit, ArtifactKind.NATIVE) if exhibit.role in RECORD_ROLES else exhibit.sha256


def native_file_of_record(rows: CaseReader, exhibit: Exhibit) -> tuple[bytes, str]:
    """Its hash and extension."""
    sha256 = _artifact(rows, exhibit, ArtifactKind.NATIVE)
    if sha256 is None:
        raise NotFound(f"{exhibit.control_number} came without a native; --pdf and --page hand out its pages")
    return sha256, _extension(str(exhibit.metadata.get("native_path", "")))


def given_pages(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit) -> tuple[Part, ...]:
    """The pages that came with a record, in order."""
    sha256 = _artifact(rows, exhibit, ArtifactKind.PAGE_LIST) if exhibit.role in RECORD_ROLES else None
    return read_header(_read(rows, blobs, sha256)[:MAX_HEADER]).parts if sha256 else ()


def given_page(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit, number: int) -> Handout | None:
    """A page as it came, where it came as a file of its own."""
    parts = given_pages(rows, blobs, exhibit)
    part = parts[number - 1] if 0 < number <= len(parts) else None
    if part is None or part.number or part.name.lower().endswith(".pdf"):
        return None
    return Handout(_read(rows, blobs, bytes.fromhex(part.sha256)), _extension(part.name))


def normalised_load_file(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit) -> Handout:
    sha256 = _artifact(rows, exhibit, ArtifactKind.LOAD_FILE) if exhibit.kind == _DELIVERY else None
    if sha256 is None:
        raise NotFound(f"{exhibit.control_number} is no volume of records; `redwell documents` lists them")
    return Handout(_read(rows, blobs, sha256), "dat")


def file_of_volume(rows: CaseReader, blobs: BlobReader, exhibit: Exhibit, path: str) -> Handout:
    if exhibit.kind != _DELIVERY or exhibit.sha256 is None:
        raise NotFound(f"{exhibit.control_number} is no volume; `redwell documents` lists them")
    with blobs.open(exhibit.sha256, rows.known_blobs([exhibit.sha256])[exhibit.sha256]) as document:
        told, files = read_volume(document)
    place = Inventory(files, told.name, ()).look_up(path)
    if place is None or not files[place].sha256:
        raise NotFound(f"the volume {told.name} has no file {path!r}")
    return Handout(_read(rows, blobs, bytes.fromhex(files[place].sha256)), _extension(path))


def _artifact(rows: CaseReader, exhibit: Exhibit, kind: ArtifactKind) -> bytes | None:
    return next((made.sha256 for made in rows.artifacts(exhibit.id) if made.kind == kind), None)


def _extension(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name else "bin"


def _read(rows: CaseReader, blobs: BlobReader, sha256: bytes) -> bytes:
    return blobs.read(sha256, rows.known_blobs([sha256])[sha256])
