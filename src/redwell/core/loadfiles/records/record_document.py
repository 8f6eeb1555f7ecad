"""A record of a load file as one document: its fields, the files that it names, and the records attached to it. Pure.

Made in the child that reads the load file, taken apart in the one that reads the record.
"""

import msgspec

from redwell.core.loadfiles.assembly import PAGES, RECORD, Part, assembled, body_of, read_header


class RecordBody(msgspec.Struct, kw_only=True, omit_defaults=True):
    id: str
    file: str  # the load file
    row: int
    values: dict[str, str] = {}  # by field
    others: dict[str, str] = {}  # by the names of their columns
    dates: dict[str, str] = {}  # fields with dates, read as their column writes them
    pages: list[Part] = []
    troubles: list[tuple[str, str]] = []  # code and detail: something is missing
    notes: list[tuple[str, str]] = []  # the same, and nothing is
    said: str = ""  # its text, where it stands in the load file itself
    text_by_name: bool = False  # no row names its text; it is called like the record
    text: str = "given"  # or extracted
    unpack: bool = True  # members of the native are documents, too: no row says what is attached to what
    attached: list["RecordDocument"] = []


class RecordDocument(msgspec.Struct, kw_only=True):
    name: str
    parts: list[Part]  # the native and the text
    body: RecordBody

    @property
    def locator(self) -> str:
        return f"{self.body.file}:{self.body.row}"

    def encoded(self) -> bytes:
        return assembled(RECORD, self.parts, msgspec.json.encode(self.body))


_body = msgspec.json.Decoder(RecordBody)


def read_record(document: bytes) -> tuple[tuple[Part, ...], RecordBody]:
    return read_header(document).parts, _body.decode(body_of(document))


def page_list(pages: list[Part]) -> bytes:
    return assembled(PAGES, pages)
