"""`redwell loadfile lint` and `map` as a person calls them."""

import csv
import io
import json
import tomllib
from pathlib import Path

import pytest
from tests.support.load_file_volume import sound_volume

from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.main import main

pytestmark = pytest.mark.requirement("A13")


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    volume = sound_volume(tmp_path / "VOL001")
    volume.set(3, "PARENTID", "A999")
    volume.set(4, "CUSTODIAN", "=cmd()\x1b[2J" + "\0")
    return volume.write()


def test_a_sound_volume_is_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound_volume(tmp_path / "VOL001").write()
    assert main(["loadfile", "lint", str(tmp_path / "VOL001")]) == ExitCode.OK
    out = capsys.readouterr().out
    assert "nothing is wrong with it" in out
    assert "separator DC4 (U+0014) (it stands behind the first value, which þ encloses)" in out
    assert "encoding utf-8 (its byte order mark says so)" in out


def test_an_error_is_told_with_its_place_and_ends_in_a_code_of_its_own(
    damaged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["loadfile", "lint", str(damaged)]) == ExitCode.DEFECTS
    out = capsys.readouterr().out
    assert "error: VOL001.dat, row 3, column 6 (PARENTID): the parent is in no row: “A999” [parent-unknown]" in out
    assert "\x1b" not in out


def test_warnings_alone_are_no_reason_to_fail(tmp_path: Path) -> None:
    volume = sound_volume(tmp_path / "VOL001")
    volume.files["stray.txt"] = b"x"
    assert main(["loadfile", "lint", str(volume.write())]) == ExitCode.OK


def test_findings_can_be_had_as_json(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["loadfile", "lint", "--json", str(damaged)])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = next(row for row in rows if row.get("code") == "parent-unknown")
    assert (found["severity"], found["row"], found["column"], found["value"]) == ("error", 3, 6, "A999")
    assert found["remedy"]
    described = next(row for row in rows if "load_files" in row)["load_files"]
    assert [(each["kind"], each.get("records"), each.get("pages")) for each in described] == [
        ("delimited", 3, None),
        ("opticon", None, 6),
    ]
    assert rows[-1]["errors"] >= 1


def test_paths_and_files_balance(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (damaged.parents[1] / "TEXT/A003.txt").unlink()
    (damaged.parents[1] / "TEXT/stray.txt").write_text("x")
    main(["loadfile", "lint", str(damaged)])
    told = "paths that rows name: 12 = 11 found + 1 not found; files of the volume: 12 = 11 named + 1 not named"
    assert told in capsys.readouterr().out


def test_a_table_of_findings_holds_no_formulas(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["loadfile", "lint", "--csv", str(damaged)])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["value"][:2] for row in rows if row["code"] == "control-character"] == ["'="]


def test_many_findings_of_a_kind_are_summed_up_unless_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("DOCID,NATIVEPATH\n" + "".join(f"A{n},n/{n}.doc\n" for n in range(50)))
    main(["loadfile", "lint", str(path)])
    assert "file-missing: 30 more; --all shows them" in capsys.readouterr().out
    main(["loadfile", "lint", "--all", str(path)])
    assert capsys.readouterr().out.count("[file-missing]") == 50


def test_a_mapping_is_written_edited_and_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Thing,Custodian\nA1,Ann\nA1,Ann\n")
    mapping = tmp_path / "mapping.toml"
    assert main(["loadfile", "map", str(path), "-o", str(mapping)]) == ExitCode.OK
    assert tomllib.loads(mapping.read_text()) == {"columns": {"Thing": "", "Custodian": "custodian"}}
    assert main(["loadfile", "map", str(path), "-o", str(mapping)]) == ExitCode.USAGE
    mapping.write_text(mapping.read_text().replace('"Thing" = ""', '"Thing" = "docid"'))
    capsys.readouterr()
    main(["loadfile", "lint", "--mapping", str(mapping), str(path)])
    assert "row 3, column 1 (Thing): another row has the same id: “A1” (row 2)" in capsys.readouterr().out


def test_a_mapping_is_printed_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.csv"
    path.write_text("BEGDOC,Odd\nA1,Ann\n")
    main(["loadfile", "map", "--json", str(path)])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["name"], row["field"]) for row in rows] == [("BEGDOC", "begbates"), ("Odd", "")]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere.dat"], ExitCode.NOT_FOUND, "no file or folder"),
        (["--encoding", "klingon", "x.csv"], ExitCode.USAGE, "no encoding"),
        (["--separator", "ab", "x.csv"], ExitCode.USAGE, "more than one sign"),
        (["--qualifier", "U+zz", "x.csv"], ExitCode.USAGE, "no code point"),
        (["--mapping", "none.toml", "x.csv"], ExitCode.NOT_FOUND, "no mapping"),
        (["--mapping", "x.csv", "x.csv"], ExitCode.USAGE, "is no mapping"),
        (["."], ExitCode.OK, ""),
        (["empty"], ExitCode.NOT_FOUND, "no load file at its top"),
    ],
)
def test_what_is_wrong_with_the_question_is_said(
    arguments: list[str],
    code: ExitCode,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("DOCID,CUSTODIAN\nA1,Ann\n")
    Path("empty").mkdir()
    assert main(["loadfile", "lint", *arguments]) == code
    assert words in capsys.readouterr().err


def test_signs_and_encoding_may_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.dat"
    path.write_bytes("DOCID~CUSTODIAN\r\nA1~'Lée~Ann'\r\n".encode("latin-1"))
    options = ["--encoding", "latin-1", "--separator", "~", "--qualifier", "U+0027", "--header", "yes"]
    assert main(["loadfile", "lint", *options, str(path)]) == ExitCode.OK
    assert "separator ~ (given)" in capsys.readouterr().out
