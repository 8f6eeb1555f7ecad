"""Opens what goes out of a case: its productions and redactions, on the case's own database."""

from contextlib import closing
from pathlib import Path

from redwell.adapters.sql_productions.production_store import SqlProductionStore
from redwell.ports.productions import ProductionStore
from redwell.ports.review import ReviewStore
from redwell.runtime.bootstrap.cases.case_places import CasePlace, CasePlaces
from redwell.runtime.bootstrap.open_ledger import open_rows_beside
from redwell.runtime.bootstrap.open_reader import checked_name
from redwell.runtime.bootstrap.open_review import open_review
from redwell.runtime.bootstrap.settings import Settings


def open_productions(place: CasePlace, settings: Settings) -> ProductionStore:
    """Of a case that was looked at before, and is of this release."""
    return SqlProductionStore(open_rows_beside(place, settings))


def stores_of(home: Path, name: str, settings: Settings) -> tuple[ProductionStore, ReviewStore]:
    """Both, by the case's name; whoever asks closes them."""
    with closing(CasePlaces(home, settings)) as places:
        place = places.find(checked_name(name))
    return open_productions(place, settings), open_review(place, settings)
