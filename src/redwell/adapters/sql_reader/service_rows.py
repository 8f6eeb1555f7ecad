"""The services of workers that are registered in a database, for whoever only looks."""

from contextlib import closing

import msgspec

from redwell.adapters.sql_reader.session import ReadOnlyDatabase, looked
from redwell.core.jobs.worker_services import Service

_NAMES = ("id", "version", "case_id", "job", "jobs", "worker_limit", "service_ref", "scaling_ref")


def services(database: ReadOnlyDatabase) -> list[Service]:
    """None where nobody has registered any; the database is closed."""
    with closing(database):
        if not database.has_table("worker_service"):
            return []
        rows = looked(database, lambda s: s.all(f"SELECT {', '.join(_NAMES)} FROM worker_service ORDER BY id"))
    return [_service(dict(zip(_NAMES, row, strict=True))) for row in rows]


def _service(row: dict[str, object]) -> Service:
    jobs = msgspec.json.decode(str(row.pop("jobs")), type=frozenset[int])
    return Service(case=row.pop("case_id"), jobs=jobs, **row)  # type: ignore[arg-type]
