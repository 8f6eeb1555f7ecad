"""Looking at a case: documents, search, exceptions, report, doctor, and what the errors say."""

import csv
import io
import json
import os
import pty
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from examples.evidence.office import xlsx
from tests.support.evidence import mail, make_evidence, write_mails, zipped
from tests.support.product import ask, command, environment, redwell, start, wait_until_at_work

from redwell.core.outcomes import NOTES

pytestmark = pytest.mark.xdist_group("looking")  # at one import
FIELDS = {
    "id", "parent", "root", "path", "name", "ordinal", "depth", "control_number", "custodian", "custodians",
    "duplicate_of", "sha256", "md5", "hash_kind", "size", "media_type", "kind", "outcome", "problems", "pages",
    "text_chars", "source_dates", "metadata",
}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("looking")
    source = make_evidence(folder / "in", mails=5)
    (source / "family.eml").write_bytes(
        mail("quarterly figures", "the zinc numbers", {"notes.zip": zipped({"a.txt": b"alpha bravo", "b.txt": b"b"})})
    )
    (source / "prices.xlsx").write_bytes(xlsx([["article"], ["sprocket", 3]], title="Prices", author="Ann"))
    run = redwell(folder / "home", "import", str(source), "--case", "c", "--custodian", "Ann", faulty=True)
    assert run.returncode == 0, run.stderr
    return folder / "home"


def rows(home: Path, *args: str) -> list[dict[str, Any]]:
    run = ask(home, *args)
    assert run.returncode == 0, run.stderr
    found = (json.loads(line) for line in run.stdout.splitlines())
    return [row for row in found if "search" not in row]  # what a search says of itself comes last


def test_documents_prints_the_documented_fields_and_text_only_when_asked(home: Path) -> None:
    plain, full = (
        rows(home, "documents", "--case", "c", "--json"),
        rows(home, "documents", "--case", "c", "--json", "--text"),
    )
    assert all(set(row) >= FIELDS and "text" not in row for row in plain)
    assert all(isinstance(row["text"], str) for row in full)
    assert len(plain) == len(full)


@pytest.mark.requirement("D13")
def test_a_family_is_linked_by_parent_root_path_and_control_number(home: Path) -> None:
    found = {row["path"]: row for row in rows(home, "documents", "--case", "c", "--json")}
    top, archive = found["family.eml"], found["family.eml//notes.zip"]
    member = found["family.eml//notes.zip//a.txt"]
    assert (top["parent"], archive["parent"], member["parent"]) == (None, top["id"], archive["id"])
    assert {top["root"], archive["root"], member["root"]} == {top["id"]}
    assert (top["depth"], archive["depth"], member["depth"]) == (0, 1, 2)
    assert member["control_number"].startswith(archive["control_number"] + ".")
    assert archive["control_number"].startswith(top["control_number"] + ".")


def test_documents_can_be_limited_to_an_outcome_or_a_batch(home: Path) -> None:
    assert {row["outcome"] for row in rows(home, "documents", "--case", "c", "--json", "--outcome", "crashed")} == {
        "CRASHED"
    }
    documents = rows(home, "documents", "--case", "c", "--json")
    assert rows(home, "documents", "--case", "c", "--json", "--batch", "1") == documents


@pytest.mark.requirement("F1")
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("zinc", "family.eml"),
        ('"zinc numbers"', "family.eml"),
        ("subject:quarterly", "family.eml"),
        ("alph* AND bravo", "family.eml//notes.zip//a.txt"),
        ("bravo NOT zinc", "family.eml//notes.zip//a.txt"),
        ("custodian:Ann AND (alpha OR nothing)", "family.eml//notes.zip//a.txt"),
    ],
)
def test_search_finds_words_phrases_fields_prefixes_and_combinations(home: Path, query: str, path: str) -> None:
    hits = rows(home, "search", "--case", "c", query, "--json")
    assert path in {hit["path"] for hit in hits}
    assert all(hit["snippet"] for hit in hits)
    assert query.startswith("subject:") or any("[[" in hit["snippet"] for hit in hits)


@pytest.mark.requirement("F1")
def test_f1_a_hit_in_a_spreadsheet_names_sheet_and_cell(home: Path) -> None:
    [hit] = rows(home, "search", "--case", "c", "sprocket kind:spreadsheet", "--json")
    assert hit["citations"] == ["Prices!A2"]
    assert "at Prices!A2" in ask(home, "search", "--case", "c", "sprocket kind:spreadsheet").stdout


def test_a_bad_query_says_where_it_is_wrong(home: Path) -> None:
    run = redwell(home, "search", "--case", "c", '"open AND (')
    assert run.returncode == 2
    assert "column" in run.stderr


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("meta.x_mailr:fancy", "did you mean meta.x_mailer"),
        ("kind:email", "did you mean mail"),
        ("outcome:failed", "did you mean filtered"),
        ("date:[2001 TO 2002]", "a range 2023..2024-05"),
        ('"zinc numbers"~5', "written a w/5 b"),
        ("*.txt", "letters of a word"),
        ("tag:hot", "the case has no tags yet"),
        ("thread:RW00009999", "no document has the control number RW00009999"),
    ],
)
def test_what_a_query_cannot_mean_is_an_error_and_never_no_hits(home: Path, query: str, told: str) -> None:
    run = redwell(home, "search", "--case", "c", query)
    assert (run.returncode, run.stdout) == (2, "")
    assert "column" in run.stderr
    assert told in run.stderr


