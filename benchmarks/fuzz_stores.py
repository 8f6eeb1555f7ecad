"""Good mail stores of every kind, for benchmarks.fuzz to damage: the sample dispute has none."""

from datetime import UTC, datetime
from pathlib import Path

from tests.support.evidence import mail as mail_bytes
from tests.support.evidence import zipped
from tests.support.pst_files import Folder, Item, Store, mail

_OLM = "Accounts/ann@example.org/com.microsoft.__Messages/Inbox"
_OLM_MESSAGE = (
    "<emails><email><OPFMessageCopySubject>Valve</OPFMessageCopySubject>"
    "<OPFMessageCopyBody>coating</OPFMessageCopyBody>"
    "<OPFMessageCopySentTime>2020-01-02T03:04:05</OPFMessageCopySentTime><OPFMessageCopyAttachmentList>"
    f"<messageAttachment OPFAttachmentName='a.txt' OPFAttachmentURL='{_OLM}/com.microsoft.__Attachments/a.txt'/>"
    "</OPFMessageCopyAttachmentList></email></emails>"
)


def write_stores(folder: Path) -> Path:
    folder.mkdir()
    kinds = {"plain": {"method": 0}, "unicode": {}, "ansi": {"ansi": True, "method": 0}, "large": {"large": True}}
    for name, kind in kinds.items():
        (folder / f"{name}.pst").write_bytes(_store(Store(**kind)))  # type: ignore[arg-type]
    (folder / "mail.mbox").write_bytes(b"".join(map(_in_mbox, range(30))))
    members = {f"{_OLM}/message_{n:05}.xml": _OLM_MESSAGE.encode() for n in range(3)}
    (folder / "mail.olm").write_bytes(zipped({**members, f"{_OLM}/com.microsoft.__Attachments/a.txt": b"note"}))
    return folder


def _store(store: Store) -> bytes:
    rich = Item(
        {
            0x001A: "IPM.Note",
            0x0037: "Valve",
            0x0039: datetime(2020, 1, 2, tzinfo=UTC),
            0x1000: "coating " * 2_000,
            0x1013: b"<p>page</p>",
        },
        recipients=[(1, "Bob", "bob@example.org"), (2, "Cy", "cy@example.org")],
        attachments=[("a.bin", bytes(range(256)) * 80), mail("Inner", "inside")],
    )
    contact = Item({0x001A: "IPM.Contact", 0x3001: "Ann", 0x8002: "ann@example.org"})
    top = Folder("Top", [mail(f"Mail {n}", "text " * n) for n in range(20)], [Folder("Inbox", [rich, contact])])
    return store.with_folders(top).data()


def _in_mbox(number: int) -> bytes:
    attachments = {"note.txt": b"note"} if number % 5 == 0 else {}
    message = mail_bytes(f"Mail {number}", f"body {number}\n>From here\n", attachments)
    length = b"Content-Length: %d\n" % len(message.partition(b"\n\n")[2]) if number % 3 == 0 else b""
    return b"From ann@example.org Mon Jun  1 10:00:00 2009\n" + length + message + b"\n"
