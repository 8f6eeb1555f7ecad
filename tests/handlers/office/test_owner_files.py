"""The small files that Office lays beside an open document tell who has it open."""

import io
from pathlib import Path

import pytest
from tests.support.other_documents import owner_file
from tests.support.pieces import read

from redwell.core.type_hints import expected_types
from redwell.handlers.detect.detect import detect
from redwell.handlers.office import office

_OWNER = "application/x-ms-owner"


def _type(data: bytes) -> str:
    return detect(lambda: io.BytesIO(data), len(data), "~$lease.docx")


@pytest.mark.parametrize("program", ["word", "excel", "powerpoint"])
@pytest.mark.parametrize("name", ["Ann Smith", "A", "Jürg Müller", "山田太郎", "x" * 52])
def test_a_lock_file_names_the_user(program: str, name: str, tmp_path: Path) -> None:
    data = owner_file(name, program)
    pieces = read(office, data, tmp_path)
    assert (pieces.text, pieces.metadata) == (f"{name}\n", {"author": name})


@pytest.mark.parametrize(
    "data",
    [
        owner_file("Ann", "word") + b"\0",
        owner_file("Ann", "word").replace(b"A\0n\0n\0", b"B\0o\0b\0"),
        owner_file("Ann", "word").replace(b"A\0n\0n\0", b"\1\0\2\0\3\0"),
        owner_file("", "word"),
        b"a line of text\n" * 11,
        ("1" + "a" * 26 + " " + "ä" * 53).encode("utf-16-le"),
    ],
)
def test_other_bytes_of_about_that_size_are_no_lock_file(data: bytes) -> None:
    assert _type(data) != _OWNER


def test_a_lock_file_has_the_name_of_its_document_and_is_no_mismatch() -> None:
    assert all(_OWNER in expected_types(f"~$lease.{end}") for end in ("doc", "docx", "xlsx", "xlsb", "ppt", "pptx"))
