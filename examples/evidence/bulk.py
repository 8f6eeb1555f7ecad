"""Any number of mails with attachments, written fast; no two are alike. Benchmarks import what this makes."""

import base64
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from .archives import zipped
from .office import docx
from .pdfs import pdf
from .words import Writer

_START = datetime(2022, 1, 3, 8, tzinfo=UTC)
_MAILS_IN_A_FOLDER = 500
# of 20 attachments: 8 texts, 5 tables, 3 pages, 2 PDFs, 1 document, 1 archive
_KINDS = ("txt",) * 8 + ("csv",) * 5 + ("html",) * 3 + ("pdf",) * 2 + ("docx", "zip")
_MEDIA_TYPES = {
    "txt": "text/plain",
    "csv": "text/csv",
    "html": "text/html",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "zip": "application/zip",
}


def write_mails(out: Path, count: int, *, seed: int = 1) -> int:
    """Write `count` messages of some 2 to 20 KB into folders of 500."""
    writer = Writer(seed)
    for number in range(count):
        folder = out / f"{number // _MAILS_IN_A_FOLDER:04}"
        if number % _MAILS_IN_A_FOLDER == 0:
            folder.mkdir(parents=True)
        (folder / f"{number:06}.eml").write_bytes(_mail(writer, number, seed))
    return count


def _mail(writer: Writer, number: int, seed: int) -> bytes:
    pick = writer.random
    head = _head(writer, number, seed)
    parts = [_text_part(writer.text(pick.randint(40, 500)))]
    for index in range(pick.choice((1, 1, 1, 2, 3))):
        parts.append(_attachment(writer, pick.choice(_KINDS), f"{number}-{index}"))
    return b"\r\n--frontier\r\n".join([head.encode(), *parts]) + b"\r\n--frontier--\r\n"


def _head(writer: Writer, number: int, seed: int) -> str:
    pick = writer.random
    sender, receiver = pick.sample(range(60), 2)
    earlier = pick.randrange(number) if number and pick.random() < 0.4 else None
    reply = "" if earlier is None else f"In-Reply-To: <{seed}.{earlier}@bulk.example.com>\r\n"
    return (
        f"From: Person {sender:02} <person{sender:02}@buyer.example.com>\r\n"
        f"To: Person {receiver:02} <person{receiver:02}@seller.example.org>\r\n"
        f"Subject: {'' if earlier is None else 'Re: '}{' '.join(writer.words(5))}\r\n"
        f"Date: {format_datetime(_START + timedelta(minutes=7 * number))}\r\n"
        f"Message-ID: <{seed}.{number}@bulk.example.com>\r\n{reply}"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="frontier"\r\n'
    )


def _text_part(text: str) -> bytes:
    return b"Content-Type: text/plain; charset=us-ascii\r\n\r\n" + text.replace("\n", "\r\n").encode()


def _attachment(writer: Writer, kind: str, label: str) -> bytes:
    head = (
        f'Content-Type: {_MEDIA_TYPES[kind]}\r\nContent-Disposition: attachment; filename="{label}.{kind}"\r\n'
        "Content-Transfer-Encoding: base64\r\n\r\n"
    )
    packed = base64.encodebytes(_content(writer, kind, label))
    return head.encode() + packed.replace(b"\n", b"\r\n")


def _content(writer: Writer, kind: str, label: str) -> bytes:
    text = f"{label}\n{writer.text(writer.random.randint(60, 600))}"
    if kind == "csv":
        return text.replace(" ", ",").encode()
    if kind == "html":
        return f"<html><head><title>{label}</title></head><body><p>{text}</p></body></html>".encode()
    if kind == "pdf":
        return pdf(text.splitlines(), title=label)
    if kind == "docx":
        return docx(text.splitlines(), title=label, author="Person 01")
    if kind == "zip":
        half = len(text) // 2
        return zipped({f"{label}-1.txt": text[:half].encode(), f"{label}-2.txt": text[half:].encode()})
    return text.encode()
