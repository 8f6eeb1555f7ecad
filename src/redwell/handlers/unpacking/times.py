"""When members were last changed, as the documented field `file_modified`. Used by the archive handlers in a child."""

from datetime import UTC, datetime, timedelta

from redwell.core.handler import MetaValue


def file_modified(seconds: int, *, local: bool = False) -> dict[str, MetaValue]:
    """As the documented field; without a zone where the archive keeps local times."""
    try:
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    except OverflowError:
        return {}
    return {"file_modified": when.strftime("%Y-%m-%dT%H:%M:%S" if local else "%Y-%m-%dT%H:%M:%SZ")}


def dos_modified(stamp: int) -> dict[str, MetaValue]:
    """A time of MS-DOS has no zone: it was whatever the packer's clock showed, in steps of two seconds."""
    date, time = stamp >> 16, stamp & 0xFFFF
    try:
        day = datetime(1980 + (date >> 9), date >> 5 & 15, date & 31, time >> 11, time >> 5 & 63, (time & 31) * 2 % 60)
    except ValueError:
        return {}
    return {"file_modified": day.isoformat()}
