"""Reads OpenDocument and StarOffice XML, zipped or flat: text, properties, embedded objects. Runs in a child."""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.handler import Metadata, MetaValue, Options, Pages, Piece, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office.odf_decryption import unlocked
from redwell.handlers.office.odf_numbers import ListStyles, OdfText
from redwell.handlers.office.pictures import of_package
from redwell.handlers.structures.dates import dated, from_xml
from redwell.handlers.structures.embedded import Embedded, children, unwrap
from redwell.handlers.structures.package_parts import flags, part_text
from redwell.handlers.structures.signatures import xml_signatures
from redwell.handlers.structures.xml_text import Grammar, Leaf, Readable, leaves, well_formed
from redwell.handlers.structures.zip_package import Package

_DECLARED = frozenset({"footer-decl", "header-decl", "date-time-decl"})  # said once, shown on each slide
_AFTER = {"p": "\n", "h": "\n", "tab": "\t", "tab-stop": "\t", "s": " ", "line-break": "\n"}
CONTENT = Grammar(
    text=frozenset({"p", "h"}) | _DECLARED,
    cells=frozenset({"table-cell"}),
    after={**_AFTER, "table-row": "\n", **dict.fromkeys(_DECLARED, "\n")},
    skip=frozenset({"binary-data", "forms", "font-face-decls", "styles", "automatic-styles", "scripts", "settings"}),
    aside={
        "note-body": "",
        "footnote-body": "",
        "endnote-body": "",
        "annotation": "",
        "text-box": "",
        "deletion": "[deleted: ",
    },
    notice=frozenset({"page", "annotation", "tracked-changes", "hidden-text", "hidden-paragraph", "notes"}),
    collapse=True,
)
# what the pages' styles print on every page
STYLES = Grammar(
    text=frozenset({"p", "h"}),
    after=_AFTER,
    skip=frozenset({"notes"}),
    within=frozenset({"master-page"}),
    collapse=True,
)
_META = {
    "title": "title",
    "subject": "subject",
    "description": "comments",
    "initial-creator": "author",
    "creator": "last_modified_by",
    "generator": "application",
    "editing-cycles": "revision",
    "language": "stated_language",
}
_HIDING = re.compile(rb"<table:table-(row|column)\s[^>]*table:visibility=\"(?:collapse|filter)\"")
_HIDING_STYLE = re.compile(
    rb"<style:style\s[^>]*style:name=\"([^\"]+)\"[^>]*>\s*<style:(?:drawing-page|table)-properties\s[^>]*"
    rb"(?:presentation:visibility=\"hidden\"|table:display=\"false\")"
)
_HIDING_WORDS = re.compile(rb"<(?:style:text-properties|text:section)\s[^>]*text:display=\"none\"")
_SLIDE_STYLE = re.compile(rb"<draw:page\s[^>]*draw:style-name=\"([^\"]+)\"")
_SHEET_STYLE = re.compile(rb"<table:table\s[^>]*table:style-name=\"([^\"]+)\"")
_DATES = {"creation-date": "created", "date": "modified", "print-date": "last_printed"}


def _manifest(package: Package) -> list[Leaf]:
    return leaves(package.open("META-INF/manifest.xml")) if "META-INF/manifest.xml" in package else []


def is_whole(package: Package) -> bool:
    """Whether the content is there to its last tag."""
    try:
        return well_formed(package.open("content.xml"))
    except (InvalidFile, TooLarge):
        return False


def document(file: BinaryIO, options: Options) -> Iterator[Piece]:
    """Everything of a zipped OpenDocument file."""
    clear = unlocked(file, options)
    yield Metadata(values=flags({"encrypted": clear is not file}))
    package = Package(clear, options)
    yield from read(package)
    yield from around(package, options)


def read(package: Package) -> Iterator[Piece]:
    """Page headers and footers, then the content with notes and comments at their places."""
    noticed: Counter[str] = Counter()
    if "content.xml" not in package:
        raise InvalidFile("the package has no content.xml")
    reader = partial(OdfText, styles=ListStyles())
    if "styles.xml" in package:
        yield from part_text(package, "styles.xml", STYLES, Counter(), reader)
    yield from part_text(package, "content.xml", CONTENT, noticed, reader)
    yield from charts(package, CONTENT)
    yield from facts(noticed)
    yield Metadata(values=look_over(package.open("content.xml")).facts())


def charts(package: Package, grammar: Grammar) -> Iterator[Piece]:
    """Titles of the charts inside, and the table that each keeps of what it shows."""
    for folder, kind in _listed_objects(package):
        if kind.endswith(".chart") and f"{folder}content.xml" in package:
            yield from part_text(package, f"{folder}content.xml", grammar, Counter())


def facts(noticed: Counter[str]) -> Iterator[Piece]:
    """What was seen on the way: slides or drawing pages, comments, changes, hidden words."""
    if noticed["page"]:
        yield Pages(count=noticed["page"])
    found = {
        "has_comments": bool(noticed["annotation"]),
        "has_tracked_changes": bool(noticed["tracked-changes"]),
        "has_hidden": bool(noticed["hidden-text"] or noticed["hidden-paragraph"]),
        "has_hidden_text": bool(noticed["hidden-text"] or noticed["hidden-paragraph"]),
        "has_notes": bool(noticed["notes"]),
    }
    yield Metadata(values=flags(found))


