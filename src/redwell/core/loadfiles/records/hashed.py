"""A record that names paths, with the hashes of the files that lie there, and what is missing. Pure. In a child."""

from collections.abc import Mapping

from msgspec import structs

from redwell.core.loadfiles.assembly import PAGE, Part
from redwell.core.loadfiles.records.record_document import RecordBody, RecordDocument
from redwell.core.loadfiles.volume_document import VolumeFile
from redwell.core.outcomes import Code

_MISSING = Code.FILE_MISSING_OR_INCOMPLETE.value


def hashed(record: RecordDocument, files: Mapping[str, VolumeFile]) -> RecordDocument:
    """The same record, and those attached to it; a file that could not be read is a trouble of its record."""
    body = record.body
    record.parts = _hashed(record.parts, files, body)
    body.pages = _hashed(body.pages, files, body)
    for each in body.attached:
        hashed(each, files)
    return record


def _hashed(parts: list[Part], files: Mapping[str, VolumeFile], body: RecordBody) -> list[Part]:
    there = list[Part]()
    told = set[str]()  # a file of many pages is told once
    for part in parts:
        file = files[part.name]
        if part.name not in told:
            told.add(part.name)
            _tell(part.role, file, body)
        if file.sha256:
            there.append(structs.replace(part, sha256=file.sha256, size=file.size))
    return there


def _tell(role: str, file: VolumeFile, body: RecordBody) -> None:
    if not file.sha256:
        body.troubles.append((_MISSING, f"its {role} {file.path}: {file.why}"))
    elif not file.size:
        told = body.troubles if role == PAGE else body.notes
        told.append((_MISSING, f"its {role} {file.path}: the file has no bytes"))
