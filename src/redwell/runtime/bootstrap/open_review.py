"""What reviewers write into a case, beside whoever works on it: rows alone, no lock. Part of bootstrap's joining."""

from redwell.adapters.sql_review.review_store import SqlReviewStore
from redwell.ports.review import ReviewStore
from redwell.runtime.bootstrap.case_notes import LEDGER_FILE, note_of
from redwell.runtime.bootstrap.case_places import CasePlace
from redwell.runtime.bootstrap.open_ledger import open_ledger, postgres_database
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import checked_url


def open_review(place: CasePlace, settings: Settings) -> ReviewStore:
    """Of a case that was looked at before, and is of this release."""
    if place.folder is not None and (note_of(place.folder) or (place.folder / LEDGER_FILE).exists()):
        return SqlReviewStore(open_ledger(place.folder, settings.database))
    assert place.note is not None, "a case without a folder is in the database"
    return SqlReviewStore(postgres_database(checked_url(settings.database, place.note), place.note.schema))
