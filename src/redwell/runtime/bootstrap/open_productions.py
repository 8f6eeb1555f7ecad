"""Opens what goes out of a case: its productions and redactions, on the case's own database."""

from contextlib import closing
from pathlib import Path

from redwell.adapters.sql_productions.production_store import SqlProductionStore
from redwell.ports.productions import ProductionStore
from redwell.ports.review import ReviewStore
from redwell.runtime.bootstrap.case_notes import LEDGER_FILE, note_of
from redwell.runtime.bootstrap.case_places import CasePlace, CasePlaces
from redwell.runtime.bootstrap.open_ledger import open_ledger, postgres_database
from redwell.runtime.bootstrap.open_reader import checked_name
from redwell.runtime.bootstrap.open_review import open_review
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import checked_url


def open_productions(place: CasePlace, settings: Settings) -> ProductionStore:
    """Of a case that was looked at before, and is of this release."""
    if place.folder is not None and (note_of(place.folder) or (place.folder / LEDGER_FILE).exists()):
        return SqlProductionStore(open_ledger(place.folder, settings.database))
    assert place.note is not None, "a case without a folder is in the database"
    return SqlProductionStore(postgres_database(checked_url(settings.database, place.note), place.note.schema))


def stores_of(home: Path, name: str, settings: Settings) -> tuple[ProductionStore, ReviewStore]:
    """Both, by the case's name; whoever asks closes them."""
    with closing(CasePlaces(home, settings)) as places:
        place = places.find(checked_name(name))
    return open_productions(place, settings), open_review(place, settings)
