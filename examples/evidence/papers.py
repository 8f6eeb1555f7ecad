"""The documents of the sample dispute that are no mails: contracts, lists, notes, and files that cause trouble."""

from .archives import zipped
from .office import docx, odt, pptx, xlsx
from .pdfs import pdf, pdf_with_password
from .pictures import logo, photograph, scan

PRICES = b"article,price\r\nvalve VX-20,207.50\r\ngasket G-3,1.20\r\n"
DELIVERIES = b"date,crate,valves,damaged\r\n2023-04-28,6,100,0\r\n2023-05-02,7,100,38\r\n"
CLAIM = b"Claim 1: 38 valves with damaged coating, 7,885.00 in all.\n"
PASSWORD = "valve-4711"
BOARD_PASSWORD = "board-2023"

_CLAUSES = [
    "Supply agreement",
    "1. The seller delivers 200 valves of type VX-20.",
    "2. The coating withstands salt water for ten years.",
    "3. Delivery is due on 1 May 2023. Delay costs 0.5% a week.",
    "4. Disputes are settled by arbitration.",
]
_NAME = "Alex Archer"

Papers = dict[str | bytes, bytes]


def agreement_docx() -> bytes:
    return docx(_CLAUSES, title="Supply agreement", author=_NAME)


def agreement_pdf() -> bytes:
    schedule = [f"Schedule item {number}: inspect valve {number:03}" for number in range(1, 121)]
    return pdf(_CLAUSES + schedule, title="Supply agreement", author=_NAME)


def archers_papers() -> Papers:
    prices: list[list[str | int | float]] = [["article", "price"], ["valve VX-20", 207.5], ["gasket G-3", 1.2]]
    attached = pdf([*_CLAUSES, "Signed by both parties"], title="Signed agreement", embedded=("prices.csv", PRICES))
    return {
        "Contracts/Supply agreement.docx": agreement_docx(),
        "Contracts/Supply agreement.pdf": agreement_pdf(),
        "Contracts/Signed agreement.pdf": attached,
        "Contracts/Price list.xlsx": xlsx(prices, title="Price list", author=_NAME),
        "Contracts/old/archive of archives.zip": _nested_archive(),
        "Photos/crate 7.jpg": photograph("Crate 7"),
        "Photos/logo.png": logo(),
        "Photos/delivery note.tiff": scan(["Delivery note 7\n100 valves", "Received with damage"]),
    }


def bakers_papers() -> Papers:
    slides = [["Valve programme", "Board meeting, May 2023"], ["Risks", "Delay", "Coating"]]
    return {
        "Board/Programme.pptx": pptx(slides, title="Valve programme", author="Blake Baker"),
        "Board/Minutes.odt": odt(
            ["Minutes", "The board discussed the coating."], title="Minutes", author="Blake Baker"
        ),
        "Board/Minutes protected.pdf": pdf_with_password(["Confidential minutes"], BOARD_PASSWORD),
        "Lists/deliveries.csv": DELIVERIES,
        "Lists/intranet page.html": b"<html><title>Valves</title><body><p>Stock: 62 valves</p></body></html>\n",
        "Lists/memo.rtf": b"{\\rtf1\\ansi{\\fonttbl\\f0 Helvetica;}\\f0 Memo: inspect every crate.\\par}\n",
        "Notes/utf-8.txt": "Rückruf: 38 Ventile, 7.885 €\n".encode(),
        "Notes/latin-1.txt": "Große Lieferung verspätet\n".encode("latin-1"),
        "Notes/utf-16.txt": "Прочность покрытия\n".encode("utf-16"),
        "Notes/shift-jis.txt": "検査の結果は良好でした。塗装に傷があります。\n".encode("shift_jis"),
        "Copies/Supply agreement.docx": agreement_docx(),
    }


def coopers_papers() -> Papers:
    return {
        "Copies/Supply agreement (copy).docx": agreement_docx(),
        "Copies/Supply agreement (copy).pdf": agreement_pdf(),
        "Trouble/cut off.pdf": agreement_pdf()[:900],
        "Trouble/cut off.zip": _nested_archive()[:-40],
        "Trouble/empty.txt": b"",
        "Trouble/installer.exe": b"MZ\x90\x00" + bytes(60) + b"PE\x00\x00" + bytes(400),
        "Trouble/readings.xyz": bytes((i * 73 + i // 7) % 256 for i in range(3000)),
        "Trouble/really a PDF.doc": pdf(["This PDF calls itself a Word document."]),
        "Names/smile \N{GRINNING FACE}.txt": b"An emoji in the name.\n",
        "Names/Cafe\N{COMBINING ACUTE ACCENT}.txt": b"A name in decomposed form.\n",
        b"Names/caf\xe9.txt": b"A name that is not UTF-8.\n",
        "Names/" + "long " * 40 + "name.txt": b"A name of more than 200 characters.\n",
    }


def _nested_archive() -> bytes:
    innermost = zipped({"letter.txt": b"The first letter on the valves.\n", "claim.txt": CLAIM})
    middle = zipped({"2022/letters.zip": innermost, "2022/prices.csv": PRICES})
    return zipped({"letters/middle.zip": middle, "agreement.docx": agreement_docx()})
