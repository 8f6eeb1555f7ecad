"""What goes out of a case: exports and productions, from the command line, with real children and files."""

import csv
import hashlib
import json
import os
import shutil
import signal
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from tests.support.product import ask, redwell
from tests.support.production_evidence import SECRET, leaking_mail, write_evidence

from redwell.core.review.values import Coding
from redwell.runtime.bootstrap.open_productions import stores_of
from redwell.runtime.bootstrap.open_reader import open_reader
from redwell.runtime.bootstrap.settings import load_settings

CASE = ("--case", "c")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("produced")
    evidence = write_evidence(folder / "in")
    run = redwell(folder / "home", "import", str(evidence), *CASE, "--custodian", "Lee, Ann", REDWELL_OCR="auto")
    assert run.returncode == 0, run.stderr
    return folder / "home"


def done(home: Path, *args: str, **env: Any) -> dict[str, Any]:
    run = redwell(home, *args, *CASE, "--json", **env)
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return answer


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def checked(folder: Path, manifest: str = "manifest.sha256") -> None:
    subprocess.run(["sha256sum", "-c", "--quiet", manifest], cwd=folder, check=True)


def test_an_export_has_natives_texts_and_a_table_and_goes_on_after_a_kill(home: Path, tmp_path: Path) -> None:
    out, killed = tmp_path / "out", tmp_path / "killed"
    assert ask(home, "export", *CASE, "--query", "", "-o", str(out)).returncode == 0
    checked(out)
    table = list(csv.DictReader((out / "metadata.csv").read_text("utf-8-sig").splitlines()))
    sheet = next(row for row in table if row["kind"] == "spreadsheet")
    assert (sheet["name"], sheet["native"]) == ("'=prices.xlsx", "natives/mail/papers.eml_members/=prices.xlsx")
    assert {row["native"] for row in table} | {row["text"] for row in table} <= set(files_in(out))
    for point in ("produce.before_link:1", "produce.before_link:4"):
        run = redwell(home, "export", *CASE, "--query", "", "-o", str(killed), REDWELL_TRIP=point)
        assert run.returncode == -signal.SIGKILL
        assert not (killed / "manifest.sha256").exists()
    assert ask(home, "export", *CASE, "--query", "", "-o", str(killed)).returncode == 0
    assert files_in(killed) == files_in(out)
    again = ask(home, "export", *CASE, "--query", "", "-o", str(out))
    assert again.returncode == 2 and "finished export" in again.stderr


def tagged(home: Path, name: str, control: str) -> None:
    settings = load_settings([])
    with open_reader(home, "c", settings) as case:
        [exhibit] = case.rows.numbered([control]).values()
    productions, review = stores_of(home, "c", settings)
    with closing(productions), closing(review):
        tag = review.add_tag(name, "ada")
        review.code(Coding(who="ada", tag=tag.id, on=True, exhibits=(exhibit.id,)))


