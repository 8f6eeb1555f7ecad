"""A small case that goes out: a mail with attachments, a letter, a scan, notes, a spreadsheet. Each text is its own."""

import io
import json
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pikepdf
import typst
from PIL import Image, ImageDraw, ImageFont
from tests.support.office_files import row, xlsx

_PAGE = b"""#set document(date: none)
#set page(paper: "a5", margin: 2cm)
#set text(font: "Liberation Sans", size: 12pt)
#let told = json(bytes(sys.inputs.told))
#for (n, page) in told.enumerate() { if n > 0 { pagebreak() }; for line in page { par(line) } }
"""
LETTER = [
    ["Letter of intent", "The purchase price is 4711 florins.", "Our contact is Barnaby Quill."],
    ["Second page of the letter", "Barnaby Quill will call on Monday."],
]
SECRET = "Barnaby Quill"


def pdf(pages: list[list[str]]) -> bytes:
    made: bytes = typst.compile(_PAGE, sys_inputs={"told": json.dumps(pages)})
    return made


def scan(text: str) -> bytes:
    """A page of letters as a scanner gives it: black and white, 200 dots an inch."""
    page = Image.new("L", (1170, 1654), 255)
    font = ImageFont.truetype("LiberationSans-Regular.ttf", 44)
    for line, words in enumerate(text.split("\n")):
        ImageDraw.Draw(page).text((120, 160 + 90 * line), words, font=font, fill=0)
    out = io.BytesIO()
    page.convert("1").save(out, "TIFF", compression="group4", dpi=(200, 200))
    return out.getvalue()


def sheet() -> bytes:
    return xlsx({"Prices": f"<sheetData>{row(1, 'item', 'florins')}{row(2, 'anchor chains', '1200')}</sheetData>"})


def mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Cc"] = "ann@example.org", "bob@example.org", "carl@example.org"
    message["Subject"] = "Papers; for the þ meeting"
    message["Date"] = "Tue, 03 Mar 2020 09:30:00 +0000"
    message["Message-ID"] = "<papers-1@example.org>"
    message.set_content("Dear Bob,\n\nplease find the papers attached.\n\nAnn\n")
    pdf_type, sheet_type = (
        ("application", "pdf"),
        ("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )
    message.add_attachment(pdf(LETTER), maintype=pdf_type[0], subtype=pdf_type[1], filename="letter.pdf")
    message.add_attachment(sheet(), maintype=sheet_type[0], subtype=sheet_type[1], filename="=prices.xlsx")
    return bytes(message)


def write_evidence(folder: Path) -> Path:
    (folder / "mail").mkdir(parents=True)
    (folder / "mail" / "papers.eml").write_bytes(mail())
    (folder / "mail" / "scan.tif").write_bytes(scan("Invoice of the harbour\nfor forty anchors"))
    (folder / "CON.txt").write_text("Notes of a meeting.\nNothing was agreed.\n")
    (folder / "advice.txt").write_text("Advice of counsel: settle.\n")
    return folder


def false_layer(shown: str, said: str) -> bytes:
    """A page whose picture shows one thing, while the text behind it says another, at length."""
    out = io.BytesIO()
    Image.open(io.BytesIO(scan(shown))).save(out, "PDF", resolution=200)
    with pikepdf.open(out) as made:
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        made.pages[0].obj.Resources.Font = pikepdf.Dictionary(F=font)
        lines = "".join(f"1 0 0 1 30 {700 - 12 * at} Tm ({said}) Tj " for at in range(20))
        made.pages[0].contents_add(f" BT /F 9 Tf 3 Tr {lines}ET".encode())
        whole = io.BytesIO()
        made.save(whole)
    return whole.getvalue()


def leaking_mail() -> bytes:
    """A family in which the words of its letter stand in other places as well, each seen by another kind of look."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.org", "bob@example.org", f"About {SECRET.upper()}"
    message["Date"], message["Message-ID"] = "Wed, 04 Mar 2020 09:30:00 +0000", "<leak-1@example.org>"
    message.set_content("Dear Bob,\n\nsee the letter.\n\nAnn\n")
    book = zipfile.ZipFile(book_bytes := io.BytesIO(sheet()), "a")
    with book:
        book.writestr("customXml/item9.xml", f"<a>{SECRET}</a>")
    for name, data in {
        "letter.pdf": pdf(LETTER),
        "shown.pdf": false_layer(f"Minutes of\n{SECRET}", "Minutes of a meeting of no consequence"),
        "prices.xlsx": book_bytes.getvalue(),
    }.items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return bytes(message)