def test_any_value_of_a_field_is_found_also_where_rows_are_asked(home: Path) -> None:
    def count(query: str) -> int:
        return len(rows(home, "search", "--case", "c", query, "--all", "--json"))

    assert count("thread:*") == count("thread:* kind:mail") > 0
    assert count("near:* NOT near:*") == 0
    assert count("subject:*") + count("NOT subject:*") == count("*")


def test_a_search_is_sorted_and_read_page_by_page(home: Path) -> None:
    everything = [row["control_number"] for row in rows(home, "documents", "--case", "c", "--json")]
    found: list[str] = []
    after: list[str] = []
    while True:
        run = ask(home, "search", "--case", "c", "*", "--sort", "control_number", "--limit", "4", "--json", *after)
        *hits, told = map(json.loads, run.stdout.splitlines())
        found += [hit["control_number"] for hit in hits]
        assert told["search"]["total"] == len(everything)
        last = run.stderr.splitlines()[-1]
        assert last.startswith(f"{len(everything)} hits, ")
        if "--after" not in last:
            break
        after = ["--after", last.split()[-1]]
    assert found == everything
    largest = rows(home, "search", "--case", "c", "*", "--sort", "size:desc", "--json", "--limit", "1")
    sizes = [row["size"] for row in rows(home, "documents", "--case", "c", "--json")]
    assert [row["size"] for row in largest] == [max(filter(None, sizes))]


def problems(row: dict[str, Any]) -> list[str]:
    """What is said of an exhibit besides mere notes."""
    return [problem["code"] for problem in row["problems"] if problem["code"] not in NOTES]


def test_exceptions_name_file_stage_outcome_reason_and_remedy_and_agree_with_the_ledger(home: Path) -> None:
    listed = rows(home, "exceptions", "--case", "c", "--json")
    documents = rows(home, "documents", "--case", "c", "--json")
    wanted = {row["path"] for row in documents if row["outcome"] != "SUCCESS" or problems(row)}
    assert {row["path"] for row in listed} == wanted
    assert all(row["remedy"] and row["reason"] for row in listed if row["outcome"] != "SUCCESS")
    table = redwell(home, "exceptions", "--case", "c", "--csv").stdout
    assert [dict(row) for row in csv.DictReader(io.StringIO(table))] == listed


def test_the_report_says_what_came_in_with_which_versions_settings_and_sandbox(home: Path) -> None:
    (report,) = rows(home, "report", "--case", "c", "--json")
    (batch,) = report["batches"]
    assert batch["custodian"] == "Ann" and batch["sources"][0]["listed"] > 0
    assert batch["sandbox"]["seccomp"] == "on" and batch["settings"]["max_depth"] == 32
    assert (
        sum(batch["outcomes"].values()) == batch["documents"] == len(rows(home, "documents", "--case", "c", "--json"))
    )
    assert "sandbox: " in redwell(home, "report", "--case", "c").stdout


def test_doctor_shows_every_sandbox_layer_and_setting(tmp_path: Path) -> None:
    (found,) = rows(tmp_path, "doctor", "--json")
    assert found["sandbox"]["seccomp"] == "on" and found["sandbox"]["landlock"] == "on"
    assert found["settings"]["small_wall_s"] == 60
    assert "sandbox:" in redwell(tmp_path, "doctor").stdout


def test_doctor_names_each_engine_with_its_version_or_how_to_get_it(tmp_path: Path) -> None:
    (found,) = rows(tmp_path, "doctor", "--json")
    assert [tool["name"] for tool in found["engines"]] == [
        *("libreoffice", "chromium", "tesseract", "rapidocr", "xllamacpp")
    ]
    ways = ["apt-get install"] * 3 + ["pip install"] * 2
    assert all(tool["version"] for tool in found["engines"])
    assert all(tool["remedy"].startswith(way) for tool, way in zip(found["engines"], ways, strict=True))


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["documents", "--case", "nobody"], 3, "there is no case 'nobody'"),
        (["resume", "--case", "c", "99"], 3, "no batch 99"),
        (["report", "--case", "c", "--batch", "99"], 3, "no batch 99"),
        (["documents", "--case", "c", "--batch", "99"], 3, "no batch 99"),
        (["documents", "--case", "c", "--batch", "9" * 30], 3, "no batch 999"),
        (["documents", "--case", "c", "--text"], 2, "--text comes with --json"),
        (["search", "--case", "c", "word", "--limit", "0"], 2, "a whole number from 1"),
        (["search", "--case", "c", "word", "--limit", "9" * 30], 2, "a whole number from 1"),
        (["exceptions", "--case", "c", "--csv", "--csv-raw"], 2, "not allowed with"),
        (["import", ".", "--case", "c", "--set", "slotz=3"], 2, "unknown setting 'slotz'"),
        (["import", ".", "--case", "c", "--set", "slots=many"], 2, "needs a whole number"),
        (["import", ".", "--case", "c", "--set", "sandbox=off"], 2, "one of required, best"),
        (["import", ".", "--case", "c", "--passwords", "nowhere.txt"], 2, "can't read the passwords"),
    ],
)
def test_a_mistake_is_named_with_its_own_exit_code(home: Path, args: list[str], code: int, says: str) -> None:
    run = redwell(home, *args)
    assert (run.returncode, says in run.stderr) == (code, True), run.stderr
    assert "Traceback" not in run.stderr