@dataclass
class Looks:
    """What a look over the raw XML of the content met."""

    hidden_text: bool = False
    hidden_rows: bool = False
    hidden_columns: bool = False
    formulas: bool = False
    hidden_slides: int = 0
    hidden_sheets: int = 0

    def facts(self) -> dict[str, MetaValue]:
        hides = self.hidden_text or self.hidden_rows or self.hidden_columns or self.hidden_slides or self.hidden_sheets
        found: dict[str, MetaValue] = {"hidden_slides": self.hidden_slides} if self.hidden_slides else {}
        return found | flags(
            {
                "has_hidden": bool(hides),
                "has_hidden_text": self.hidden_text,
                "has_hidden_rows": self.hidden_rows,
                "has_hidden_columns": self.hidden_columns,
                "has_formulas": self.formulas,
            }
        )


def look_over(stream: Readable) -> Looks:
    """One cheap pass: rows and columns that are collapsed or filtered out, formulas, and what has a hiding style."""
    looks = Looks()
    hiding: set[bytes] = set()
    window = b""
    while chunk := stream.read(1 << 20):
        whole = window + chunk
        for tag in _HIDING.finditer(whole):
            looks.hidden_rows = looks.hidden_rows or tag[1] == b"row"
            looks.hidden_columns = looks.hidden_columns or tag[1] == b"column"
        hiding |= set(_HIDING_STYLE.findall(whole))
        looks.hidden_text = looks.hidden_text or bool(_HIDING_WORDS.search(whole))
        looks.formulas = looks.formulas or b" table:formula=" in whole
        window = whole[whole.rfind(b"<") :]  # an element is looked at whole
        ended = whole[: len(whole) - len(window)]
        looks.hidden_slides += sum(style in hiding for style in _SLIDE_STYLE.findall(ended))
        looks.hidden_sheets += sum(style in hiding for style in _SHEET_STYLE.findall(ended))
    return looks


def properties(stream: Readable) -> dict[str, MetaValue]:
    """The fields of meta.xml, or of the same element in a flat document."""
    values: dict[str, MetaValue] = {}
    keywords: list[str] = []
    for name, attributes, text in leaves(stream, until="meta"):
        if name == "document-statistic" and attributes.get("page-count", "").isdecimal():
            values["stated_pages"] = int(attributes["page-count"])
        elif name == "user-defined" and text:
            values["custom." + attributes.get("name", "")] = text
        elif name == "keyword" and text:
            keywords.append(text)
        elif name in _META and text:
            values[_META[name]] = text
        elif name in _DATES and text:
            values |= dated(_DATES[name], text, from_xml(text))
    if keywords:
        values["keywords"] = ", ".join(keywords)
    if "last_modified_by" in values:
        values.setdefault("author", values["last_modified_by"])
    return values


def around(package: Package, options: Options) -> Iterator[Piece]:
    """Properties, macros and embedded objects."""
    try:
        if "meta.xml" in package:
            yield Metadata(values=properties(package.open("meta.xml")))
    except (InvalidFile, TooLarge) as error:
        yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=str(error), partial=False)
    has_macros = any(name.startswith(("Basic/", "Scripts/")) for name in package.names())
    yield Metadata(values=flags({"has_macros": has_macros}) | xml_signatures.of_open_document(package))
    yield from children([*_objects(package), *of_package(package, options)], options)


def _listed_objects(package: Package) -> Iterator[tuple[str, str]]:
    """(path, media type) of each object that the manifest lists."""
    for name, attributes, _ in _manifest(package):
        path, kind = attributes.get("full-path", "").removeprefix("./"), attributes.get("media-type", "")
        if name == "file-entry" and "/" not in path.rstrip("/") and path.startswith(("Object", "object")):
            yield path, kind


def _objects(package: Package) -> list[Embedded]:
    """Objects of other programs are stored as they are; those of the suite as a folder of parts."""
    found: list[Embedded] = []
    for path, kind in _listed_objects(package):
        if (
            path.endswith("/")
            and kind.startswith("application/vnd.oasis")
            and not kind.endswith((".chart", ".formula"))
        ):
            found.append(Embedded(path, path.rstrip("/"), partial(_packed, package, path, kind)))
        elif path in package:
            found.append(Embedded(path, path, partial(_stored, package, path)))
    return found


def _stored(package: Package, path: str) -> tuple[str, bytes]:
    return unwrap(path, package.open(path).read())


def _packed(package: Package, folder: str, kind: str) -> tuple[str, bytes]:
    """The folder as a document of its own; the same parts always give the same bytes."""
    out = io.BytesIO()
    parts = sorted(name for name in package.names() if name.startswith(folder))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr(zipfile.ZipInfo("mimetype"), kind)
        for name in parts:
            target.writestr(zipfile.ZipInfo(name.removeprefix(folder)), package.open(name).read(), zipfile.ZIP_DEFLATED)
    extension = {"spreadsheet": "ods", "presentation": "odp", "graphics": "odg"}.get(kind.rpartition(".")[2], "odt")
    return f"{folder.rstrip('/')}.{extension}", out.getvalue()
