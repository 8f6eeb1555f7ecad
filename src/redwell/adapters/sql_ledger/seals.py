"""Which values of each table a seal covers. Whoever ends a row writes its seal; `redwell verify` compares."""

from collections.abc import Mapping
from operator import attrgetter, itemgetter
from typing import Any

from redwell.core.case.seals import seal
from redwell.core.reading import FIELDS

BATCH = ("uid", "type", "custodian", "settings", "sources", "created_ms")
JOB = tuple("id batch kind state priority workers host passwords terms created_ms started_ms finished_ms".split())
RUN = tuple("batch job worker command user host pid program settings sandbox started_ms ended_ms changed".split())
DOCUMENT = ("uid", "sha256", "sha1", "md5", "size")
KEY = ("document", "purpose", "task", "input", "engine", "settings", "context")  # of work, and what it is now
DERIVATION = (*KEY, "generation", "members", *FIELDS)
ARTIFACT = tuple("derivation kind number last media_type sha256 size amount figures".split())
MEMBER = tuple("derivation ordinal locator whole generation state name role document outcome detail metadata".split())
INGESTION = tuple(
    "uid batch parent locator whole source name path root ordinal depth role "
    "document derivation listed outcome detail problems size dates metadata".split()
)

_batch, _document, _derivation = itemgetter(*BATCH), itemgetter(*DOCUMENT), itemgetter(*DERIVATION)
_member, _ingestion, _job = itemgetter(*MEMBER), itemgetter(*INGESTION), itemgetter(*JOB)
_run = itemgetter(*RUN)
_exhibit, _artifact = attrgetter(*INGESTION), itemgetter(*ARTIFACT)


def batch_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_batch(row))


def job_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_job(row))


def run_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_run(row))


def document_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_document(row))


def derivation_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_derivation(row))


def artifact_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_artifact(row))


def member_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_member(row))


def ingestion_seal(row: Mapping[str, Any]) -> bytes:
    return seal(_ingestion(row))


def exhibit_seal(row: object) -> bytes:
    """The same, of a row whose columns are attributes."""
    return seal(_exhibit(row))