def records(volume: Path) -> dict[str, dict[str, str]]:
    """By a reader that is not ours."""
    with open(volume / "DATA" / "VOL001.dat", encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\x14", quotechar="þ")
    assert {len(row) for row in rows} == {len(header)}
    return {row[0]: dict(zip(header, row, strict=True)) for row in rows}


@pytest.mark.requirement("D13")
def test_a_volume_that_was_killed_is_gone_on_with_and_is_the_same_byte_for_byte(home: Path, tmp_path: Path) -> None:
    tagged(home, "Privileged", "RW00000002")
    done(
        *(home, "production", "create", "--query", "", "--name", "First", "--prefix", "ABC"),
        *("--withhold", "privileged", "--designation", "CONFIDENTIAL"),
    )
    write = ("production", "write", *CASE, "First", "-o")
    for point in ("production.before_journal:3", "production.before_rename"):
        run = redwell(home, *write, str(tmp_path / "killed"), REDWELL_TRIP=point)
        assert run.returncode == -signal.SIGKILL
        assert not (tmp_path / "killed").exists()
    run = redwell(home, *write, str(tmp_path / "killed"), REDWELL_TRIP="production.after_rename")
    assert run.returncode == -signal.SIGKILL and (tmp_path / "killed").exists()
    assert "written" not in ask(home, "production", "list", *CASE).stdout
    for folder in ("killed", "clean"):
        run = redwell(home, *write, os.path.relpath(tmp_path / folder))
        assert run.returncode == 0, run.stderr
        assert "written" in ask(home, "production", "list", *CASE).stdout
    again = redwell(home, *write, str(tmp_path / "clean"))
    assert again.returncode == 2 and "nothing is written over" in again.stderr
    assert not (tmp_path / "clean.part").exists()
    whole = files_in(tmp_path / "clean")
    assert files_in(tmp_path / "killed") == whole
    checked(tmp_path / "clean", "MANIFEST.sha256")
    volume = tmp_path / "clean" / "VOL001"
    told = records(volume)
    mail, letter, sheet = (told[number] for number in ("ABC000001", "ABC000002", "ABC000004"))
    assert (mail["from"], mail["subject"], mail["Native File"]) == ("ann@example.org", "Papers; for the th meeting", "")
    assert (letter["parentid"], letter["pgcount"], letter["Production::End Bates"]) == ("ABC000001", "2", "ABC000003")
    assert {each["Production::Beg Attach"] for each in (mail, letter, sheet)} == {"ABC000001"}
    native = volume / sheet["Native File"].replace("\\", "/")
    assert hashlib.sha256(native.read_bytes()).hexdigest() == sheet["sha256"]
    advice = told["ABC000007"]
    assert (advice["withheld"], advice["filename"], advice["Extracted Text"]) == ("Y", "", "")
    assert b"settle" not in b"".join(whole.values())
    assert "Privileged" in whole["PRIVILEGE_LOG.csv"].decode() and "advice" not in whole["PRIVILEGE_LOG.csv"].decode()
    again = ask(home, *write, str(tmp_path / "clean"))
    assert again.returncode == 2 and "nothing is written over" in again.stderr
    linted = ask(home, "loadfile", "lint", str(volume), "--json")
    assert {json.loads(line).get("code") for line in linted.stdout.splitlines()} <= {None, "date-order-assumed"}
    comes_in_again(home, volume, tmp_path / "other")


def test_what_the_evidence_itself_has_wrong_goes_out_as_it_is_and_the_report_says_so(tmp_path: Path) -> None:
    head = ["From: ann@example.org", "To: " + ", ".join(f"reader{n}@example.org" for n in range(2_000))]
    head += ["Subject: =?utf-8?q?Vertr=C3=83=C2=A4ge_f=C3=83=C2=BCr_dich=07?=", "Date: Mon, 01 Jan 1601 00:00:00 +0000"]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "old.eml").write_text("\n".join([*head, "", "Old papers."]))
    for args in (
        ("import", str(tmp_path / "in")),
        ("production", "create", "--query", "", "--name", "Odd", "--prefix", "ODD"),
        ("production", "write", "Odd", "-o", str(tmp_path / "out")),
    ):
        run = redwell(tmp_path / "home", *args, *CASE)
        assert run.returncode == 0, run.stderr
    told = (tmp_path / "out" / "REPORT.txt").read_text()
    assert "as the evidence has it: a date before 1900 or after 2100 (1)" in " ".join(told.split())
    assert "a value longer than 32,767 characters" in " ".join(told.split())


def comes_in_again(home: Path, volume: Path, other: Path) -> None:
    """Into a new case: ids, families, fields, texts and pages are those that went out."""
    run = redwell(other, "import", "--type", "loadfile", str(volume), *CASE)
    assert run.returncode == 0, run.stderr
    went = {row["control_number"]: row for row in documents(home)}
    back = {row["metadata"]["begbates"]: row for row in documents(other) if "begbates" in row["metadata"]}
    shown = ask(home, "production", "show", *CASE, "First", "--json").stdout.splitlines()[1:]
    members = [json.loads(line) for line in shown]
    numbers = {member["exhibit"]: member["begin"] for member in members}
    ids = {row["id"]: number for number, row in back.items()}
    assert set(back) == set(numbers.values())
    for member in members:
        before, after = went[member["control"]], back[member["begin"]]
        assert ids.get(after["parent"]) == numbers.get(before["parent"]), member["control"]
        assert (after["pages"], after["custodian"]) == (member["pages"], before["custodian"])
        if member["treatment"] != "withheld":
            assert (after["name"], after["text"].strip()) == (before["name"], before["text"].strip())
            assert before["sha256"] in (after["metadata"].get("stated_sha256"), after["sha256"])
        else:
            assert after["text"] == ""


def documents(home: Path) -> list[dict[str, Any]]:
    rows = map(json.loads, ask(home, "documents", *CASE, "--json", "--text").stdout.splitlines())
    return [row for row in rows if "control_number" in row]


