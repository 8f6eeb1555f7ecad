"""Where an exhibit is put in its case: its folder, and the date by which families are sorted. Pure.

What is attached lies where its head lies, and is sorted with it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

DATES = ("date", "received", "modified", "created")
SEPARATOR = "/"


class Filed(NamedTuple):
    folder: str = ""
    sort_date: str = ""  # empty: there is none


UNFILED = Filed()


class Filing(NamedTuple):
    """What the steps of a load say of one exhibit; of a member nothing, as it follows its head."""

    id: int
    family: int
    filed: Filed | None
    has_members: bool = False


def folder_of(path: str) -> str:
    """Up to the last name: `mails/july.zip` of mails/july.zip//report.docx, nothing of a file at the top."""
    return path.rpartition(SEPARATOR)[0].rstrip(SEPARATOR)


def sort_date(metadata: Mapping[str, Any], source_dates: Mapping[str, str]) -> str:
    """When it was sent, received or changed, by itself or else by its file system; empty where nobody knows."""
    for name in DATES:
        if told := metadata.get(name):
            return str(told)
    return source_dates.get("modified", "")
