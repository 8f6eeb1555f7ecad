"""A report as a PDF, made when somebody asks for one."""

from redwell.adapters.typst.report import report_pdf
from redwell.core.report.sheet import Sheet


def printed(sheet: Sheet) -> bytes:
    return report_pdf(sheet)
