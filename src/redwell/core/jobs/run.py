"""A run: one process at work on one job, with what it was then. Kept with the case; the report tells it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """Who begins, where, with which program and settings."""

    command: str  # import, resume, retry, worker
    user: str
    host: str
    pid: int
    program: Mapping[str, Any]  # versions: redwell, python, system, libraries
    settings: Mapping[str, Any]  # that differ from the default


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(NewRun):
    batch: int
    job: int
    sandbox: Mapping[str, str]  # the layers that its children had
    started_ms: int
    ended_ms: int | None  # None: it runs, or it was killed
    changed: Mapping[str, Any] | None  # by a retry
