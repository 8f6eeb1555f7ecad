"""Rows that were read before the files of their volume: written and read back, and what they name gets its hash."""

import pytest

from redwell.core.loadfiles.assembly import NATIVE, PAGE, TEXT, Part
from redwell.core.loadfiles.records.hashed import hashed
from redwell.core.loadfiles.records.record_document import RecordBody, RecordDocument
from redwell.core.loadfiles.records.rows_read import RowsRead, RowsSummary, lines_of
from redwell.core.loadfiles.volume_document import Told, VolumeFile, read_volume, rows_of, volume_document

pytestmark = pytest.mark.requirement("A13")
HASH = "ab" * 32
SUMMARY = RowsSummary(
    tops=1,
    figures={"volume_rows": 2},
    broken=[],
    load_files=["V.dat"],
    described=["V.dat: …"],
    named=[0],
    asked=1,
    found=1,
)


def record(
    *parts: Part, pages: list[Part] | None = None, attached: list[RecordDocument] | None = None
) -> RecordDocument:
    body = RecordBody(id="A1", file="V.dat", row=2, pages=pages or [], attached=attached or [])
    return RecordDocument(name="A1", parts=list(parts), body=body)


class Rows:
    summary = SUMMARY

    def __init__(self, *records: RecordDocument) -> None:
        self._records = records

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self._records)


def test_rows_stand_behind_the_files_of_a_volume_and_are_read_back() -> None:
    rows = Rows(record(Part(TEXT, "a.txt", "", 3)), record(attached=[record()]))
    listed = [VolumeFile("a.txt", 3, HASH)]
    lines = [*volume_document(Told(name="V"), listed).splitlines(keepends=True), b"\n", *lines_of(3, rows)]
    assert read_volume(lines)[1] == listed
    read = RowsRead(rows_of(lines))
    assert read.version == 3
    assert list(read) == list(rows)
    assert read.summary == SUMMARY


def test_a_volume_without_rows_says_so() -> None:
    lines = volume_document(Told(name="V"), [VolumeFile("a.txt", 3, HASH)]).splitlines(keepends=True)
    assert RowsRead(rows_of(lines)).version is None


def test_a_record_gets_the_hashes_of_what_it_names_and_what_is_attached_to_it_too() -> None:
    files = {path: VolumeFile(path, 9, HASH) for path in ("a.txt", "a.doc", "a.tif")}
    child = record(Part(TEXT, "a.txt", "", 0))
    found = hashed(
        record(Part(NATIVE, "a.doc", "", 0), pages=[Part(PAGE, "a.tif", "", 0, 1, "A1")], attached=[child]), files
    )
    assert found.parts == [Part(NATIVE, "a.doc", HASH, 9)]
    assert found.body.pages == [Part(PAGE, "a.tif", HASH, 9, 1, "A1")]
    assert found.body.attached[0].parts == [Part(TEXT, "a.txt", HASH, 9)]
    assert not found.body.troubles


def test_a_file_that_could_not_be_read_or_is_empty_is_told_once() -> None:
    files = {"a.pdf": VolumeFile("a.pdf", 0, "", "no right to read it"), "a.txt": VolumeFile("a.txt", 0, HASH)}
    pages = [Part(PAGE, "a.pdf", "", 0, number) for number in (1, 2)]
    found = hashed(record(Part(TEXT, "a.txt", "", 0), pages=pages), files)
    assert found.body.pages == []
    assert [detail for _, detail in found.body.troubles] == ["its page a.pdf: no right to read it"]
    assert [detail for _, detail in found.body.notes] == ["its text a.txt: the file has no bytes"]
