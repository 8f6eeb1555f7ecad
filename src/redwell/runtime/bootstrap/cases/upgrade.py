"""A case of an older release is brought up to date when it is opened for work. Part of bootstrap's joining.

In one transaction: killed halfway, it is the old one or the new one. Of a file there is a copy beside it first.
"""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from redwell.adapters.files.case_folder import CaseFolder
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.migrations import upgrade, version_of
from redwell.adapters.sql.schema_version import OLDEST, VERSION, check_version
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.errors import UserError
from redwell.core.trip import trip

log = logging.getLogger(__name__)


def bring_up_to_date(place: CaseFolder, name: str, database: Database) -> None:
    """Nothing where the case is of this release; an error where it is of a later one."""
    with database.read() as tx:
        version = version_of(tx)
    if not OLDEST <= version < VERSION:
        check_version(version, name)
        return
    if place.is_worked_on():
        raise UserError(f"case {name!r} is of an older release and is being worked on: stop that first")
    if isinstance(database, SqliteDatabase):
        _keep_copy(database.path, version)
    trip("upgrade.before_commit")
    database.write(upgrade)
    trip("upgrade.after_commit")
    log.warning("case %r was brought from version %s to %s of its tables", name, version, VERSION)


def _keep_copy(path: Path, version: int) -> None:
    """As it was before: `case.sqlite.4` to go back to. It gets its name last, so one that is there is whole."""
    kept = path.with_name(f"{path.name}.{version}")
    made = path.with_name(f"{kept.name}.part")
    made.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(made)) as target:
        source.backup(target)
    with open(made, "rb") as written:
        os.fsync(written.fileno())
    made.replace(kept)