def test_what_is_redacted_can_be_read_nowhere_or_the_volume_does_not_go_out(home: Path, tmp_path: Path) -> None:
    boxes = tmp_path / "boxes.json"
    place = {"left": 0.1, "top": 0.17, "right": 0.9, "bottom": 0.25}
    boxes.write_text(json.dumps([{"document": "RW00000003.0001", "page": 1, "reason": "Names", **place}]))
    done(home, "redaction", "add", str(boxes))
    query = ("--query", "name:papers.eml", "--name", "Second", "--prefix", "XYZ-", "--natives", "all")
    done(home, "production", "create", *query)
    every = ("--option", "formats=dat,opt,csv,lfp,edrm", "--set", "tiff_compression=deflate")
    write = ("production", "write", *CASE, "Second", *every, "-o", str(tmp_path / "out"))
    leaking = redwell(home, *write)
    assert leaking.returncode == 2 and "'barnaby quill', hidden in RW00000003.0001" in leaking.stderr
    assert not (tmp_path / "out").exists()
    bulk = ("redaction", "bulk", "--query", "quill", "--term", SECRET, "--reason", "Names")
    assert done(home, *bulk, "--preview") == {"boxes": 2, "preview": True}
    change = done(home, *bulk)
    assert (change["boxes"], change["documents"]) == (2, 1)
    write = (*write, "--option", "images=pdf")
    shutil.rmtree(tmp_path / "out.part")
    for point in ("production.before_layer", ""):  # killed with a PDF whose words are known and not yet behind it
        run = redwell(home, *write, REDWELL_TRIP=point)
    assert run.returncode == 0, run.stderr
    everything = files_in(tmp_path / "out")
    assert not any(name in data for data in everything.values() for name in (b"Barnaby", b"Quill"))
    text = everything["VOL001/TEXT/001/XYZ-000002.txt"].decode()
    assert "Second page of the letter" in text and "REDACTED" in text
    for shown, behind in {"XYZ-000001": "find the papers", "XYZ-000002": "Second page of the letter"}.items():
        with pypdfium2.PdfDocument(everything[f"VOL001/IMAGES/001/{shown}.pdf"]) as pages:
            said = " ".join(page.get_textpage().get_text_range() for page in pages)
        assert behind in " ".join(said.split()) and shown in said and "Quill" not in said
    other = tmp_path / "other"
    table = str(tmp_path / "out" / "VOL001" / "DATA" / "VOL001.dat")
    assert redwell(other, "import", "--type", "loadfile", table, *CASE).returncode == 0
    [letter] = [row for row in documents(other) if row["metadata"].get("begbates") == "XYZ-000002"]
    assert ask(other, "get", *CASE, letter["control_number"], "--pdf", "-o", str(tmp_path / "back.pdf")).returncode == 0
    with pypdfium2.PdfDocument(tmp_path / "back.pdf") as pages:
        assert "Second page of the letter" in " ".join(pages[1].get_textpage().get_text_range().split())
    row = records(tmp_path / "out" / "VOL001")["XYZ-000002"]
    assert (row["redacted"], row["filename"], row["sha256"], row["Native File"]) == ("Y", "", "", "")
    assert [name for name in everything if "NATIVES" in name] == ["VOL001/NATIVES/001/XYZ-000004.xlsx"]
    assert done(home, "redaction", "undo", str(change["change"]))["boxes"] == 2
    assert done(home, "redaction", "list", "RW00000003.0001")["page"] == 1


def test_what_is_redacted_is_looked_for_in_every_file_and_layer_of_the_family(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "leak.eml").write_bytes(leaking_mail())
    home = tmp_path / "home"
    assert redwell(home, "import", str(tmp_path / "in"), *CASE, REDWELL_OCR="none").returncode == 0
    done(home, "redaction", "bulk", "--query", "name:letter.pdf", "--term", SECRET)
    done(home, "production", "create", "--query", "", "--name", "Leaks", "--prefix", "L", "--natives", "all")
    write = ("production", "write", *CASE, "Leaks", "-o", str(tmp_path / "out"), "--confirm-elsewhere")
    leaking = redwell(home, *write)
    assert leaking.returncode == 2 and not (tmp_path / "out").exists()
    found = {line.partition(": 'barnaby quill'")[0].strip() for line in leaking.stderr.splitlines()}
    assert found >= {
        "L000001 (load file)",  # the subject, in other letters
        "L000001 (page image)",  # which shows it
        "L000004 (page image)",  # whose text layer says something else
        "L000005 (NATIVES/001/L000005.xlsx: the file / customXml/item9.xml)",  # which no reader of sheets reads
    }, leaking.stderr
    alone = ("--query", "name:leak.eml", "--name", "Alone", "--prefix", "M", "--natives", "all", "--families", "hits")
    done(home, "production", "create", *alone)
    done(home, "production", "write", "Alone", "-o", str(tmp_path / "alone"), "--accept", "family-incomplete")
    assert not list((tmp_path / "alone").rglob("*.eml"))  # it holds the letter, which is redacted and not in the set
