"""Finds how a delimited load file is written, and says why; what kind of load file a text is. Pure.

Nothing is assumed in silence: each answer has its reason, and whoever asks may give the answer instead.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from redwell.core.loadfiles.dates import parse_date
from redwell.core.loadfiles.fields import BY_ALIAS, plain
from redwell.core.loadfiles.formats.dialect import COMMA, CONCORDANCE, DC4, THORN, Dialect, Escape, sign_name
from redwell.core.loadfiles.formats.rows import Rows

_SEPARATORS = (DC4, "|", "\t", ",", ";", "^", "~")
_QUALIFIERS = (THORN, '"', "^", "'", "")
_LOOKED_AT = 50
_VALUE = re.compile(r"[\\/@]|\.[A-Za-z0-9]{2,4}$|^\d|\d{4,}$")
_LFP = re.compile(r"^IM,[^,]+,\s*[SBFDCsbfdc]?\s*,\s*\d*\s*,[^,]+")
_OPT = re.compile(r"^[^,\r\n]+,[^,]*,[^,\r\n]+\.[A-Za-z]{3,4},[Yy]?,[^,]*,[^,]*,\d*\s*$")
_SHORT_OPT = re.compile(
    r"^[^,\r\n]+,[^,]*,[^,\r\n]+\.(?:tiff?|jpe?g|png|bmp|gif|pdf),[Yy]?(?:,[^,]*){0,2}\s*$", re.IGNORECASE
)
_OPT_COMMAS, _SHORT_COMMAS, _FEWEST_COMMAS = (6,), (3, 4, 5), 3  # in a line of each kind, and of either
_FIRST_PAGE = re.compile(r",[Yy](?:,|\s*$)")


class LoadFileKind(StrEnum):
    DELIMITED = "delimited"  # DAT, CSV, TSV
    OPTICON = "opticon"
    LFP = "lfp"
    DII = "dii"
    EDRM = "edrm"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDialect:
    dialect: Dialect
    header: bool
    width: int
    reasons: dict[str, str]
    usual_names: int = 0  # in the header

    def beside(self, headers: Sequence[Sequence[str]]) -> "FoundDialect":
        """What it is among other files: one of a split file has values in its first row, where another has names."""
        has_names = not self.header or self.usual_names
        if has_names or not any(len(each) == self.width for each in headers):
            return self
        why = {"header": "its first row has no usual names, and another file of the same width has"}
        return replace(self, header=False, reasons={**self.reasons, **why})


def kind_of(head: str) -> LoadFileKind:
    """By its first lines; what is nothing else is taken for columns."""
    lines = [line for line in head.replace("\r", "\n").split("\n") if line.strip()][:_LOOKED_AT]
    if head.lstrip().startswith("<"):
        return LoadFileKind.EDRM
    if lines and lines[0].startswith(("@", ";")) and any(line.startswith(("@T ", "@FULLTEXT")) for line in lines):
        return LoadFileKind.DII
    if "IM," in head and any(map(_LFP.match, lines)) and all(map(_may_be_lfp, lines)):
        return LoadFileKind.LFP
    if head.count(",") * 2 <= _FEWEST_COMMAS * len(lines):  # quick: every text is asked, and most lines would need them
        return LoadFileKind.DELIMITED
    if _most(_OPT, _OPT_COMMAS, lines):
        return LoadFileKind.OPTICON
    if _most(_SHORT_OPT, _SHORT_COMMAS, lines) and _FIRST_PAGE.search(lines[0]):  # some leave empty columns out
        return LoadFileKind.OPTICON
    return LoadFileKind.DELIMITED


def _may_be_lfp(line: str) -> bool:
    return line[2:3] in (",", "#", "") or line.startswith("##")


def _most(pattern: re.Pattern[str], commas: Sequence[int], lines: Sequence[str]) -> bool:
    likely = [line for line in lines if line.count(",") in commas]
    return len(likely) * 2 > len(lines) and sum(map(bool, map(pattern.match, likely))) * 2 > len(lines)


def find_dialect(head: str, cut: bool = False) -> FoundDialect:
    """`cut` says that the text goes on behind `head`: its last line is then not judged."""
    end, why_end = _record_end(head)
    lines = head.split("\n" if "\n" in end else end)
    lines = lines[:-1] if cut and len(lines) > 1 else lines
    lines = [line for line in lines if line.strip()][:_LOOKED_AT] or [""]
    dialect, why = _signs(lines)
    rows = [row.values for row in Rows(lines, dialect) if row.values]
    header, why_header = _is_header(rows)
    reasons = {"separator": why, "qualifier": _why_qualifier(dialect), "newline": _why_sign(dialect)}
    return FoundDialect(
        dialect=replace(dialect, record_end=end),
        header=header,
        width=len(rows[0]) if rows else 0,
        reasons={**reasons, "record end": why_end, "header": why_header},
        usual_names=_usual(rows[0]) if rows and header else 0,
    )


def _record_end(head: str) -> tuple[str, str]:
    crlf, lf, cr = head.count("\r\n"), head.count("\n"), head.count("\r")
    if not lf:
        return ("\r", "lines end with CR alone") if cr else ("\r\n", "it has one line")
    if crlf * 2 >= lf:
        return "\r\n", "most lines end with CR LF" if crlf < lf else "every line ends with CR LF"
    return "\n", "most lines end with LF alone"


def _signs(lines: Sequence[str]) -> tuple[Dialect, str]:
    first = lines[0]
    if first.startswith(THORN) and THORN in first[1:]:
        behind = first[first.index(THORN, 1) + 1 :][:1].strip("\r") or DC4
        return replace(CONCORDANCE, separator=behind), "it stands behind the first value, which þ encloses"
    if DC4 in first:
        return CONCORDANCE, "the first line has it"
    for sign in ('"', "^", "'", "~"):
        if behind := _between(lines, sign):
            dialect = Dialect(separator=behind, qualifier=sign, newline_sign="", escape=_escape(lines, sign))
            return dialect, f"it stands behind the first value, which {sign} encloses"
    scored = [(_score(lines, sep, qual), sep, qual) for sep in _SEPARATORS for qual in _QUALIFIERS if sep != qual]
    (fitting, width), separator, qualifier = max(scored, key=lambda each: each[0])
    if width < 2:
        return COMMA, "no separator was found: one column"
    thorn = qualifier == THORN
    dialect = Dialect(
        separator=separator,
        qualifier=qualifier or ('"' if separator in (",", "\t") else ""),
        newline_sign=CONCORDANCE.newline_sign if thorn else "",
        escape="none" if thorn else _escape(lines, qualifier),
    )
    return dialect, f"{fitting} of {len(lines)} lines have {width} values with it"


def _between(lines: Sequence[str], sign: str) -> str:
    """What parts the values of a first line that begins and ends with a qualifier, and has it around each."""
    first = lines[0].rstrip("\r")
    if not (first.startswith(sign) and first.endswith(sign) and first.count(sign) >= 4):
        return ""
    behind = first[first.index(sign, 1) + 1 :][:1]
    values = first[1:-1].split(f"{sign}{behind}{sign}")
    return behind if behind in _SEPARATORS and behind != sign and first.count(sign) == 2 * len(values) else ""


def _score(lines: Sequence[str], separator: str, qualifier: str) -> tuple[int, int]:
    """Rows of the usual width, then that width. A qualifier has to enclose something somewhere."""
    if separator not in lines[0]:
        return 0, 1
    if qualifier and not any(_encloses(line, separator, qualifier) for line in lines):
        return 0, 1
    dialect = Dialect(separator=separator, qualifier=qualifier, newline_sign="", escape=_escape(lines, qualifier))
    widths = Counter(len(row.values) for row in Rows(lines, dialect) if row.values and not row.faults)
    if not widths:
        return 0, 1
    width, count = max(widths.items(), key=lambda each: (each[1], each[0]))
    return count, width


def _encloses(line: str, separator: str, qualifier: str) -> bool:
    line = line.rstrip("\r")
    if line.startswith(qualifier):
        return qualifier in line[1:]
    return separator + qualifier in line and (qualifier + separator in line or line.endswith(qualifier))


def _escape(lines: Sequence[str], qualifier: str) -> Escape:
    backslashed = re.compile(rf"[^\\]\\{re.escape(qualifier)}[^,;|\t\r]")
    return "backslash" if qualifier and any(map(backslashed.search, lines)) else "double"


def _why_qualifier(dialect: Dialect) -> str:
    if not dialect.qualifier:
        return f"none of the first {_LOOKED_AT} lines encloses a value"
    return {"none": "it has no escape inside values", "double": "inside a value it is written twice"}.get(
        dialect.escape, "inside a value a backslash stands before it"
    )


def _why_sign(dialect: Dialect) -> str:
    if dialect.newline_sign:
        return f"usual with the qualifier {sign_name(dialect.qualifier)}"
    return "line breaks inside values are written as they are"


def _is_header(rows: Sequence[Sequence[str]]) -> tuple[bool, str]:
    if not rows:
        return False, "the file has no rows"
    first = [cell.strip() for cell in rows[0]]
    known = _usual(first)
    if known >= 2 or known * 2 >= len(first):
        return True, f"{known} of its {len(first)} columns have usual names"
    values = [cell for cell in first if not cell or _VALUE.search(cell) or parse_date(cell)]
    values = values or [cell for cell in first if first.count(cell) > 1 and any(map(str.isdigit, cell))]
    if values:
        shown = f"{values[0]!r} is a value" if values[0] else "one is empty"
        return False, f"the first row has no usual names, and {shown}"
    return True, "all cells of the first row are names, though none is usual"


def _usual(names: Sequence[str]) -> int:
    return sum(plain(name) in BY_ALIAS for name in names)
