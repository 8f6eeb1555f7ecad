"""The lint finds each planted defect by row and column, nothing in a sound volume, and changes nothing."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.load_file_volume import COLUMN, TIFF, MadeVolume, sound_volume

from redwell.core.loadfiles.rules import RULES, Finding
from redwell.runtime.loadfiles.linting import VolumeLint, volumes
from redwell.runtime.loadfiles.opened import Given

pytestmark = pytest.mark.requirement("A13")

DAT, OPT = "VOL001.dat", "VOL001.opt"
Damage = Callable[[MadeVolume], object]


def lint(path: Path, given: Given | None = None) -> list[Finding]:
    return [finding for files in volumes([path]) for finding in VolumeLint(files, given or Given())]


def setting(row: int, name: str, value: str) -> Damage:
    return lambda volume: volume.set(row, name, value)


def page(row: int, text: str) -> Damage:
    return lambda volume: volume.pages.__setitem__(row - 1, text)


def raw(before: str, after: str | bytes) -> Damage:
    made = after if isinstance(after, bytes) else after.encode()
    return lambda volume: volume.raw.__setitem__(before.encode(), made)


def file(name: str, content: bytes | None) -> Damage:
    def damage(volume: MadeVolume) -> None:
        if content is None:
            del volume.files[name]
        else:
            volume.files[name] = content

    return damage


def both(*damages: Damage) -> Damage:
    return lambda volume: [damage(volume) for damage in damages]


# what is done to the volume, and what has to be told: code, file, row, column
DEFECTS: list[tuple[Damage, str, str, int, int]] = [
    (raw("Lee, Ann", b"L\xe9e, Ann"), "encoding-mixed", DAT, 2, COLUMN["CUSTODIAN"]),
    (raw("Lee, Ann", "MÃ¼ller"), "encoding-misread", DAT, 2, COLUMN["CUSTODIAN"]),
    (raw("þNATIVES\\A001.docþ\r\n", "þNATIVES\\A001.docþ\n"), "line-ends-mixed", DAT, 0, 0),
    (raw("þNATIVES\\A004.docþ\r\n", "þNATIVES\\A004.docþ"), "no-final-newline", DAT, 4, 0),
    (raw("þNATIVES\\A001.docþ\r\n", "þNATIVES\\A001.docþ\r\n\r\n"), "blank-line", DAT, 2, 0),
    (lambda volume: volume.header.__setitem__(8, ""), "header-blank", DAT, 1, 9),
    (lambda volume: volume.header.__setitem__(8, "PGCOUNT"), "header-repeated", DAT, 1, 10),
    (lambda volume: volume.header.__setitem__(0, "THING"), "no-id-column", DAT, 1, 0),
    (lambda volume: volume.rows.clear(), "no-records", DAT, 0, 0),
    (lambda volume: volume.rows[1].append("more"), "field-count", DAT, 3, 18),
    (lambda volume: volume.rows[1].pop(), "field-count", DAT, 3, 17),
    (raw("þLee, Annþ", "þLee, Ann"), "qualifier-open", DAT, 2, COLUMN["CUSTODIAN"]),
    (raw("þLee, Annþ", "þLee þ Annþ"), "qualifier-inside", DAT, 2, COLUMN["CUSTODIAN"]),
    (setting(3, "CUSTODIAN", "Lee\0Ann"), "control-character", DAT, 3, COLUMN["CUSTODIAN"]),
    (setting(3, "CUSTODIAN", "L" * 40_000), "value-too-long", DAT, 3, COLUMN["CUSTODIAN"]),
    (both(setting(3, "BEGBATES", ""), setting(3, "ENDBATES", "")), "id-missing", DAT, 3, COLUMN["BEGBATES"]),
    (setting(4, "BEGBATES", "A003"), "id-duplicate", DAT, 4, COLUMN["BEGBATES"]),
    (setting(4, "BEGBATES", "A 004"), "id-blanks", DAT, 4, COLUMN["BEGBATES"]),
    (setting(4, "ENDBATES", "last"), "number-without-digits", DAT, 4, COLUMN["ENDBATES"]),
    (setting(4, "ENDBATES", ""), "range-half", DAT, 4, COLUMN["ENDBATES"]),
    (setting(4, "ENDBATES", "A002"), "range-reversed", DAT, 4, COLUMN["ENDBATES"]),
    (setting(4, "ENDBATES", "B006"), "range-series", DAT, 4, COLUMN["ENDBATES"]),
    (setting(2, "ENDBATES", "A003"), "range-overlap", DAT, 3, COLUMN["BEGBATES"]),
    (setting(4, "BEGBATES", "A005"), "range-gap", DAT, 4, COLUMN["BEGBATES"]),
    (setting(4, "BEGBATES", "A0004"), "range-padding", DAT, 4, COLUMN["BEGBATES"]),
    (setting(2, "PGCOUNT", "9"), "page-count-range", DAT, 2, COLUMN["PGCOUNT"]),
    (setting(3, "DATESENT", "02/30/2001"), "date-invalid", DAT, 3, COLUMN["DATESENT"]),
    (setting(3, "DATESENT", "21/05/2001"), "date-order-mixed", DAT, 3, COLUMN["DATESENT"]),
    (
        both(*(setting(row, "DATESENT", "05/06/2001") for row in (2, 3, 4))),
        "date-order-assumed",
        *(DAT, 2, COLUMN["DATESENT"]),
    ),
    (setting(3, "DATESENT", "05/21/0201"), "date-implausible", DAT, 3, COLUMN["DATESENT"]),
    (setting(3, "TIMESENT", "25:61"), "time-invalid", DAT, 3, COLUMN["TIMESENT"]),
    (setting(3, "FILESIZE", "7 KB"), "number-invalid", DAT, 3, COLUMN["FILESIZE"]),
    (setting(3, "MD5HASH", "abc"), "hash-invalid", DAT, 3, COLUMN["MD5HASH"]),
    (setting(3, "PARENTID", "A999"), "parent-unknown", DAT, 3, COLUMN["PARENTID"]),
    (setting(3, "PARENTID", "A003"), "parent-self", DAT, 3, COLUMN["PARENTID"]),
    (setting(2, "PARENTID", "A003"), "parent-loop", DAT, 2, COLUMN["PARENTID"]),
    (setting(3, "ENDATTACH", ""), "family-half", DAT, 3, COLUMN["ENDATTACH"]),
    (setting(4, "ENDATTACH", "A001"), "family-reversed", DAT, 4, COLUMN["ENDATTACH"]),
    (both(setting(4, "BEGATTACH", "A007"), setting(4, "ENDATTACH", "A009")), "family-outside", DAT, 4, 3),
    (setting(3, "ENDATTACH", "A004"), "family-unequal", DAT, 3, COLUMN["ENDATTACH"]),
    (setting(4, "BEGATTACH", "A003"), "family-overlap", DAT, 4, COLUMN["BEGATTACH"]),
    (setting(4, "ENDATTACH", "A009"), "family-incomplete", DAT, 4, COLUMN["BEGATTACH"]),
    (setting(4, "ATTACHRANGE", "A004 - A005"), "family-range-differs", DAT, 4, COLUMN["ATTACHRANGE"]),
    (setting(2, "ATTACHIDS", "A003;A099"), "attachment-unknown", DAT, 2, COLUMN["ATTACHIDS"]),
    (setting(2, "ATTACHIDS", "A003;A004"), "attachment-one-sided", DAT, 2, COLUMN["ATTACHIDS"]),
    (setting(2, "ATTACHCOUNT", "4"), "attachment-count", DAT, 2, COLUMN["ATTACHCOUNT"]),
    (file("TEXT/A003.txt", None), "file-missing", DAT, 3, COLUMN["TEXTPATH"]),
    (setting(3, "TEXTPATH", "..\\..\\etc\\passwd"), "file-outside", DAT, 3, COLUMN["TEXTPATH"]),
    (setting(3, "TEXTPATH", "PROD9\\TEXT\\A003.txt"), "path-shortened", DAT, 3, COLUMN["TEXTPATH"]),
    (setting(3, "TEXTPATH", "D:\\out\\TEXT\\A003.txt"), "path-absolute", DAT, 3, COLUMN["TEXTPATH"]),
    (setting(3, "TEXTPATH", "text\\a003.TXT"), "file-case", DAT, 3, COLUMN["TEXTPATH"]),
    (file("TEXT/A003.txt", b""), "file-empty", DAT, 3, COLUMN["TEXTPATH"]),
    (file("IMAGES/001/A003.TIF", b"text"), "file-kind", OPT, 3, 3),
    (setting(3, "TEXTPATH", "TEXT\\A001.txt"), "file-twice", DAT, 3, COLUMN["TEXTPATH"]),
    (file("TEXT/stray.txt", b"x"), "file-unnamed", "TEXT/stray.txt", 0, 0),
    (setting(3, "WITHHELD", "Y"), "text-of-withheld", DAT, 3, COLUMN["TEXTPATH"]),
    (page(2, "A002,VOL001,IMAGES\\001\\A002.TIF,,"), "page-columns", OPT, 2, 5),
    (page(2, "A002,VOL001,IMAGES\\001\\A002.TIF,X,,,"), "page-break", OPT, 2, 4),
    (page(1, "A001,VOL001,IMAGES\\001\\A001.TIF,Y,,,two"), "page-count-no-number", OPT, 1, 7),
    (page(2, "A002,VOL001,IMAGES\\001\\A002.TIF,,,,1"), "page-count-misplaced", OPT, 2, 7),
    (page(1, "A001,VOL001,IMAGES\\001\\A001.TIF,,,,"), "page-first-no-break", OPT, 1, 4),
    (page(2, ",VOL001,IMAGES\\001\\A002.TIF,,,,"), "page-key-missing", OPT, 2, 1),
    (page(2, "A001,VOL001,IMAGES\\001\\A002.TIF,,,,"), "page-duplicate", OPT, 2, 1),
    (page(1, "A001,VOL001,IMAGES\\001\\A001.TIF,Y,,,5"), "page-total", OPT, 1, 7),
    (page(5, "A009,VOL001,IMAGES\\001\\A005.TIF,,,,"), "page-number-broken", OPT, 5, 1),
    (page(3, "Z003,VOL001,IMAGES\\001\\A003.TIF,Y,,,1"), "page-unknown-document", OPT, 3, 1),
    (page(3, "Z003,VOL001,IMAGES\\001\\A003.TIF,Y,,,1"), "document-without-pages", DAT, 3, COLUMN["BEGBATES"]),
    (lambda volume: volume.pages.pop(), "page-count-differs", DAT, 4, COLUMN["PGCOUNT"]),
]


def test_nothing_is_wrong_with_a_sound_volume(tmp_path: Path) -> None:
    assert lint(sound_volume(tmp_path / "VOL001").write()) == []


@pytest.mark.parametrize(("damage", "code", "name", "row", "column"), DEFECTS, ids=[each[1] for each in DEFECTS])
def test_a_planted_defect_is_found_where_it_is(
    tmp_path: Path, damage: Damage, code: str, name: str, row: int, column: int
) -> None:
    volume = sound_volume(tmp_path / "VOL001")
    damage(volume)
    found = {(each.code, each.file, each.row, each.column) for each in lint(volume.write())}
    assert (code, name, row, column) in found


def test_at_least_forty_defects_are_planted_and_the_others_have_tests_of_their_own() -> None:
    planted = {code for _, code, *_ in DEFECTS}
    assert len(planted) >= 40
    assert set(RULES) - planted == {"no-header", "file-link", "file-inline", "token-not-closed", "xml-invalid"}


def test_a_file_without_a_header_is_told_and_may_be_mapped_by_position(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A0001,Ann,x@y.z\r\nA0002,Ann,x@y.z\r\n", newline="")
    assert {"no-header", "no-id-column"} <= {each.code for each in lint(path)}
    mapping: dict[str, object] = {"columns": {"column 1": "docid"}}
    assert {each.code for each in VolumeLint([path], Given(), mapping)} == {"no-header"}


def test_a_link_is_named_and_not_followed(tmp_path: Path) -> None:
    volume = sound_volume(tmp_path / "VOL001")
    path = volume.write()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "VOL001/TEXT/A003.txt").unlink()
    (tmp_path / "VOL001/TEXT/A003.txt").symlink_to(tmp_path / "secret.txt")
    assert [(each.code, each.row) for each in lint(path)] == [("file-link", 3)]


def test_dii_and_edrm_are_looked_at_too(tmp_path: Path) -> None:
    path = tmp_path / "x.dii"
    path.write_text("@T A1\n@PARENTID Z9\n@EMAIL-BODY\nlost\n")
    assert {("parent-unknown", 1), ("token-not-closed", 1)} <= {(each.code, each.row) for each in lint(path)}
    xml = tmp_path / "x.xml"
    xml.write_text('<Root><Batch><Documents><Document DocID="A1"></Documents>')
    assert [each.code for each in lint(xml)][:1] == ["xml-invalid"]
    xml.write_text('<!DOCTYPE x [<!ENTITY a "b">]><Root/>')
    assert "entities" in lint(xml)[0].detail
    xml.write_text(
        '<Root><Batch><Documents><Document DocID="A1"><Files><File FileType="Native"><ExternalFile FileName="A1.doc"/>'
        '</File></Files><Tags><Tag TagName="#DateSent" TagValue="never"/></Tags></Document></Documents><Relationships>'
        '<Relationship ParentDocID="Z9" ChildDocID="A1"/></Relationships></Batch></Root>'
    )
    assert {"date-invalid", "parent-unknown", "file-missing"} <= {each.code for each in lint(xml)}


def test_the_lint_touches_nothing(tmp_path: Path) -> None:
    path = sound_volume(tmp_path / "VOL001").write()
    before = {str(each): each.stat().st_mtime_ns for each in tmp_path.rglob("*")}
    lint(path)
    assert {str(each): each.stat().st_mtime_ns for each in tmp_path.rglob("*")} == before


def test_an_lfp_is_checked_like_an_opticon_file(tmp_path: Path) -> None:
    path = tmp_path / "x.lfp"
    path.write_text("IM,A001,D,0,@V;IMG;A001.TIF;2\r\nIM,A003,,0,@V;IMG;A003.TIF;2\r\n", newline="")
    os.mkdir(tmp_path / "IMG")
    (tmp_path / "IMG" / "A001.TIF").write_bytes(TIFF)
    assert {(each.code, each.row) for each in lint(path)} == {("page-number-broken", 2), ("file-missing", 2)}


@given(
    damage=st.lists(st.tuples(st.integers(0, 1_200), st.integers(0, 40), st.binary(max_size=6)), min_size=1, max_size=6)
)
@settings(max_examples=30, deadline=None)
def test_no_damage_to_its_bytes_ends_the_lint(damage: list[tuple[int, int, bytes]]) -> None:
    with TemporaryDirectory() as folder:
        path = sound_volume(Path(folder) / "VOL001").write()
        data = path.read_bytes()
        for at, length, instead in damage:
            data = data[:at] + instead + data[at + length :]
        path.write_bytes(data)
        assert all(finding.code in RULES for finding in lint(path))
