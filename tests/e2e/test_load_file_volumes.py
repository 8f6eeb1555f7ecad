"""A volume with load files is imported whole: records with what was given, families, figures; killed, and once more."""

import hashlib
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.support import postgres
from tests.support.load_file_volume import MadeVolume, sound_volume
from tests.support.product import ask, normal_form, redwell, start, verified

from redwell.core.exit_codes import ExitCode
from redwell.core.outcomes import Code

pytestmark = [pytest.mark.requirement("A13", "A6"), pytest.mark.xdist_group("load-file-volumes")]
CASE = "volume"


def picture(text: str) -> bytes:
    made = io.BytesIO()
    Image.new("1", (300 + len(text), 200), 1).save(made, "TIFF", compression="group4")
    return made.getvalue()


def volume(root: Path) -> MadeVolume:
    """A mail with an attachment, a letter; the letter's native is not there, and one file is named by nobody."""
    made = sound_volume(root)
    for name in made.files:
        number = name.rpartition("/")[2][:4]
        made.files[name] = picture(number) if name.endswith(".TIF") else f"the words of {number}".encode()
    made.set(2, "TEXTPATH", "..\\..\\TEXT\\A001.txt")  # leads out of the volume
    made.header[0], made.header[14] = "BegDoc #", "Review Status"
    made.rows[2][14] = "Hot"
    made.header.append("Tags")
    for row, tags in zip(made.rows, ("", "Hot", "hot; To  discuss"), strict=True):
        row.append(tags)
    del made.files["NATIVES/A004.doc"]
    made.files["NATIVES/extra.txt"] = b"named by no row"
    return made


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("volume")
    root, home = folder / "VOL001", folder / "home"
    volume(root).write()
    run = redwell(home, "import", "--type", "loadfile", str(root), "--case", CASE, "--json")
    assert run.returncode == 0, run.stderr
    return home, root, json.loads(run.stdout)


def rows(home: Path, case: str = CASE) -> dict[str, dict[str, Any]]:
    run = ask(home, "documents", "--case", case, "--json", "--text")
    found = map(json.loads, run.stdout.splitlines())
    return {each["metadata"].get("record_id") or each["name"]: each for each in found}


def test_each_row_is_an_exhibit_with_what_was_given(imported: tuple[Path, Path, dict[str, Any]]) -> None:
    home, _, account = imported
    found = rows(home)
    assert account["balanced"]
    [figures] = account["volumes"]
    assert (figures["rows"], figures["records"], figures["rows_lost"]) == (3, 3, 0)
    assert (figures["files"], figures["load_files"], figures["files_named"]) == (14, 2, 10)
    assert (figures["files_not_named"], figures["paths_missing"]) == (2, 2)
    assert found["A003"]["parent"] == found["A001"]["id"]
    assert found["A001"]["parent"] == found["VOL001"]["id"]
    assert found["A003"]["text"] == "the words of A003"
    assert found["A003"]["metadata"]["bates"] == "A003"
    assert found["A004"]["metadata"]["bates"] == "A004 - A006"
    assert {each["custodian"] for each in found.values()} == {"Lee, Ann", None}
    assert found["A004"]["pages"] == 3


@pytest.mark.requirement("D3")
def test_tags_of_a_volume_are_set_on_its_records(imported: tuple[Path, Path, dict[str, Any]]) -> None:
    home, *_ = imported
    [database] = home.glob("cases/*/*.sqlite")
    query = "SELECT t.name, g.exhibit FROM tagging g JOIN tag t ON t.id = g.tag WHERE g.who = 'import'"
    record_of = {row["id"]: record for record, row in rows(home).items()}
    with closing(sqlite3.connect(database)) as case:
        found = sorted((name.lower(), record_of[exhibit]) for name, exhibit in case.execute(query))
        names = {name for (name,) in case.execute("SELECT name FROM tag")}
    assert found == [("hot", "A003"), ("hot", "A004"), ("to discuss", "A004")]
    assert names in ({"Hot", "To discuss"}, {"hot", "To discuss"})  # as the record writes it that is loaded first


