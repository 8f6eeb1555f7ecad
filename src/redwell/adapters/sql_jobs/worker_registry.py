"""The worker registry in a SQL database. Used by whoever starts, ends or rotates jobs."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, exists, select, update

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.prepared import Prepared, as_json, insert_rows, new_values
from redwell.adapters.sql_queues.queue_tables import service
from redwell.core.jobs.worker_services import Service, Status

_CHANGING = ("version", "case_id", "job", "jobs", "worker_limit")
_COLUMNS = ("id", *_CHANGING, "service_ref", "scaling_ref")
_other = service.alias("other")
_ADD = Prepared(insert_rows(service, _COLUMNS).on_conflict_do_nothing())
_REMOVE = Prepared(delete(service).where(service.c.id == bindparam("id")))
_ALL = Prepared(select(service).order_by(service.c.id))
_GET = Prepared(select(service).where(service.c.id == bindparam("id")))
_REPLACE = Prepared(
    update(service)
    .where(service.c.id == bindparam("key"), service.c.version == bindparam("seen"))
    .where(~exists().where(_other.c.id != service.c.id, _other.c.case_id == bindparam("wanted")))
    .values(new_values(_CHANGING))
    .returning(service.c.id)
)


class SqlRegistry:
    """Keeps the promises of `ports.messaging.registry.Registry`; safe to use from several threads."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, service: Service) -> None:
        row = {
            **_row(service),
            "id": service.id,
            "service_ref": service.service_ref,
            "scaling_ref": service.scaling_ref,
        }
        self._database.write(lambda tx: _ADD.run(tx, **row))

    def remove(self, service: str) -> None:
        self._database.write(lambda tx: _REMOVE.run(tx, id=service))

    def get(self, service: str) -> Service | None:
        with self._database.read() as tx:
            return next(map(_service, _GET.rows(tx, id=service)), None)

    def find(self, *, status: Status | None = None, case: int | None = None) -> list[Service]:
        with self._database.read() as tx:
            rows = [_service(row) for row in _ALL.rows(tx)]
        return [each for each in rows if status in (None, each.status) and case in (None, each.case)]

    def replace(self, old: Service, new: Service) -> bool:
        """Alone among the writers: two services must not take the same case beside each other."""
        values = {"key": old.id, "seen": old.version, "wanted": new.case, **_row(new)}

        def work(tx: Connection) -> bool:
            return bool(_REPLACE.all(tx, **values))

        return self._database.write(work)

    def close(self) -> None:
        """The database belongs to who opened it."""


def _row(service: Service) -> dict[str, Any]:
    return {
        "version": service.version,
        "case_id": service.case,
        "job": service.job,
        "jobs": as_json(sorted(service.jobs)),
        "worker_limit": service.worker_limit,
    }


def _service(row: Mapping[str, Any]) -> Service:
    values = {**row, "jobs": msgspec.json.decode(row["jobs"], type=frozenset[int])}
    return Service(case=values.pop("case_id"), **values)
