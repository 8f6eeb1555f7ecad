"""What a case keeps of how it was made: runs with settings, retries with what they changed, what resolved what."""

import csv
import io
import json
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.support.evidence import mail, zipped
from tests.support.product import ask, redwell, verified

CASE = "c"


def rows(home: Path, *args: str) -> list[dict[str, Any]]:
    run = ask(home, *args, "--case", CASE, "--json")
    assert run.returncode == 0, run.stderr
    found = (json.loads(line) for line in run.stdout.splitlines())
    return [row for row in found if "search" not in row]  # what a search says of itself comes last


def imported(home: Path, source: Path, *args: str, **env: str) -> None:
    run = redwell(home, "import", str(source), "--case", CASE, *args, **env)
    assert run.returncode == 0, run.stderr


def nested(depth: int) -> bytes:
    data = zipped({"innermost.txt": b"the innermost needle"})
    for level in range(depth):
        data = zipped({f"level{level}.zip": data})
    return data


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "deep.zip").write_bytes(nested(3))
    return tmp_path / "home"


def test_the_report_tells_versions_settings_and_sandbox_of_each_run_not_those_of_now(
    home: Path, tmp_path: Path
) -> None:
    imported(home, tmp_path / "in", "--set", "max_depth=2", REDWELL_WEBHOOK_SECRET="kept from everybody")
    retried = redwell(home, "retry", "--case", CASE, "--outcome", "PARTIAL", "--set", "max_depth=50")
    assert retried.returncode == 0, retried.stderr
    [report] = rows(home, "report")
    first, second = report["batches"][0]["runs"]
    assert (first["command"], first["settings"]) == ("import", {"max_depth": 2, "ocr": "none", "webhook_secret": "***"})
    assert (second["command"], second["settings"]) == ("retry", {"max_depth": 50, "ocr": "none"})
    for run in (first, second):
        assert run["sandbox"]["seccomp"] == "on" and run["redwell"] and run["libraries"]["lxml"] and run["user"]
        assert run["begun"] < run["ended"]
    assert first["changed"] is None
    assert second["changed"]["changed"] == [{"before": "PARTIAL", "after": "SUCCESS", "count": 1}]
    words = ask(home, "report", "--case", CASE).stdout
    assert "settings: ocr=none, max_depth=50" in words and "changed: 1 were PARTIAL, are SUCCESS" in words
    verified(home, CASE)


def test_a_run_that_was_killed_is_told_as_that_beside_the_one_that_went_on(home: Path, tmp_path: Path) -> None:
    run = redwell(home, "import", str(tmp_path / "in"), "--case", CASE, REDWELL_TRIP="record.after_commit")
    assert run.returncode == -signal.SIGKILL
    assert redwell(home, "resume", "--case", CASE).returncode == 0
    [report] = rows(home, "report")
    runs = report["batches"][0]["runs"]
    assert [(run["command"], run["ended"] is None) for run in runs] == [("import", True), ("resume", False)]
    assert "it did not end in order" in ask(home, "report", "--case", CASE).stdout


def test_a_problem_that_a_later_batch_resolved_says_by_which(tmp_path: Path) -> None:
    home, source = tmp_path / "home", tmp_path / "in"
    source.mkdir()
    (source / "gone.txt").write_text("words")
    redwell(home, "import", str(source), "--case", CASE, REDWELL_TRIP="walk.after_close")
    (source / "gone.txt").unlink()
    assert redwell(home, "resume", "--case", CASE).returncode == 0
    [before] = rows(home, "exceptions")
    assert (before["code"], before["resolved"]) == ("SOURCE_VANISHED", "") and before["remedy"]
    (source / "gone.txt").write_text("words")
    imported(home, source)
    [after] = rows(home, "exceptions")
    assert (after["code"], after["resolved"], after["remedy"]) == ("SOURCE_VANISHED", "batch 2", "")
    assert "[resolved by batch 2]" in ask(home, "exceptions", "--case", CASE).stdout


def test_rows_name_their_source_and_every_command_has_the_same_custodians(tmp_path: Path) -> None:
    """Two sources with equal relative paths can be told apart."""
    home = tmp_path / "home"
    for name, custodian in (("archer", "Alex Archer"), ("bell", "Bo Bell")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes.zip").write_bytes(zipped({"same.txt": b"a needle of both"}))
        (tmp_path / name / "link").symlink_to("nowhere")
        imported(home, tmp_path / name, "--custodian", custodian)
    listed = {row["id"]: row for row in rows(home, "documents")}
    sources = {str(tmp_path / "archer"), str(tmp_path / "bell")}
    assert {row["source"] for row in listed.values() if row["path"] == "notes.zip//same.txt"} == sources
    found = rows(home, "search", "needle")
    assert len(found) == 2 and all(len(row["custodians"]) == 2 for row in found)
    asked_of_documents_alone = {"renditions"}
    for row in found:
        told = {key: value for key, value in listed[row["id"]].items() if key not in asked_of_documents_alone}
        assert {key: row[key] for key in told} == told
    assert {row["source"] for row in rows(home, "exceptions")} == sources
    table = csv.DictReader(io.StringIO(ask(home, "exceptions", "--case", CASE, "--csv").stdout))
    assert {row["source"] for row in table} == sources
    for command in (["documents"], ["search", "needle"]):
        assert all(source in ask(home, *command, "--case", CASE).stdout for source in sources)


def test_the_letters_of_control_numbers_belong_to_the_case(home: Path, tmp_path: Path) -> None:
    imported(home, tmp_path / "in", "--set", "control_prefix=ACME")
    other = redwell(home, "import", str(tmp_path / "in"), "--case", CASE, "--set", "control_prefix=RW")
    assert other.returncode == 2 and "has the control_prefix ACME, which is fixed" in other.stderr
    imported(home, tmp_path / "in")
    imported(home, tmp_path / "in", REDWELL_CONTROL_PREFIX="ACME")
    assert {row["control_number"][:4] for row in rows(home, "documents")} == {"ACME"}
    wrong = redwell(home, "import", str(tmp_path / "in"), "--case", "new", "--set", "control_prefix=a/b")
    assert wrong.returncode == 2 and "control_prefix 'a/b'" in wrong.stderr


def test_gaps_in_control_numbers_are_explained_where_one_meets_them(tmp_path: Path) -> None:
    home = tmp_path / "home"
    inner = zipped({"folder/": b"", "folder/a.txt": b"a", "b.txt": b"b"})
    (tmp_path / "in.zip").write_bytes(inner)
    imported(home, tmp_path / "in.zip")
    numbers = [row["control_number"] for row in rows(home, "documents")]
    assert numbers == ["RW00000001", "RW00000002", "RW00000003"], "what lies in an archive has a number of its own"
    assert rows(home, "report")[0]["batches"][0]["numbers_not_used"] == 0
    assert "gaps" not in ask(home, "documents", "--case", CASE).stderr
    (tmp_path / "mail.eml").write_bytes(mail("An archive", "attached", {"in.zip": inner}))
    imported(home, tmp_path / "mail.eml")
    numbers = [row["control_number"] for row in rows(home, "documents")][3:]
    assert numbers == [f"RW00000004{place}" for place in ("", ".0001", ".0001.0002", ".0001.0003")]
    assert "members of containers that are no documents" in ask(home, "documents", "--case", CASE).stderr
    assert rows(home, "report")[0]["batches"][1]["numbers_not_used"] == 1
    assert "Gaps in control numbers: 1 members" in ask(home, "report", "--case", CASE).stdout
    assert "gaps" not in ask(home, "documents", "--case", CASE, "--outcome", "success").stderr
