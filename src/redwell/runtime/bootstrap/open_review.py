"""What reviewers write into a case, beside whoever works on it: rows alone, no lock. Part of bootstrap's joining."""

from redwell.adapters.sql_review.review_store import SqlReviewStore
from redwell.ports.review import ReviewStore
from redwell.runtime.bootstrap.cases.case_places import CasePlace
from redwell.runtime.bootstrap.open_ledger import open_rows_beside
from redwell.runtime.bootstrap.settings import Settings


def open_review(place: CasePlace, settings: Settings) -> ReviewStore:
    """Of a case that was looked at before, and is of this release."""
    return SqlReviewStore(open_rows_beside(place, settings))
