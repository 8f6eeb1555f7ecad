"""Opens the overlays of a case, on the case's own database."""

from redwell.adapters.sql_overlays.overlay_store import SqlOverlayStore
from redwell.ports.overlays import OverlayStore
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.open_ledger import open_ledger


def open_overlays(case: Case) -> OverlayStore:
    return SqlOverlayStore(open_ledger(case.folder, case.settings.database))
