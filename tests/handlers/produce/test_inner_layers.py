"""Words that were hidden are found in every layer of a file in which they could go out."""

import bz2
import gzip
import io
import tarfile
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from tests.support.office_files import row, xlsx
from tests.support.production_evidence import LETTER, mail, pdf, scan

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Trouble
from redwell.core.production.orders import LayersOrder, found_inside, written
from redwell.handlers.host.source import BytesSource
from redwell.handlers.produce import inner_layers

NAME = "Barnaby Quill"
ORDER = LayersOrder(words=[("barnaby", "quill"), ("123", "45", "6789")], pictures=True)


def looked_into(data: bytes, scratch: Path) -> tuple[set[str], list[Artifact], list[Trouble]]:
    options = Options(name="", media_type="", order=written(ORDER))
    pieces = list(inner_layers.extract(BytesSource(data, "x", scratch), scratch, options))
    made = [piece for piece in pieces if isinstance(piece, Artifact)]
    [told] = [piece for piece in made if piece.kind == ArtifactKind.STRUCTURED_DATA]
    assert isinstance(told.data, bytes)
    pictures = [piece for piece in made if piece.kind == ArtifactKind.PAGE_IMAGE]
    return (
        {" ".join(each.words) for each in found_inside(told.data)},
        pictures,
        [each for each in pieces if isinstance(each, Trouble)],
    )


def zipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, data)
    return out.getvalue()


def tarred(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        file.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def in_pdf(change: object) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf([["Nothing to see"]]))) as made:
        change(made)
        made.save(out)
    return out.getvalue()


def annotated(made: pikepdf.Pdf) -> None:
    note = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Text, Rect=[0, 0, 9, 9], Contents=NAME)
    made.pages[0].obj.Annots = pikepdf.Array([made.make_indirect(note)])


def bookmarked(made: pikepdf.Pdf) -> None:
    with made.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(NAME, 0))


def described(made: pikepdf.Pdf) -> None:
    with made.open_metadata() as about:
        about["dc:title"] = NAME


def attached(made: pikepdf.Pdf) -> None:
    made.attachments["notes.zip"] = zipped("notes.txt", NAME.encode())


def switched_off(made: pikepdf.Pdf) -> None:
    """A layer that no viewer shows, of letters that none would."""
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    layer = made.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="off"))
    made.Root.OCProperties = pikepdf.Dictionary(OCGs=[layer], D=pikepdf.Dictionary(OFF=[layer]))
    page = made.pages[0]
    page.obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font), Properties=pikepdf.Dictionary(L=layer))
    page.contents_add(b"/OC /L BDC BT /F 9 Tf 3 Tr 50 50 Td (Barnaby Quill) Tj ET EMC")


def revised() -> bytes:
    """What was there before the file was changed is still in its bytes."""
    old = in_pdf(switched_off)
    return old.replace(b"%%EOF", b"") + pdf([["Nothing to see"]])


def docx(body: str, extra: dict[str, str] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("word/document.xml", f"<w:document><w:body>{body}</w:body></w:document>")
        for name, text in (extra or {}).items():
            file.writestr(name, text)
    return out.getvalue()


def forwarded() -> bytes:
    outer = EmailMessage()
    outer["From"], outer["Subject"] = "a@example.org", "=?utf-8?b?QmFybmFieSBRdWlsbA==?="
    outer.set_content("nothing here")
    return bytes(outer)


HIDING = {
    "plain text in capitals": b"call BARNABY QUILL",
    "over the end of a line": b"call Barnaby\r\n> Quill",
    "cut at the end of a line": b"call Bar-\nnaby Quill",
    "accents": "Bärnaby Quíll".encode(),
    "nothing between": b"BarnabyQuill.pdf",
    "letters set apart": b"B a r n a b y  Q u i l l",
    "unseen signs": "Barn\u200baby Qu\u00adill".encode(),
    "two bytes a letter": NAME.encode("utf-16-le"),
    "two bytes a letter at odd places": b"x" + NAME.encode("utf-16-be"),
    "a number without signs": b"number 123456789.",
    "rtf": rb"{\rtf1 Barn{\b aby} Qu\'69ll\par}",
    "html": b"<p>Barn<b>aby</b> &#81;uill</p>",
    "html attribute": b'<img alt="Barnaby Quill">',
    "subject of a mail": forwarded(),
    "attachment of a mail": mail(),
    "zip in zip": zipped("a.zip", zipped("b.txt", NAME.encode())),
    "name of a member": zipped("Barnaby Quill.txt", b""),
    "tar": tarred("a.txt", NAME.encode()),
    "gzip": gzip.compress(NAME.encode()),
    "bzip2": bz2.compress(NAME.encode()),
    "text of a pdf": pdf(LETTER),
    "note on a pdf": in_pdf(annotated),
    "bookmark of a pdf": in_pdf(bookmarked),
    "properties of a pdf": in_pdf(described),
    "zip attached to a pdf": in_pdf(attached),
    "layer of a pdf that is off": in_pdf(switched_off),
    "earlier version of a pdf": revised(),
    "runs of word": docx("<w:p><w:r><w:t>Barna</w:t></w:r><w:r><w:t>by Quill</w:t></w:r></w:p>"),
    "tracked deletion": docx("<w:p><w:del><w:r><w:delText>Barnaby Quill</w:delText></w:r></w:del></w:p>"),
    "author of a comment": docx("", {"word/comments.xml": '<w:comment w:author="Barnaby Quill"/>'}),
    "custom property": docx(
        "", {"docProps/custom.xml": "<Properties><vt:lpwstr>Barnaby Quill</vt:lpwstr></Properties>"}
    ),
    "cell of a spreadsheet": xlsx({"A": f"<sheetData>{row(1, NAME)}</sheetData>"}),
}


@pytest.mark.parametrize("place", HIDING)
def test_words_are_found_where_they_hide(place: str, tmp_path: Path) -> None:
    assert looked_into(HIDING[place], tmp_path)[0]


@pytest.mark.parametrize(
    "data", [b"barnaby and a quill", b"tranquillity", pdf([["Nothing to see"]]), b"", b"PK\x03\x04 broken", b"12345678"]
)
def test_what_does_not_say_them_is_clean(data: bytes, tmp_path: Path) -> None:
    assert looked_into(data, tmp_path)[0] == set()


def test_pictures_and_their_thumbnails_are_handed_out_to_be_read(tmp_path: Path) -> None:
    small, large = io.BytesIO(), io.BytesIO()
    page = Image.open(io.BytesIO(scan(NAME))).convert("L")
    page.resize((300, 420)).save(small, "JPEG", quality=90)
    Image.new("L", (800, 600), 255).save(large, "JPEG", exif=b"Exif\0\0" + small.getvalue())
    _, pictures, _ = looked_into(docx("", {}) + b"", tmp_path)
    assert pictures == []
    _, pictures, _ = looked_into(zipped("word/media/image1.jpeg", large.getvalue()), tmp_path)
    assert [picture.data for picture in pictures] == [large.getvalue(), small.getvalue()]


def test_what_can_not_be_opened_is_named(tmp_path: Path) -> None:
    locked = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf(LETTER))) as made:
        made.save(locked, encryption=pikepdf.Encryption(owner="o", user="u"))
    _, _, troubles = looked_into(zipped("letter.pdf", locked.getvalue()), tmp_path)
    assert troubles and all("letter.pdf" in trouble.detail for trouble in troubles)
