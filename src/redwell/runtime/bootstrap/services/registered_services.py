"""The services of workers that are registered, for whoever only looks. Part of bootstrap's joining."""

from contextlib import closing
from pathlib import Path

from redwell.adapters.sql_reader.service_rows import services
from redwell.adapters.sqlite.read_only import SqliteFile
from redwell.core.jobs.worker_services import Service
from redwell.ports.messaging.registry import Registry
from redwell.runtime.bootstrap.services.service_notes import SERVICES_FILE, has_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import aws_adapter, postgres_adapter


def registered_services(home: Path, settings: Settings) -> list[Service]:
    if not has_services(home, settings):
        return []
    if settings.registry == "dynamodb":
        registry: Registry = aws_adapter("dynamodb").DynamoRegistry(
            f"{settings.name_prefix}-services", settings.patience
        )
        with closing(registry):
            return list(registry.find())
    if settings.database:
        schema = f"{settings.name_prefix}_services"
        return services(postgres_adapter("read_only").PostgresSchema(settings.database, schema))
    return services(SqliteFile(home / SERVICES_FILE))