def test_what_is_missing_is_named_on_its_record_and_what_nobody_names_is_an_exhibit(
    imported: tuple[Path, Path, dict[str, Any]],
) -> None:
    found = rows(imported[0])
    told = {name: [problem["detail"] for problem in found[name]["problems"]] for name in ("A001", "A003", "A004")}
    assert told["A001"] == ["its text ..\\..\\TEXT\\A001.txt: not in the volume"]
    assert told["A003"] == []
    assert told["A004"] == ["its native NATIVES\\A004.doc: not in the volume"]
    assert found["A001"]["text"] == "the words of A001"  # of its native, since no text was given
    assert found["extra.txt"]["metadata"]["volume_path"] == "NATIVES/extra.txt"
    assert found["extra.txt"]["text"] == "named by no row"
    verified(imported[0], CASE)


def test_given_files_are_handed_out_as_they_came(imported: tuple[Path, Path, dict[str, Any]], tmp_path: Path) -> None:
    home, root, _ = imported
    found = rows(home)
    for options, path in (
        ((found["A003"]["control_number"], "--native"), "NATIVES/A003.doc"),
        ((found["A004"]["control_number"], "--page", "2"), "IMAGES/001/A005.TIF"),
        ((found["VOL001"]["control_number"], "--file", "DATA\\VOL001.dat"), "DATA/VOL001.dat"),
    ):
        target = tmp_path / path.replace("/", "-")
        assert ask(home, "get", "--case", CASE, *options, "-o", str(target)).returncode == 0
        assert target.read_bytes() == (root / path).read_bytes()
    pdf = tmp_path / "pages.pdf"
    assert (
        redwell(home, "get", "--case", CASE, found["A004"]["control_number"], "--pdf", "-o", str(pdf)).returncode == 0
    )
    import pikepdf

    with pikepdf.open(pdf) as pages:
        assert len(pages.pages) == 3
    normalised = tmp_path / "normalised.dat"
    options = (found["VOL001"]["control_number"], "--loadfile", "-o", str(normalised))
    assert ask(home, "get", "--case", CASE, *options).returncode == 0
    lines = normalised.read_text("utf-8-sig").splitlines()
    assert len(lines) == 4
    assert lines[0].split("\x14")[:2] == ["þdocidþ", "þparentidþ"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("bates:A003", {"A003"}),
        ("meta.review_status:hot", {"A004"}),
        ('custodian:"Lee, Ann"', {"A001", "A003", "A004"}),
        ("words A003", {"A003"}),
        ("kind:delivery", {"VOL001"}),
    ],
)
def test_records_are_found_by_text_and_fields(
    query: str, names: set[str], imported: tuple[Path, Path, dict[str, Any]]
) -> None:
    run = ask(imported[0], "search", "--case", CASE, query, "--json")
    hits = {hit["control_number"] for line in run.stdout.splitlines() if "control_number" in (hit := json.loads(line))}
    found = rows(imported[0])
    assert hits == {found[name]["control_number"] for name in names}


def test_a_second_import_of_the_same_volume_does_nothing(imported: tuple[Path, Path, dict[str, Any]]) -> None:
    home, root, account = imported
    run = ask(home, "import", "--type", "loadfile", str(root), "--case", CASE, "--json")
    assert run.returncode == 0, run.stderr
    again = json.loads(run.stdout)
    assert (again["batch"], again["documents"]) == (account["batch"], account["documents"])


def test_a_mapping_that_fits_no_load_file_is_refused_before_anything_is_imported(
    imported: tuple[Path, Path, dict[str, Any]], tmp_path: Path
) -> None:
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[columns]\n"no such column" = "docid"\n')
    options = ("--case", "other", "--mapping", str(mapping))
    run = ask(imported[0], "import", "--type", "loadfile", str(imported[1]), *options)
    assert run.returncode == ExitCode.USAGE
    assert "fits no load file" in run.stderr


def test_an_import_of_files_says_how_to_import_the_volume(tmp_path: Path) -> None:
    dat = sound_volume(tmp_path / "VOL001").write()
    run = redwell(tmp_path / "home", "import", str(dat), "--case", CASE)
    assert run.returncode == 0, run.stderr
    [row] = rows(tmp_path / "home").values()
    assert [problem["code"] for problem in row["problems"]] == [Code.LOADFILE_AS_TEXT]
    assert "--type loadfile" in row["problems"][0]["detail"]


