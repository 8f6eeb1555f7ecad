"""What goes out of a case: exports and productions, from the command line, with real children and files."""

import csv
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.support.product import ask, redwell
from tests.support.production_evidence import write_evidence

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
