"""Pages that are made here, of words alone: those that stand for a document, and reports."""

from collections.abc import Sequence

from redwell.adapters.typst.report_pages import report_pages
from redwell.adapters.typst.slip_sheet import slip_sheet
from redwell.core.case.rows import Exhibit
from redwell.core.case.slip_sheet import TITLE, slip_sheet_fields

__all__ = ["produced_sheet", "report_pages", "slip_sheet_of"]


def slip_sheet_of(exhibit: Exhibit, reason: str) -> bytes:
    return slip_sheet(TITLE, slip_sheet_fields(exhibit, reason))


def produced_sheet(title: str, fields: Sequence[tuple[str, str]]) -> bytes:
    return slip_sheet(title, fields)
