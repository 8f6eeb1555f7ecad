"""Whether this machine keeps a case, and how that changes. Part of bootstrap's joining.

The folder says it, so that whoever only looks need not ask the database; of a case that is shared the rows have the
last word, since another machine may have taken it over (`redwell reindex --here`, or by itself: cluster.succession).
"""

import logging
from contextlib import closing
from pathlib import Path

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_jobs.keeper_fence import Keeping, KeptDatabase, keeping_of, take_keeping
from redwell.runtime.bootstrap.cases.case_notes import is_shared, keeper_of, note_keeper, note_of
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.settings import Settings

log = logging.getLogger(__name__)


def open_kept(folder: Path, settings: Settings) -> tuple[Database, str]:
    """The rows of a case, and its keeper: empty for this machine, which then writes for as long as it is."""
    database = open_ledger(folder, settings)
    if not is_shared(folder):
        return database, ""
    try:
        now = _look(folder, database)
    except BaseException:
        database.close()
        raise
    keeper = keeper_of(folder)
    return database if keeper else KeptDatabase(database, now.number), keeper


def check_keeper(folder: Path, settings: Settings) -> str:
    """The same without the rows."""
    with closing(open_kept(folder, settings)[0]):
        return keeper_of(folder)


def _look(folder: Path, database: Database) -> Keeping:
    """What the rows say; a folder that says something else is told."""
    with database.read() as tx:
        now = keeping_of(tx)
    note = note_of(folder)
    assert note is not None, "a shared case has a note"
    is_ours = not note.keeper and note.keeping == now.number
    if now.keeper and not is_ours and note.keeper != now.keeper:
        note_keeper(folder, note, now.keeper, now.number)
        log.warning("case %r is kept on %s now", note.name, now.keeper)
    return now


def take_over(folder: Path, settings: Settings, number: int | None = None) -> bool:
    """This machine keeps the case from now on; False: it does already, or another has kept it since that `number`.

    Nobody asks the one that did."""
    database, keeper = open_kept(folder, settings)
    with closing(database):
        note = note_of(folder)
        if note is None or not keeper:
            return False
        now = database.write(lambda tx: take_keeping(tx, machine_name(), number))
        if now is None:
            return False
        note_keeper(folder, note, "", now.number)
    return True
