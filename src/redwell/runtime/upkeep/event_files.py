"""The files of events, brought up to date with every case of the home, and how they flow. For `redwell events`."""

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from redwell.core.errors import RedwellError
from redwell.ports.messaging.status_store import StatusStore
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.open_journal import CaseJournal, open_journal
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.status_sink import StatusSink
from redwell.runtime.monitor.teller import Teller

log = logging.getLogger(__name__)


def bring_up_to_date(home: Path, settings: Settings, store: StatusStore) -> list[str]:
    """Every case that this machine keeps; those that could not be, with the reason."""
    left: list[str] = []
    for name, folder in _kept(home, settings):
        try:
            with open_journal(name, folder, settings) as journal:
                if journal:
                    _write_down(journal, store)
        except (RedwellError, OSError) as error:
            left.append(f"events of case {name!r} are not up to date: {error}")
    return left


def _write_down(journal: CaseJournal, store: StatusStore) -> None:
    with closing(Teller(journal, StatusSink(journal, store, at_once=True))) as teller:
        teller.tell()


def _kept(home: Path, settings: Settings) -> Iterator[tuple[str, Path]]:
    with closing(Cases(home, settings)) as cases:
        for name in cases.names():
            yield name, cases.folder_of(name)
