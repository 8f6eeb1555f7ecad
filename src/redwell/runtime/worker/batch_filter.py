"""The sieve of a batch: what was left out when it began is left out when it is resumed, whatever is set by then."""

import os
from dataclasses import fields
from pathlib import Path
from typing import Any

from msgspec import convert

from redwell.core.case.filters import Rules
from redwell.core.case.rows import Batch
from redwell.core.errors import UserError
from redwell.core.loadfiles.volume_document import Told
from redwell.intake.sieve import Sieve
from redwell.ports.content_types import ContentTypes
from redwell.ports.known_files import KnownList
from redwell.ports.remote_source import SCHEME
from redwell.runtime.bootstrap.known_files import open_known_files
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.settings import Settings

_RULES = tuple(rule.name for rule in fields(Rules) if rule.name not in ("mailboxes", "transcripts"))


def checked(settings: Settings, home: Path) -> dict[str, Any]:
    """What a new batch has to remember of its sieve; raises `UserError` where a rule or the list is no good."""
    Rules(**{name: getattr(settings, name) for name in _RULES}).check()
    if not settings.nist:
        return {}
    place = settings.nist if settings.nist.startswith(SCHEME) else os.path.abspath(settings.nist)
    known = open_known_files(place, home, settings.patience)
    known.close()
    return {"nist": place, "nist_sha256": known.note["sha256"], "nist_hashes": known.count}


def sieve_of(case: Case, batch: int, types: ContentTypes) -> Sieve:
    told = settings_of(case, batch)
    type_ = _row(case, batch).type
    values = {name: told[name] for name in _RULES if name in told}
    rules = Rules(**values, mailboxes=type_ == "mailbox", transcripts=type_ == "transcript")
    return Sieve(rules, _known(case, told, batch), types)


def volume_of(case: Case, batch: int) -> Told | None:
    """What was said of the volume that the batch is; None for a batch of files."""
    row = _row(case, batch)
    return convert(row.settings["loadfile"], Told) if row.type == "loadfile" else None


def check_list(case: Case, batch: int) -> None:
    """Raises `UserError` where this machine has not the list of known files that the batch began with."""
    if known := _known(case, settings_of(case, batch), batch):
        known.close()


def settings_of(case: Case, batch: int) -> dict[str, Any]:
    """What the batch began with."""
    return dict(_row(case, batch).settings)


def _row(case: Case, batch: int) -> Batch:
    return next(row for row in case.rows.batches() if row.id == batch)


def _known(case: Case, told: dict[str, Any], batch: int) -> KnownList | None:
    if not told.get("nist"):
        return None
    known = open_known_files(told["nist"], case.home, case.settings.patience)
    if known.note["sha256"] == told.get("nist_sha256"):
        return known
    known.close()
    raise UserError(f"{told['nist']} is not the list of known files that batch {batch} began with; put that one back")
