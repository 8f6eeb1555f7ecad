"""The time zone of a case: in it renditions, search and pages show and take times. Its name is fixed with the case."""

from collections.abc import Mapping
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from redwell.core.errors import UserError

DEFAULT = "UTC"


def zone(name: str) -> tzinfo:
    """By its IANA name; UTC also where no database of time zones is installed."""
    if name == DEFAULT:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a name may also be one of a folder, or no path at all
        raise UserError(
            f"there is no time zone {name!r} on this machine: name one of the IANA database, such as Europe/Berlin;"
            " `pip install tzdata` brings them all"
        ) from None


def timezone_of(info: Mapping[str, str]) -> str:
    """From what a case says of itself; one that was made before there was a choice has the default."""
    return info.get("timezone", DEFAULT)
