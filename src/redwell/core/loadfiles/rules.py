"""Everything that the lint of load files looks for: code, severity, meaning and remedy. Pure, a table.

docs/loadfiles.md writes it out. An error: what is there can't be loaded, or would be loaded wrongly. A warning: look.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


class Rule(NamedTuple):
    severity: Severity
    words: str
    remedy: str


_E, _W = Severity.ERROR, Severity.WARNING
_ASK = "ask the sender for a corrected load file"
_EXPORT = "have it exported anew, or mend the row"
RULES: dict[str, Rule] = {
    # how the file is written
    "encoding-mixed": Rule(
        _E, "bytes that the file's encoding has no letter for", "have it written in one encoding, best UTF-8"
    ),
    "encoding-misread": Rule(
        _W, "letters that look like UTF-8 read as cp1252", "find out which program wrote it, or give --encoding"
    ),
    "line-ends-mixed": Rule(_W, "a line ends otherwise than most", "look whether two files were joined here"),
    "no-final-newline": Rule(
        _W, "the last row has no line break; Concordance drops such a row", "end the file with one"
    ),
    "blank-line": Rule(_W, "an empty line", "take it out"),
    "no-header": Rule(_W, "the first row holds values, not names", "give a mapping by position"),
    "header-blank": Rule(_W, "a column has no name", "name it in the mapping"),
    "header-repeated": Rule(_E, "two columns have one name", "name them apart in the mapping"),
    "no-id-column": Rule(_E, "no column is the id of the record", "name it in the mapping: docid or begbates"),
    "no-records": Rule(_E, "there are no records", _ASK),
    "field-count": Rule(_E, "the row has another number of values than the header", _EXPORT),
    "qualifier-open": Rule(_E, "a qualifier is opened and not closed", _EXPORT),
    "qualifier-inside": Rule(_W, "a qualifier inside a value", "see whether the value is whole"),
    "control-character": Rule(_W, "a character that no text has", "see whether the value is whole"),
    "value-too-long": Rule(
        _W,
        "a value longer than 32,767 characters, which spreadsheets and some platforms cut",
        "text belongs into text files",
    ),
    # ids and numbers
    "id-missing": Rule(_E, "the record has no id", _EXPORT),
    "id-duplicate": Rule(
        _E, "another row has the same id", "find out which is right; later rows would overwrite earlier ones"
    ),
    "id-blanks": Rule(_W, "blanks around or inside a number", "take them out"),
    "number-without-digits": Rule(_E, "a page number without digits", _EXPORT),
    "range-half": Rule(_E, "a first page without a last one, or the reverse", _EXPORT),
    "range-reversed": Rule(_E, "the last page comes before the first", _EXPORT),
    "range-series": Rule(_E, "first and last page have different prefixes", _EXPORT),
    "range-overlap": Rule(_E, "pages that another row has, too", _ASK),
    "range-gap": Rule(_W, "pages before this row are in no row", "ask whether they were withheld"),
    "range-padding": Rule(_W, "numbers of one series have different lengths", "see whether they sort as they count"),
    "page-count-range": Rule(_E, "the page count is not that of the range", _ASK),
    # values
    "date-invalid": Rule(_E, "no date", _EXPORT),
    "date-order-mixed": Rule(_E, "a column has dates with the month first and with the day first", _ASK),
    "date-order-assumed": Rule(
        _W, "no date of the column shows whether the month or the day is first", "ask the sender"
    ),
    "date-implausible": Rule(_W, "a date before 1900 or after 2100", "look at the record"),
    "time-invalid": Rule(_E, "no time of day", _EXPORT),
    "number-invalid": Rule(_E, "no whole number", _EXPORT),
    "hash-invalid": Rule(_W, "no hash of this kind", "see whether the columns have shifted"),
    # families
    "parent-unknown": Rule(_E, "the parent is in no row", _ASK),
    "parent-self": Rule(_E, "a record is its own parent", _EXPORT),
    "parent-loop": Rule(_E, "parents lead back to the record", _EXPORT),
    "family-half": Rule(_E, "a family's first page without its last one, or the reverse", _EXPORT),
    "family-reversed": Rule(_E, "a family's last page comes before its first", _EXPORT),
    "family-outside": Rule(_E, "the record's pages are outside of its family's", _ASK),
    "family-unequal": Rule(_E, "members of one family name different last pages", _ASK),
    "family-overlap": Rule(_E, "two families share pages", _ASK),
    "family-incomplete": Rule(_W, "pages of the family are in no row", "ask whether members were withheld"),
    "family-range-differs": Rule(_E, "the family's range is not that of its first and last page", _EXPORT),
    "attachment-unknown": Rule(_E, "an attachment that is in no row", _ASK),
    "attachment-one-sided": Rule(_W, "the attachment does not name this record as its parent", _ASK),
    "attachment-count": Rule(_W, "another number of attachments than rows name this record as parent", _ASK),
    # files
    "file-missing": Rule(_E, "the file is not in the volume", "ask for the volume again, or for this file"),
    "file-outside": Rule(_E, "the path leads out of the volume and is not followed", _ASK),
    "file-link": Rule(_E, "the file is a link, a pipe or a device, and is not followed", "put the file itself there"),
    "path-absolute": Rule(
        _W, "the path is one of another machine; it was looked for in the volume", "have relative paths written"
    ),
    "path-shortened": Rule(
        _W,
        "the path begins with a folder that the volume has not; the rest of it was found",
        "see whether it is the file",
    ),
    "file-case": Rule(
        _W, "the file's name differs in upper and lower case", "fine here; other systems may not find it"
    ),
    "file-empty": Rule(_W, "the file has no bytes", "ask for this file"),
    "file-kind": Rule(_W, "the file is no picture of the kind that its name says", "ask for this file"),
    "file-inline": Rule(_E, "a file stands inside of the XML and is not taken out", "ask for the files beside the XML"),
    "file-twice": Rule(_W, "another row names the same file", "see whether it belongs to both"),
    "file-unnamed": Rule(_W, "a file of the volume that no row names", "ask which record it belongs to"),
    "text-of-withheld": Rule(_W, "a withheld record has text or a native", "tell the sender before you read it"),
    # pages
    "page-columns": Rule(_E, "a row of the page file has another number of columns", _EXPORT),
    "page-break": Rule(_E, "a mark for the beginning of a document that is none", _EXPORT),
    "page-count-no-number": Rule(_E, "a page count that is no number", _EXPORT),
    "page-count-misplaced": Rule(_W, "a page count on a page that begins no document", "see where the document begins"),
    "page-first-no-break": Rule(
        _E, "the first page begins no document; the file was cut or split here", "ask for what came before"
    ),
    "page-key-missing": Rule(_E, "a page without a key", _EXPORT),
    "page-duplicate": Rule(_E, "another row has the same page", _ASK),
    "page-total": Rule(_E, "the document has another number of pages than its first one says", _ASK),
    "page-number-broken": Rule(
        _W, "the page's number does not follow the one before it in its document", "see whether a page is missing"
    ),
    "page-unknown-document": Rule(_E, "pages of a document that is in no row", "give both files, or ask for the row"),
    "document-without-pages": Rule(
        _W, "a record without pages, where others have some", "see whether it came as a native alone"
    ),
    "page-count-differs": Rule(_E, "the page count is not that of the page file", _ASK),
    # other formats
    "token-not-closed": Rule(_E, "a mail's text begins and does not end", _EXPORT),
    "xml-invalid": Rule(_E, "no well-formed XML", _ASK),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One defect and where it is. Rows count the header; `line` is the text's. 0: none in particular."""

    code: str
    file: str
    row: int = 0
    line: int = 0
    column: int = 0
    field: str = ""
    value: str = ""
    detail: str = ""

    @property
    def rule(self) -> Rule:
        return RULES[self.code]
