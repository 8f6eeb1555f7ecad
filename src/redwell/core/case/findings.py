"""What `redwell verify` may find; each kind has a short name that scripts and docs/verify.md rely on."""

from dataclasses import dataclass
from enum import StrEnum


class Check(StrEnum):
    DATABASE = "database"
    UNFINISHED = "unfinished"
    SOURCES = "sources"
    WALK = "walk"
    CANCELLED = "cancelled"
    FAMILY = "family"
    OUTCOME = "outcome"
    BALANCE = "balance"
    CHILDREN = "children"
    DECLARED = "declared"
    REFERENCE = "reference"
    ORPHAN = "orphan"
    SEAL = "seal"
    BYTES = "bytes"
    INDEX = "index"
    PENDING = "pending"
    COUNTS = "counts"
    AUDIT = "audit"
    TEXTS = "texts"


CHECK_MEANINGS: dict[Check, str] = {
    Check.DATABASE: "the case's database is damaged or cannot be read",
    Check.UNFINISHED: "a batch has open rows, or its end was never written",
    Check.SOURCES: "a batch has not as many sources as were given to it",
    Check.WALK: "a source lists another number of files than there are rows below it",
    Check.CANCELLED: "open, not wrong: a cancelled import did not read its source to the end, the rest is unknown; "
    "noted where a later batch did",
    Check.FAMILY: "a row does not fit its parent: batch, depth, root, path or control number; or a number does not"
    " follow the one before it",
    Check.OUTCOME: (
        "an exhibit is done without a named outcome, with another than its content has, or is not shown as what was"
        " made of its content since, or an overlay of its text, says; or a batch has other exhibits than were counted"
        " when it was finished"
    ),
    Check.BALANCE: "a container's members are not each emitted, failed or skipped",
    Check.CHILDREN: "a container's exhibits are not the ones that its manifest calls for",
    Check.DECLARED: "a container declares another number of members than were listed, and no problem says so",
    Check.REFERENCE: "a row names another one that is not there",
    Check.ORPHAN: "a row that nothing refers to",
    Check.SEAL: "a row was changed after it was done",
    Check.BYTES: "stored bytes are missing, cut short or differ from their hashes",
    Check.INDEX: "the search index and the rows differ",
    Check.PENDING: "exhibits of a finished batch still wait for the search index",
    Check.AUDIT: "an entry of the audit log was changed or taken out",
    Check.TEXTS: (
        "with `--deep`: a mail is or is not inclusive though the texts of its thread say otherwise, or a text is not as"
        " near to another as was noted"
    ),
    Check.COUNTS: "noted, not wrong: two counts of a container's members differ, as its problems say",
}


# What nobody can answer: no row is wrong, and yet not every input is accounted for.
OPEN_STATEMENTS = frozenset({Check.CANCELLED})


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: `subject` names the exhibit, batch or row."""

    check: Check
    subject: str
    detail: str