def large_volume(root: Path) -> None:
    made = MadeVolume(root, ["DOCID", "PARENTID", "TEXTPATH"])
    for number in range(400):
        parent = f"D{number - 1:04}" if number % 4 == 3 else ""
        made.rows.append([f"D{number:04}", parent, f"TEXT\\{number}.txt"])
        made.files[f"TEXT/{number}.txt"] = b"text %d" % number
    made.write()


@pytest.mark.requirement("A13")
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_an_import_that_is_killed_and_gone_on_with_by_two_ends_as_an_undisturbed_one(
    database: str, tmp_path: Path
) -> None:
    root, home, clean = tmp_path / "VOL001", tmp_path / "home", tmp_path / "clean"
    large_volume(root)
    env = {"REDWELL_DATABASE": postgres.server().url} if database == "postgres" else {}
    command = ("import", "--type", "loadfile", str(root), "--case", CASE, "--set", "chunk=10")
    for trip in ("read.volume.after_chunk:2", "read.before_commit", "record.after_commit"):
        killed = redwell(home, *command, **env, REDWELL_TRIP=trip)
        assert killed.returncode < 0
    process = start(home, *command, **env)
    run = redwell(home, *command, **env)
    process.communicate(timeout=120)
    assert (run.returncode, process.returncode) == (0, 0), run.stderr
    assert redwell(clean, *command).returncode == 0
    assert normal_form(home, CASE, **env) == normal_form(clean, CASE)


def test_an_overlay_changes_fields_by_id_is_found_and_undone(
    imported: tuple[Path, Path, dict[str, Any]], tmp_path: Path
) -> None:
    home, _, _ = imported
    file = tmp_path / "coding.dat"
    lines = ("þDOCIDþ\x14þCUSTODIANþ\x14þIssueþ", "þa003þ\x14þRoe, Janeþ\x14þquorumþ", "þX9þ\x14þþ\x14þþ")
    file.write_bytes("".join(f"{line}\r\n" for line in lines).encode())
    run = redwell(home, "import", "--type", "loadfile", str(file), "--case", CASE, "--overlay", "--json")
    *changes, refused, account = map(json.loads, run.stdout.splitlines())
    assert run.returncode == ExitCode.DEFECTS, run.stderr
    assert [(each["field"], each["before"], each["after"]) for each in changes] == [
        ("custodian", "Lee, Ann", "Roe, Jane"),
        ("issue", None, "quorum"),
    ]
    assert (refused["id"], account["documents"], account["values"]) == ("X9", 1, 2)
    assert rows(home)["A003"]["custodian"] == "Roe, Jane"
    assert "1 hit" in ask(home, "search", "--case", CASE, "meta.issue:quorum custodian:roe").stderr
    verified(home, CASE)
    assert redwell(home, "overlay", "undo", "--case", CASE, str(account["overlay"])).returncode == 0
    assert rows(home)["A003"]["custodian"] == "Lee, Ann"
    assert "0 hits" in ask(home, "search", "--case", CASE, "custodian:roe").stderr


def test_natives_that_came_go_out_again_with_their_own_family(
    imported: tuple[Path, Path, dict[str, Any]], tmp_path: Path
) -> None:
    home, root, _ = imported
    query, out = ("--query", "meta.record_id:A003"), tmp_path / "out"
    assert ask(home, "export", "--case", CASE, *query, "-o", str(tmp_path / "e")).returncode == 0
    exported = [path.read_bytes() for path in (tmp_path / "e" / "natives").rglob("*") if path.is_file()]
    assert exported == [(root / "NATIVES/A003.doc").read_bytes()]
    named = ("--name", "P", "--prefix", "NEW", "--natives", "all")
    made = redwell(home, "production", "create", "--case", CASE, *query, *named, "--json")
    account = json.loads(made.stdout.splitlines()[-1])
    assert (account["documents"], account["pages"]) == (2, 3), made.stderr  # the mail and what is attached to it
    accept = ("--accept", "not-whole")
    run = redwell(home, "production", "write", "--case", CASE, "P", "-o", str(out), *accept)
    assert run.returncode == 0, run.stderr
    natives = {path.name: path.read_bytes() for path in (out / "VOL001/NATIVES").rglob("*.doc")}
    assert natives == {"NEW000001.doc": b"the words of A001", "NEW000003.doc": b"the words of A003"}
    dat = (out / "VOL001/DATA/VOL001.dat").read_text("utf-8-sig")
    assert hashlib.sha256(b"the words of A003").hexdigest() in dat
