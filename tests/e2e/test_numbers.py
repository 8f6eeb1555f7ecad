"""Control numbers through the real product: the same evidence has the same ones, however many work on it."""

import io
import mailbox
import os
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.support.product import documents, redwell, verified


def archive(files: dict[str, bytes]) -> bytes:
    with io.BytesIO() as out:
        with zipfile.ZipFile(out, "w") as packed:
            for name, data in files.items():
                packed.writestr(name, data)
        return out.getvalue()


def store_of_mails(path: Path, count: int) -> None:
    box = mailbox.mbox(path)
    for number in range(count):
        mail = EmailMessage()
        mail["From"], mail["Subject"], mail["Message-ID"] = (
            "a@example.org",
            f"mail {number}",
            f"<{path.name}{number}@x>",
        )
        mail.set_content(f"mail {number} of {path.name}")
        mail.add_attachment(f"attached to {number}".encode(), maintype="text", subtype="plain", filename="note.txt")
        box.add(mail)
    box.close()


def make_archives(folder: Path) -> Path:
    """The first of them take longest: what lies in the others is there before what lies in them."""
    folder.mkdir()
    for number in range(5):
        slow = {"big.bin": os.urandom(1) * 20_000_000} if number == 0 else {}
        nested = archive({f"deep {n}.txt": f"deep {number} {n}".encode() for n in range(2)})
        texts = {f"{n}.txt": f"text {number} {n}".encode() for n in range(40 // (number + 1))}
        (folder / f"{number}.zip").write_bytes(archive({**slow, "nested.zip": nested, **texts}))
    store_of_mails(folder / "0.mbox", 40)
    store_of_mails(folder / "z.mbox", 3)
    return folder


@pytest.mark.requirement("D3")
def test_an_import_with_one_slot_and_one_with_many_issue_the_same_numbers(tmp_path: Path) -> None:
    source, numbers = make_archives(tmp_path / "in"), []
    for slots, chunk in ((1, 3), (3, 50)):
        home = tmp_path / f"home {slots}"
        more = ("--set", f"slots={slots}", "--set", f"chunk={chunk}", "--set", "message_documents=1")
        run = redwell(home, "import", str(source), "--case", "c", *more)
        assert run.returncode == 0, run.stderr
        verified(home, "c")
        numbers.append([(row["control_number"], row["path"]) for row in documents(home, "c")])
    one, many = numbers
    assert one == many
    heads = [path for number, path in one if "." not in number]
    files = [path for path in heads if "//" not in path]
    assert files == sorted(files) and heads[: len(files)] == files, "files first, as they were walked"
    first_of = [next(n for n, path in enumerate(heads) if path.startswith(f"{file}//")) for file in files]
    assert first_of == sorted(first_of), "then what lies in them, in their order"
