"""A production: which documents go out, in which order, under which numbers, and in which form. Pure values."""

import re
from enum import StrEnum
from typing import Literal

import msgspec

from redwell.core.errors import UserError
from redwell.core.loadfiles.bates import Bates

_PREFIX = re.compile(r"^(?![._-])[A-Za-z0-9._-]{0,29}[A-Za-z._-]$")  # one that ends with a digit is told from no number
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}$")
_LONGEST_DESIGNATION = 80


class Treatment(StrEnum):
    """What goes out of a document."""

    PRODUCED = "produced"  # its pages
    NATIVE = "native"  # the file itself, and a page that says so
    WITHHELD = "withheld"  # a page that says so
    NO_RENDITION = "no rendition"  # its text, and a page that says that it has no pages


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was agreed on, before anything is chosen."""

    prefix: str
    padding: int = 6
    start: int = 1
    by: Literal["page", "document"] = "page"
    designation: str = ""
    natives: Literal["none", "spreadsheets", "all"] = "spreadsheets"
    withhold: list[str] = []  # tags
    forbid: list[str] = []  # tags
    families: Literal["whole", "hits"] = "whole"

    def number(self, at: int) -> Bates:
        return Bates(self.prefix, at, self.padding)


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A document of the set. `first` is the number of its first page, or its own where documents are numbered."""

    ordinal: int
    exhibit: int
    control: str
    family: int
    parent: int | None  # the exhibit above it that is a member too
    treatment: Treatment
    reason: str = ""  # of withholding
    pages: int
    first: int


class Production(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    query: str
    who: str
    created_ms: int
    terms: Terms
    first: int
    last: int
    documents: int
    pages: int
    left_out: dict[str, int]  # exhibits that the query or its families have and that are no documents, by reason
    is_fixed: bool = False  # it went out: its redactions are those of then
    manifest: str = ""  # of what was written last: the hash of its list of hashes

    @property
    def range(self) -> str:
        return f"{self.terms.number(self.first)} - {self.terms.number(self.last)}"


def last_number(terms: Terms, member: Member) -> int:
    return member.first + member.pages - 1 if terms.by == "page" else member.first


def page_numbers(terms: Terms, member: Member) -> list[str]:
    """What is stamped on each page, and what its image is called."""
    if terms.by == "page":
        return [str(terms.number(member.first + at)) for at in range(member.pages)]
    own = str(terms.number(member.first))
    return [own, *(f"{own}_{page:04d}" for page in range(2, member.pages + 1))]


def checked_terms(terms: Terms) -> Terms:
    if not _PREFIX.match(terms.prefix):
        raise UserError(
            f"{terms.prefix!r} is no prefix: it has up to 30 letters, digits, dots, dashes and underscores, begins "
            "with a letter or digit, and does not end with a digit, which would be taken for a part of the number"
        )
    if not 1 <= terms.padding <= 15 or terms.start < 0:
        raise UserError("numbers have 1 to 15 digits and begin with 0 or more")
    if len(terms.designation) > _LONGEST_DESIGNATION or not terms.designation.isprintable():
        raise UserError(f"a designation has at most {_LONGEST_DESIGNATION} characters that can be shown")
    return terms


def checked_production_name(name: str) -> str:
    if not _NAME.match(name):
        raise UserError("a production is called by 1 to 80 letters, digits, blanks, dots, dashes and underscores")
    return name
