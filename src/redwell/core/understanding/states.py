"""How far the understanding of a document is, and what becomes of a message about it (B3, B8). Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from redwell.core.work.attempts import UNDERSTANDING

HEARTBEAT_S, EXTENSION_S, CLAIM_STALE_S = 60, 300, 600
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


class Status(StrEnum):
    IN_PROGRESS = "in-progress"
    COMPLETED = "completed"
    FAILED = "failed"


class DocumentState(StrEnum):
    NEEDS_REVIEW = "needs review"
    PROCESSING = "processing"
    READY = "ready"
    NONE_FITS = "no schema fits"
    UNKNOWN = "not asked"


class Fate(StrEnum):
    """Of a message that names an ingestion."""

    WORK = "work"
    DELETE = "delete"
    HIDE = "hide until the claim is stale"


@dataclass(frozen=True, slots=True)
class Standing:
    """One ingestion of a document, as far as its state is concerned."""

    status: Status
    is_flagged: bool = False


def document_state(ingestions: Sequence[Standing], has_data: bool) -> DocumentState:
    """The oldest ingestion first. Needs review over processing over ready."""
    ended = [each for each in ingestions if each.status is not Status.IN_PROGRESS]
    latest = ended[-1] if ended else None
    if latest and (latest.status is Status.FAILED or latest.is_flagged):
        return DocumentState.NEEDS_REVIEW
    if any(each.status is Status.IN_PROGRESS for each in ingestions):
        return DocumentState.PROCESSING
    if has_data:
        return DocumentState.READY
    return DocumentState.NONE_FITS if ended else DocumentState.UNKNOWN


def after_failure(attempts: int, most: int = UNDERSTANDING) -> Status:
    """Under so many attempts it is tried again, then a person has to look."""
    return Status.IN_PROGRESS if attempts < most else Status.FAILED


def died_each_time(attempts: int, most: int = UNDERSTANDING) -> str:
    """Of an ingestion that is to be claimed once more: why it is not. Empty where it may be tried."""
    if attempts < most:
        return ""
    return f"WORKER_DIED: the process that was at it ended {attempts} times without a word; a person has to look"


def is_id(body: str) -> bool:
    return bool(_UUID.fullmatch(body.strip()))


def fate_of(status: Status | None, is_claimed: bool) -> Fate:
    """Of a message whose ingestion is there (else None), and was just claimed by whoever got it or not."""
    if is_claimed:
        return Fate.WORK
    return Fate.HIDE if status is Status.IN_PROGRESS else Fate.DELETE
