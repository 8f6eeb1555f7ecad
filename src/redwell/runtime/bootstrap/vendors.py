"""Adapters whose packages are not always installed, imported when they are needed. Part of bootstrap's joining."""

from importlib import import_module
from typing import Any

from redwell.core.errors import UserError
from redwell.runtime.bootstrap.cases.case_notes import Note


def postgres_adapter(module: str) -> Any:
    return _imported("postgres", module, "PostgreSQL needs", "postgres")


def s3_adapter(module: str) -> Any:
    return _imported("s3", module, "blobs in S3 need", "aws")


def aws_adapter(module: str) -> Any:
    return _imported("aws", module, "AWS needs", "aws")


def google_adapter(module: str) -> Any:
    return _imported("google", module, "Gmail needs", "google")


def serve_adapter(module: str) -> Any:
    return _imported("sql_accounts", module, "the review page needs", "serve")


def monitor_adapter(module: str) -> Any:
    return _imported("duckdb", module, "events as files need", "monitor")


def _imported(package: str, module: str, who: str, extra: str) -> Any:
    try:
        return import_module(f"redwell.adapters.{package}.{module}")
    except ModuleNotFoundError as error:
        raise UserError(f"{who} another package ({error.name}): pip install 'redwell[{extra}]'") from None


def checked_url(url: str, note: Note) -> str:
    if not url:
        raise UserError(f"case {note.name!r} is kept in PostgreSQL; name its database with REDWELL_DATABASE")
    return url
