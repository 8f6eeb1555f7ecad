"""Office documents as PDF: fields as they were, changes and comments to be seen, nothing to fill in."""

import io
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from tests.faults.test_profiles import letter
from tests.support.pieces import FileSource
from tests.support.rendered import Rendered, page_texts, text_of

from redwell.core.errors import BadInput
from redwell.core.handler import Artifact, Document, Options
from redwell.handlers.detect.detect import detect
from redwell.handlers.render.office import office_pdf
from redwell.handlers.render.office.frozen_fields import frozen

pytestmark = pytest.mark.requirement("A6", "A7")
FIELD = (
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> {} </w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>{}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/>'
    "</w:r></w:p>"
)
CHANGES = (
    '<w:p><w:ins w:id="1" w:author="A" w:date="2020-01-01T00:00:00Z"><w:r><w:t>inserted words</w:t></w:r></w:ins>'
    '<w:del w:id="2" w:author="B" w:date="2020-01-01T00:00:00Z"><w:r><w:delText>deleted words</w:delText></w:r></w:del>'
    "</w:p>"
)
FLAT = (
    '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>{}'
    "</office:text></office:body></office:document>"
)
COMMENT = (
    "<text:p>Commented<office:annotation><dc:creator>Alex Archer</dc:creator>"
    "<dc:date>2001-05-03T10:00:00</dc:date><text:p>Is this so?</text:p>"
    '</office:annotation></text:p><text:p><text:date text:date-value="2001-05-01">1 May 2001</text:date></text:p>'
)


def with_body(more: str) -> bytes:
    """A DOCX with these paragraphs."""
    return edited(letter("A letter"), lambda part: part.replace(b"</w:body>", more.encode() + b"</w:body>"))


def edited(package: bytes, change: Callable[[bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == "word/document.xml" else old.read(name))
    return out.getvalue()


DOCUMENTS = {
    "dated.docx": with_body(
        FIELD.format('DATE \\@ "yyyy"', "1 May 2001") + FIELD.format("FILENAME", "own.docx") + CHANGES
    ),
    "bad.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4_000),
    "cut off.docx": letter("cut off")[:400],
    "dated.rtf": rb"{\rtf1 {\field{\*\fldinst DATE }{\fldrslt 2 May 2001}} in a text}",
    "comment.fodt": FLAT.format(COMMENT).encode(),
    "last.docx": letter("after all"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rendered]:
    """All of them, by one process of LibreOffice."""
    scratch = tmp_path_factory.mktemp("office")
    documents = []
    for name, data in DOCUMENTS.items():
        folder = scratch / name
        folder.mkdir()
        source = FileSource(data, folder)
        media_type = office_type(name) or detect(source.open, source.size, name)
        documents.append(Document(source=source, options=Options(name=name, media_type=media_type)))
    found = {name: Rendered() for name in DOCUMENTS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(scratch))  # where LibreOffice's profile is: two can't share one
        pieces = list(office_pdf.extract_many(documents, scratch))
    for number, piece in pieces:
        here = found[list(DOCUMENTS)[number]]
        if isinstance(piece, BadInput):
            here.error = piece
        elif isinstance(piece, Artifact) and isinstance(piece.data, Path):
            here.made, here.pages = {"pdf": piece.data.read_bytes()}, {"pdf": piece.amount}
    return found


def office_type(name: str) -> str:
    docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    return docx if name.endswith(".docx") else ""


def test_dates_and_file_names_stay_as_they_were_last_shown(made: dict[str, Rendered]) -> None:
    assert "1 May 2001 own.docx" in text_of(made["dated.docx"].pdf)
    assert "2 May 2001 in a text" in text_of(made["dated.rtf"].pdf)
    assert "5/1/01" in text_of(made["comment.fodt"].pdf), "the day that the field says, not today"


def test_tracked_changes_are_to_be_seen(made: dict[str, Rendered]) -> None:
    shown = text_of(made["dated.docx"].pdf)
    assert "inserted words" in shown and "deleted words" in shown


def test_comments_stand_on_a_page_of_their_own_and_no_annotation_is_left(made: dict[str, Rendered]) -> None:
    pdf = made["comment.fodt"].pdf
    pages = page_texts(pdf)
    assert len(pages) == made["comment.fodt"].pages["pdf"] == 2
    assert "Commented" in pages[0] and "Is this so?" not in pages[0]
    assert pages[1].split() == "Comments Page 1, Alex Archer, 05/03/01: Is this so? 1".split()
    document = pypdfium2.PdfDocument(pdf)
    assert [pypdfium2.raw.FPDFPage_GetAnnotCount(page) for page in document] == [0, 0]
    document.close()


def test_a_document_that_can_not_be_opened_costs_no_other(made: dict[str, Rendered]) -> None:
    for name in ("bad.docx", "cut off.docx"):
        assert made[name].error and not made[name].made
    assert "after all" in text_of(made["last.docx"].pdf)


def test_a_pdf_does_not_tell_when_it_was_made(made: dict[str, Rendered]) -> None:
    with pikepdf.open(io.BytesIO(made["last.docx"].pdf)) as opened:
        assert not {"/CreationDate", "/ModDate"} & set(opened.docinfo.keys())


@pytest.mark.parametrize("name", ["bad.docx", "last.docx"])
def test_what_has_nothing_to_freeze_stays_the_file_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / "a").write_bytes(DOCUMENTS[name])
    assert frozen(tmp_path / "a", tmp_path / "b") == tmp_path / "a"
