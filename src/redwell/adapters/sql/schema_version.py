"""Which release a case is of, by the version of its tables. The one place that says what another one means."""

from redwell.core.command_lines import command_line
from redwell.core.errors import UserError

VERSION = 25  # raised with every step in adapters.sql.migrations
OLDEST = 4  # that can be brought on


def check_version(version: int, case: str) -> None:
    """Nothing for a case of this release; else an error that says what to do."""
    if version > VERSION or version < OLDEST:
        age = "newer" if version > VERSION else "much older"
        raise UserError(
            f"case {case!r} was made by a {age} release (its tables have version {version}, this release reads "
            f"{OLDEST} to {VERSION}): use that release"
        )
    if version < VERSION:
        raise UserError(
            f"case {case!r} was made by an older release (its tables have version {version}, this one's {VERSION}): "
            f"bring it up to date with: {command_line('resume', case)} (it keeps a copy of what was there)"
        )