def test_a_listing_that_is_cut_off_is_no_error(home: Path) -> None:
    listing = subprocess.Popen(command("documents", "--case", "c"), env=environment(home), stdout=subprocess.PIPE)
    assert listing.stdout is not None
    listing.stdout.close()
    assert listing.wait() == 0


def test_a_terminal_without_the_letters_of_a_name_shows_them_spelled_out(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "Müller.txt").write_text("text")
    redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c")
    plain = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    run = redwell(tmp_path / "home", "documents", "--case", "c", **plain)
    assert (run.returncode, "M\\xfcller.txt" in run.stdout, run.stderr) == (0, True, "")


@pytest.mark.parametrize("command", [["import", "."], ["resume"], ["reindex", "--here"], ["jobs"], ["report"]])
def test_a_home_that_is_no_folder_is_one_line(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for home in (tmp_path / "file", tmp_path / "file" / "below"):
        run = redwell(home, *command, "--case", "c")
        assert run.returncode in (2, 3) and len(run.stderr.splitlines()) == 1, run.stderr
        assert f"REDWELL_HOME {home}" in run.stderr


def test_cells_are_text_to_a_spreadsheet_unless_raw_ones_are_asked_for(tmp_path: Path) -> None:
    """A name in evidence may be a formula for whoever opens the table."""
    (tmp_path / "in").mkdir()
    for name in ("=cmd|'C calc'!A0", "+1", "-1", "@SUM(1)", "\tx", "plain"):
        (tmp_path / "in" / name).symlink_to("nowhere")
    redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c")
    shown, raw = (
        [
            row["path"]
            for row in csv.DictReader(io.StringIO(ask(tmp_path / "home", "exceptions", "--case", "c", how).stdout))
        ]
        for how in ("--csv", "--csv-raw")
    )
    assert sorted(raw) == sorted(row["path"] for row in rows(tmp_path / "home", "exceptions", "--case", "c", "--json"))
    assert sorted(shown) == sorted(name if name == "plain" else f"'{name}" for name in raw)


def test_names_with_terminal_controls_are_made_harmless(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a\x1b[31mred\nline.txt").write_text("text")
    redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c")
    listing = redwell(tmp_path / "home", "documents", "--case", "c").stdout
    assert "\x1b" not in listing and len(listing.splitlines()) == 1


def test_a_batch_is_searchable_while_it_runs(tmp_path: Path) -> None:
    write_mails(tmp_path / "in", 1500, seed=3)
    (tmp_path / "in" / "0000" / "000000first.txt").write_text("needleword")
    running = start(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c", "--set", "index_s=0")
    wait_until_at_work(tmp_path / "home", running)
    found = False
    while running.poll() is None and not found:
        found = "needleword" in redwell(tmp_path / "home", "search", "--case", "c", "needleword").stdout
        time.sleep(0.05)
    still_running = running.poll() is None
    running.communicate()
    assert found and still_running


def test_on_a_terminal_the_run_is_shown_live_and_ends_with_the_summary(tmp_path: Path) -> None:
    write_mails(tmp_path / "in", 600, seed=4)
    screen, terminal = pty.openpty()
    run = subprocess.Popen(
        command("import", str(tmp_path / "in"), "--case", "c"),
        env=environment(tmp_path / "home", TERM="xterm", COLUMNS="60"),
        stdout=terminal, stderr=terminal, start_new_session=True,
    )  # fmt: skip
    os.close(terminal)
    shown = b""
    try:
        while part := os.read(screen, 65536):
            shown += part
    except OSError:  # the terminal's other end is closed
        pass
    assert run.wait() == 0
    os.close(screen)
    text = shown.decode()
    assert "case c, batch 1" in text and "documents" in text and "balanced" in text


def test_a_line_of_json_is_one_line_whatever_the_text_holds(tmp_path: Path) -> None:
    """U+2028, U+2029 and U+0085 end a line for some readers."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "separators.txt").write_text("one\u2028two\u2029three\u0085four\x0cfive", encoding="utf-8")
    redwell(tmp_path / "home", "import", str(tmp_path / "in"), "--case", "c")
    [row] = rows(tmp_path / "home", "documents", "--case", "c", "--json", "--text")
    assert row["text"] == "one\u2028two\u2029three\u0085four\x0cfive"
