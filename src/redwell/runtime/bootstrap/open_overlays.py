"""Opens the overlays of a case, on the case's own database."""

from pathlib import Path

from redwell.adapters.sql_overlays.overlay_store import SqlOverlayStore
from redwell.ports.overlays import OverlayStore
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.open_ledger import open_ledger, open_rows_beside
from redwell.runtime.bootstrap.open_reader import open_reader
from redwell.runtime.bootstrap.settings import Settings


def open_overlays(case: Case) -> OverlayStore:
    return SqlOverlayStore(open_ledger(case.folder, case.settings))


def overlays_of(home: Path, name: str, settings: Settings) -> OverlayStore:
    """To be looked at, by the case's name; whoever asks closes it."""
    with open_reader(home, name, settings) as case:
        case.rows.info()  # one of another release says what to do
        return SqlOverlayStore(open_rows_beside(case.place, settings))
