"""Evidence for tests that run the whole product: the sample dispute, some mails, and files that bite."""

import io
import sys
import zipfile
from pathlib import Path
from random import Random

from tests.support.product import REPO
from tests.support.volume_files import named_zip, split_zip

sys.path.insert(0, str(REPO / "examples"))

from evidence.bulk import write_mails
from evidence.pdfs import pdf
from evidence.story import write_story


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), data)
    return buffer.getvalue()


def mail(subject: str, body: str, attachments: dict[str, bytes] | None = None) -> bytes:
    from email.message import EmailMessage

    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", subject
    message["Date"], message["Message-ID"] = "Mon, 06 Jan 2020 10:00:00 +0000", f"<{subject}@example.org>"
    message.set_content(body)
    for name, data in (attachments or {}).items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def protected_pdf(text: str, password: str) -> bytes:
    import pikepdf

    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf([text]))) as document:
        document.save(buffer, encryption=pikepdf.Encryption(user=password, owner=password))
    return buffer.getvalue()


def make_evidence(folder: Path, mails: int = 40) -> Path:
    """About a hundred files: duplicates, nested containers, exceptions, and one that kills its parser."""
    write_story(folder / "story")
    write_mails(folder / "mails", mails, seed=5)
    inner = zipped({"deep.txt": b"deep inside", "same.txt": b"twice the same"})
    outer = zipped({"inner.zip": inner, "again/inner.zip": inner, "folder/same.txt": b"twice the same"})
    (folder / "outer.zip").write_bytes(outer)
    (folder / "copy of outer.zip").write_bytes(outer)
    (folder / "carrier.eml").write_bytes(mail("carrier", "see attached", {"outer.zip": outer, "kill.bin": KILLER}))
    (folder / "many.zip").write_bytes(zipped({f"{i:04d}.txt": f"member {i}".encode() for i in range(120)}))
    (folder / "long.txt").write_text("".join(f"line {i} of a long text\n" for i in range(20_000)))
    (folder / "killer.bin").write_bytes(KILLER)
    volumes = {**_split_archive("set"), **{f"log.txt.{n:03}": b"a line of the log\n" * 50 for n in range(1, 8)}}
    for name, data in volumes.items():
        (folder / name).write_bytes(data)
    (folder / "sets.zip").write_bytes(zipped(volumes))
    return folder


def _split_archive(stem: str) -> dict[str, bytes]:
    members = {
        f"{n}.txt": f"member {n} of the set ".encode() + Random(n).randbytes(300).hex().encode() for n in range(6)
    }
    return named_zip(stem, split_zip(members, 500))


KILLER = b"FAULT segfault\n"
