"""The sieve of a batch: what was left out when it began is left out when it is resumed, whatever is set by then."""

import os
from dataclasses import fields
from pathlib import Path
from typing import Any

from redwell.adapters.files.known_hashes import HashFile
from redwell.core.culling import Rules
from redwell.core.errors import UserError
from redwell.intake.sieve import Sieve
from redwell.runtime.bootstrap import Case
from redwell.runtime.settings import Settings

_RULES = tuple(rule.name for rule in fields(Rules))


def checked(settings: Settings) -> dict[str, Any]:
    """What a new batch has to remember of its sieve; raises `UserError` where a rule or the list is no good."""
    Rules(**{name: getattr(settings, name) for name in _RULES}).check()
    if not settings.nist:
        return {}
    path = Path(os.path.abspath(settings.nist))
    known = HashFile(path)
    known.close()
    return {"nist": str(path), "nist_sha256": known.note["sha256"], "nist_hashes": known.count}


def sieve_of(case: Case, batch: int) -> Sieve:
    told = settings_of(case, batch)
    return Sieve(Rules(**{name: told[name] for name in _RULES if name in told}), _known(told, batch), case.blobs)


def check_list(case: Case, batch: int) -> None:
    """Raises `UserError` where this machine has not the list of known files that the batch began with."""
    if known := _known(settings_of(case, batch), batch):
        known.close()


def settings_of(case: Case, batch: int) -> dict[str, Any]:
    """What the batch began with."""
    found: dict[str, Any] = next(row["settings"] for row in case.store.batches() if row["id"] == batch)
    return found


def _known(told: dict[str, Any], batch: int) -> HashFile | None:
    if not told.get("nist"):
        return None
    known = HashFile(Path(told["nist"]))
    if known.note["sha256"] == told.get("nist_sha256"):
        return known
    known.close()
    raise UserError(f"{told['nist']} is not the list of known files that batch {batch} began with; put that one back")
