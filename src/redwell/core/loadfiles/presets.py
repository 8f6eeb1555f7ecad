"""How those who receive load files want them written: one row of options each. Pure, a table.

The facts and their sources are in docs/loadfiles.md. A preset is a beginning; every option can be given by itself.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from redwell.core.loadfiles.formats.dialect import COMMA, CONCORDANCE, Dialect
from redwell.core.loadfiles.formats.writing import RowWriter

HeaderCase = Literal["as is", "upper", "lower"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Every option of what is written. `lead` stands before relative paths: nothing, `.\\` or `\\`."""

    dialect: Dialect = CONCORDANCE
    encoding: str = "utf-8"
    mark: bool = True
    header_case: HeaderCase = "upper"
    slash: Literal["\\", "/"] = "\\"
    lead: str = ""
    volume_column: bool = True  # of OPT: filled, or empty
    date_format: str = "%m/%d/%Y"
    time_format: str = "%H:%M:%S"
    split_times: bool = True  # date and time in two columns
    files_per_folder: int = 5_000
    records_per_file: int = 0  # 0: any number
    folders: tuple[str, str, str, str] = ("DATA", "IMAGES", "NATIVES", "TEXT")
    page_file: Literal["opt", "lfp", "none"] = "opt"
    qualify: Literal["all", "needed"] = "all"  # which values the qualifier encloses

    def writer(self) -> RowWriter:
        return RowWriter(self.dialect, self.encoding, self.mark, self.qualify == "all")

    def path(self, *parts: str) -> str:
        return self.lead + self.slash.join(parts)

    def named(self, header: str) -> str:
        return {"upper": header.upper(), "lower": header.lower()}.get(self.header_case, header)

    def dated(self, value: date | datetime) -> tuple[str, str]:
        """Date and time as they are written; with `split_times` off the time is part of the date."""
        clock = value.strftime(self.time_format) if isinstance(value, datetime) else ""
        day = value.strftime(self.date_format)
        return (day, clock) if self.split_times or not clock else (f"{day} {clock}", "")


PRESETS: dict[str, Layout] = {
    "relativity": Layout(split_times=False, time_format="%I:%M %p", header_case="as is", lead=".\\"),
    "nuix": Layout(mark=False, volume_column=False, split_times=False),
    "concordance": Layout(encoding="cp1252", mark=False, date_format="%Y%m%d"),
    "doj": Layout(folders=("LOADFILES", "IMAGES", "DOCLINK", "FULLTEXT"), records_per_file=50_000),
    "nextpoint": Layout(
        dialect=COMMA,
        mark=False,
        header_case="lower",
        slash="/",
        date_format="%Y-%m-%d",
        split_times=False,
        page_file="none",
    ),
}
