"""Log lines of workers and imports, as JSON or for people (SPEC B10). Set up once, by the command line.

Who is being worked for travels in a context variable, so that a line deep below says it without being told.
"""

import json
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

FIELDS = tuple("ingestion_id document_id exhibit_ids case batch job worker_id attempt step duration_ms status".split())
_LEVELS = {"WARNING": "WARN", "CRITICAL": "FATAL"}
_QUIET = ("botocore", "boto3", "urllib3", "s3transfer", "sqlalchemy", "psycopg", "httpx", "httpcore")
_context: ContextVar[dict[str, Any]] = ContextVar("redwell_log", default={})  # noqa: B039  # never changed in place


@contextmanager
def bound(**fields: Any) -> Iterator[None]:
    """Lines logged inside carry these fields."""
    token = _context.set({**_context.get(), **fields})
    try:
        yield
    finally:
        _context.reset(token)


def bind(**fields: Any) -> None:
    """For the rest of this thread."""
    _context.set({**_context.get(), **fields})


@contextmanager
def timed(logger: logging.Logger, step: str, **fields: Any) -> Iterator[None]:
    """One line when the step ends, with how long it took and whether it went well."""
    started, status = time.monotonic(), "error"
    try:
        yield
        status = "ok"
    finally:
        with bound(step=step, status=status, duration_ms=round(1_000 * (time.monotonic() - started)), **fields):
            logger.info("%s: %s", step, status)


def context() -> dict[str, Any]:
    return _context.get()


class JsonLines(logging.Formatter):
    """Every field of B10 that is known, whatever the line is about."""

    def format(self, record: logging.LogRecord) -> str:
        known = {**_context.get(), **getattr(record, "fields", {})}
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": _LEVELS.get(record.levelname, record.levelname),
            "logger": record.name,
            "message": record.getMessage(),
            **{field: known[field] for field in FIELDS if field in known},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class Words(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        known = {**_context.get(), **getattr(record, "fields", {})}
        about = " ".join(f"{field}={known[field]}" for field in FIELDS if field in known)
        level = _LEVELS.get(record.levelname, record.levelname)
        said = f"{datetime.now(UTC):%H:%M:%S} {level} {record.getMessage()}" + (f" [{about}]" if about else "")
        return f"{said}\n{self.formatException(record.exc_info)}" if record.exc_info else said


def set_up(form: str, level: int) -> None:
    """All lines of Redwell go to stderr; libraries speak only when something is wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Words())
    own = logging.getLogger("redwell")
    own.handlers, own.propagate = [handler], False
    own.setLevel(logging.INFO if form == "json" else level)
    logging.getLogger("redwell.runtime.monitor.outages").setLevel(logging.WARNING)  # people want to know why it waits
    by_document = logging.getLogger("redwell.runtime.worker.document_lines")  # a line each: for programs
    by_document.setLevel(logging.INFO if form == "json" else logging.WARNING)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.ERROR)
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)  # a connection that is lost is told by who used it
