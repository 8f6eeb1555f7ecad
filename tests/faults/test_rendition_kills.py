"""SIGKILL while PDFs, pages and recognition are made, then `resume`: the end state equals that of a clean run."""

import signal
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.support.product import ask, normal_form, redwell, verified
from tests.support.products import others_in_soak

CASE = "kill"
POINTS = (
    *("claim.after_commit:7", "record.before_commit:6", "record.after_commit:8", "record.before_commit:10"),
    *("pages.before_commit", "pages.before_commit:2", "index.before_mark:2", "finish.before_commit"),
)
EAGER = ("--set", "pdf=eager", "--set", "pages=eager", "--set", "chunk=1", "--set", "message_documents=1")


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scan in two places, one of many pages, one that nobody can read, a picture, and texts."""
    folder = tmp_path_factory.mktemp("evidence")
    scan = "%PDF-1.7 STUB\ntext: first page\nwombat on page two\n"
    long = "%PDF-1.7 STUB\n" + "".join(f"word{number}\n" for number in range(1, 151))
    files = {"a.pdf": scan, "b.pdf": scan, "c.pdf": long, "d.pdf": "%PDF-1.7 STUB\nunreadable\n", "e.txt": "no pdf\n"}
    for name, text in files.items():
        (folder / name).write_text(text)
    Image.new("RGB", (40, 40), "white").save(folder / "f.png")
    return folder


@pytest.fixture(scope="module")
def clean(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    home = tmp_path_factory.mktemp("clean")
    run = redwell(home, "import", str(evidence), "--case", CASE, *EAGER, makers=True)
    assert run.returncode == 0, run.stderr
    verified(home, CASE)
    return normal_form(home, CASE)


@pytest.mark.requirement("D6")
@pytest.mark.parametrize(
    "point", others_in_soak(POINTS, "record.before_commit:6", "pages.before_commit", "index.before_mark:2")
)
def test_a_kill_while_renditions_are_made_and_a_resume_give_the_clean_end_state(
    point: str, evidence: Path, clean: list[dict[str, Any]], tmp_path: Path
) -> None:
    """What the import was to make is part of its job: `resume` needs not be told."""
    run = redwell(tmp_path, "import", str(evidence), "--case", CASE, *EAGER, makers=True, REDWELL_TRIP=point)
    assert run.returncode == -signal.SIGKILL, f"{point} was not reached: {run.stdout}{run.stderr}"
    resumed = redwell(tmp_path, "resume", "--case", CASE, makers=True)
    assert resumed.returncode == 0, resumed.stderr
    assert normal_form(tmp_path, CASE) == clean
    assert ask(tmp_path, "search", "--case", CASE, "wombat").stderr.startswith("2 hits")
    verified(tmp_path, CASE)


def test_a_page_that_kills_its_children_costs_its_document_the_recognition_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.pdf").write_text("%PDF-1.7 STUB\nkill\n")
    (folder / "b.pdf").write_text("%PDF-1.7 STUB\nwombat\n")
    run = redwell(tmp_path / "home", "import", str(folder), "--case", CASE, makers=True)
    assert run.returncode == 0, run.stderr
    bad, good = normal_form(tmp_path / "home", CASE)
    assert [problem["code"] for problem in bad["problems"]] == ["OCR_FAILED"] and bad["outcome"] == "PARTIAL"
    assert (good["outcome"], good["recognised"]) == ("SUCCESS", 1)
    verified(tmp_path / "home", CASE)
