"""The sample evidence is what it claims to be: the demo and the benchmarks rest on it."""

import email.policy
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from python_calamine import CalamineWorkbook
from tests.support.rendered import page_texts

from redwell.handlers.engines import libreoffice

GENERATOR = Path(__file__).parents[2] / "examples" / "sample_evidence.py"


def generate(out: Path, *arguments: str) -> Path:
    subprocess.run([sys.executable, "-W", "error", GENERATOR, out, *arguments], check=True, stderr=subprocess.PIPE)
    return out


def digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(tmp_path_factory.mktemp("story") / "evidence")


def test_the_story_is_the_same_each_time(story: Path, tmp_path: Path) -> None:
    assert digests(story) == digests(generate(tmp_path / "again"))


def test_a_folder_with_something_in_it_is_left_alone(story: Path) -> None:
    before = digests(story)
    run = subprocess.run([sys.executable, GENERATOR, story], capture_output=True, text=True)
    assert run.returncode == 2
    assert "not empty" in run.stderr
    assert digests(story) == before


def test_custodians_share_duplicates(story: Path) -> None:
    hashes = list(digests(story).values())
    assert len(hashes) - len(set(hashes)) >= 5


def test_the_office_files_are_read_by_other_programs_libraries(story: Path) -> None:
    rows = CalamineWorkbook.from_path(story / "archer/Contracts/Price list.xlsx").get_sheet_by_index(0).to_python()
    assert rows[1] == ["valve VX-20", 207.5]
    from kreuzberg import ExtractionConfig, extract_file_sync

    expected = {
        "archer/Contracts/Supply agreement.docx": "salt water",
        "baker/Board/Programme.pptx": "Board meeting",
        "baker/Board/Minutes.odt": "discussed the coating",
        "baker/Lists/memo.rtf": "inspect every crate",
    }
    config = ExtractionConfig(use_cache=False, disable_ocr=True)  # type: ignore[call-arg]  # its stubs lack it
    texts = {name: extract_file_sync(str(story / name), None, config).content for name in expected}
    assert {name for name, words in expected.items() if words not in texts[name]} == set()


def test_the_presentation_is_shown_by_libreoffice(story: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where its profile is
    given = [libreoffice.Document(story / "baker/Board/Programme.pptx", "pptx")]
    [(_, made)] = libreoffice.to_pdf(given, tmp_path / "made")
    assert made and [
        next(line for line in page.splitlines() if line in ("Valve programme", "Coating"))
        for page in page_texts(made.read_bytes())[:2]
    ] == ["Valve programme", "Coating"]


def test_a_pdf_has_its_pages_its_text_and_its_embedded_file(story: Path) -> None:
    with pypdfium2.PdfDocument(story / "archer/Contracts/Supply agreement.pdf") as document:
        assert len(document) == 3
        assert "salt water" in document[0].get_textpage().get_text_bounded()
    with pikepdf.open(story / "archer/Contracts/Signed agreement.pdf") as document:
        assert document.attachments["prices.csv"].get_file().read_bytes().startswith(b"article,price")


def test_protected_files_open_with_the_password_that_a_mail_tells(story: Path) -> None:
    mail = email.message_from_bytes(
        (story / "baker/Mail/008 Settlement figures.eml").read_bytes(), policy=email.policy.default
    )
    body = mail.get_body(("plain",)).get_content()
    passwords = [line.split()[-1] for line in body.splitlines() if " " in line][-2:]
    with zipfile.ZipFile(io.BytesIO(next(mail.iter_attachments()).get_content())) as archive:
        assert b"41,500" in archive.read("settlement figures.txt", passwords[0].encode())
        with pytest.raises(RuntimeError):
            archive.read("settlement figures.txt", b"wrong")
    protected = story / "baker/Board/Minutes protected.pdf"
    pikepdf.open(protected, password=passwords[1]).close()
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(protected)


def test_a_forwarded_message_holds_the_messages_below_it(story: Path) -> None:
    outer = email.message_from_bytes(
        (story / "archer/Mail/006 Fwd Fwd coating.eml").read_bytes(), policy=email.policy.default
    )
    subjects = [part["Subject"] for part in outer.walk() if part["Subject"]]
    assert subjects[:2] == ["Fwd: Fwd: coating", "Fwd: coating"]
    assert len(subjects) == 4


def test_bulk_mails_all_differ_parse_and_carry_attachments(tmp_path: Path) -> None:
    hashes = digests(generate(tmp_path / "mails", "--mails", "600", "--seed", "3"))
    assert len(set(hashes.values())) == len(hashes) == 600
    for path in sorted((tmp_path / "mails").rglob("*.eml"))[::100]:
        mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        assert mail["Subject"] and mail["Message-ID"]
        assert all(attachment.get_content() for attachment in mail.iter_attachments())
        assert any(mail.iter_attachments())


def test_another_seed_gives_other_mails(tmp_path: Path) -> None:
    one, two = (digests(generate(tmp_path / seed, "--mails", "20", "--seed", seed)) for seed in ("1", "2"))
    assert set(one) == set(two)
    assert not set(one.values()) & set(two.values())
