"""Locked Office files are shown where their password was given, as what is in them; LibreOffice never hears of it."""

import io
import tempfile
import zipfile
from pathlib import Path

import pytest
from tests.faults.test_profiles import letter
from tests.support.agile_encryption import locked
from tests.support.office_files import row, xlsx
from tests.support.pieces import FileSource
from tests.support.rendered import render, text_of

from redwell.core.errors import PasswordProtected
from redwell.core.handler import Document, Options
from redwell.handlers.engines import libreoffice
from redwell.handlers.render import words_pdf
from redwell.handlers.render.office import locked_pdf
from redwell.handlers.render.office.frozen_fields import frozen
from redwell.handlers.render.office.office_opening import opened

pytestmark = pytest.mark.requirement("A6", "A7")
PASSWORD = "correct horse"
TYPE = "application/x-ooxml-protected"
TODAY = (
    '<office:document-content xmlns:office="o" xmlns:table="t"><table:table-cell table:formula="of:=TODAY()" '
    'office:value-type="date" office:date-value="2001-02-03"/></office:document-content>'
)


def package(**parts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content)
    return out.getvalue()


def test_a_locked_workbook_is_laid_out_as_an_open_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where LibreOffice's profile is: two can't share one
    commands: list[str] = []
    start = libreoffice.programs.start
    monkeypatch.setattr(libreoffice.programs, "start", lambda c, s: (commands.extend(c), start(c, s))[1])
    hidden = "<sheetData>" + row(1, "in a hidden row").replace("<row ", '<row hidden="1" ') + "</sheetData>"
    data = locked(xlsx({"One": hidden}), PASSWORD)
    found = render(locked_pdf, data, tmp_path, media_type=TYPE, passwords=("no", PASSWORD))
    assert "in a hidden row" in text_of(found.pdf)
    assert not any(PASSWORD in word for word in commands)


def test_without_the_password_it_stays_locked(tmp_path: Path) -> None:
    found = render(locked_pdf, locked(letter("secret"), PASSWORD), tmp_path, media_type=TYPE, passwords=("wrong",))
    assert isinstance(found.error, PasswordProtected)


def test_macros_are_left_out_of_what_libreoffice_opens_and_todays_date_is_the_one_it_was(tmp_path: Path) -> None:
    (tmp_path / "book").write_bytes(package(**{"content.xml": TODAY, "xl/vbaProject.bin": "damaged"}))
    with zipfile.ZipFile(frozen(tmp_path / "book", tmp_path / "copy")) as copy:
        assert copy.namelist() == ["content.xml"]
        assert b"TODAY" not in copy.read("content.xml") and b'office:date-value="2001-02-03"' in copy.read(
            "content.xml"
        )


def test_one_that_is_locked_or_damaged_costs_no_other_of_its_batch_anything(tmp_path: Path) -> None:
    options = Options(name="x", media_type="application/vnd.oasis.opendocument.text")
    damaged = package(a="b")[:-10]
    documents = []
    for number, data in enumerate((damaged, letter("fine"))):
        (tmp_path / str(number)).mkdir()
        documents.append(Document(source=FileSource(data, tmp_path / str(number)), options=options))
    found = opened(documents, tmp_path)
    assert [isinstance(each, libreoffice.Document) for each in found.values()] == [False, True]


def test_words_that_stand_in_for_a_document_say_so_on_the_page(tmp_path: Path) -> None:
    said = text_of(render(words_pdf, b"quokka\n", tmp_path).pdf)
    assert "it could not be rendered as it looks" in said and "quokka" in said
