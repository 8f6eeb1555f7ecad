"""The page that stands for a document without a PDF, made when somebody asks for it."""

from redwell.adapters.typst.slip_sheet import slip_sheet
from redwell.core.case.rows import Exhibit
from redwell.core.case.slip_sheet import TITLE, slip_sheet_fields


def slip_sheet_of(exhibit: Exhibit, reason: str) -> bytes:
    return slip_sheet(TITLE, slip_sheet_fields(exhibit, reason))
