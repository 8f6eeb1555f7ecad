"""Settings that belong to a case: it is made with them and keeps them. Part of bootstrap's joining.

Empty means that nobody says: then a new case has the default, and one that is there what it was made with.
"""

from collections.abc import Mapping

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_ledger.ledger_reads import LedgerReads
from redwell.core.case import timezone
from redwell.core.case.control_prefix import DEFAULT, KEY, check_prefix, prefix_of
from redwell.core.errors import UserError
from redwell.runtime.bootstrap.settings import Settings


def of_new_case(settings: Settings) -> dict[str, str]:
    """What it will say of itself; a value that can't be is refused before anything is made."""
    name = settings.timezone or timezone.DEFAULT
    timezone.zone(name)
    return {"timezone": name, KEY: check_prefix(settings.control_prefix or DEFAULT)}


def info_of_case(database: Database, asked: Settings | None) -> dict[str, str]:
    """What a case says of itself. Who might have made it is told where it was made otherwise than `asked`."""
    try:
        info = LedgerReads(database).info()
        if asked:
            _check(info, asked)
    except BaseException:
        database.close()
        raise
    return info


def _check(info: Mapping[str, str], settings: Settings) -> None:
    """An error where the settings ask for something else than the case has."""
    for name, kept, asked in (
        ("timezone", timezone.timezone_of(info), settings.timezone),
        (KEY, prefix_of(info), settings.control_prefix),
    ):
        if asked not in {"", kept}:
            raise UserError(
                f"case {info['name']!r} has the {name} {kept}, which is fixed since it was made, not"
                f" {asked}: leave the setting out, or import into another case"
            )
