"""Renditions and recognition from import to hand-out, with small stand-ins for the engines (tests/support/makers)."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.support.product import ask, redwell, verified
from tests.support.products import others_in_soak

from redwell.core.events.event import EventType
from redwell.core.jobs.batch_end import BatchChunk
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import load_settings

CASE = ("--case", "c")
POINTS = ("want.before_commit", "record.before_commit", "pages.before_commit")
SCAN = "%PDF-1.7 STUB\ntext: first page\nwombat on page two\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in {"a.txt": "plain words\n", "b.txt": "no pdf of this\n", "c.pdf": SCAN, "d.pdf": SCAN}.items():
        (folder / name).write_text(text)
    Image.new("RGB", (40, 40), "white").save(folder / "e.png")
    return folder


def imported(home: Path, evidence: Path, *more: str, **env: Any) -> None:
    run = redwell(home, "import", str(evidence), *CASE, *more, makers=True, **env)
    assert run.returncode == 0, run.stderr


def documents(home: Path) -> dict[str, dict[str, Any]]:
    listed = ask(home, "documents", *CASE, "--json", "--text")
    return {row["name"]: row for row in map(json.loads, listed.stdout.splitlines())}


def outcome_and_codes(row: dict[str, Any]) -> list[str]:
    return [row["outcome"], *(problem["code"] for problem in row["problems"])]


def got(home: Path, *args: str) -> str:
    run = redwell(home, "get", *CASE, *args, makers=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.requirement("A7", "A20")
def test_a_scan_is_found_by_its_recognised_words_and_is_then_a_success(home: Path, evidence: Path) -> None:
    imported(home, evidence)
    seen = documents(home)
    assert outcome_and_codes(seen["c.pdf"]) == outcome_and_codes(seen["d.pdf"]) == ["SUCCESS"]
    assert seen["c.pdf"]["text"] == "first page\n\fwombat on page two\n" and seen["c.pdf"]["recognised"] == 1
    assert seen["c.pdf"]["renditions"] == {"pdf": "lazy", "pages": "lazy", "ocr": "made"}
    assert ask(home, "search", *CASE, "wombat").stderr.startswith("2 hits")
    assert ask(home, "search", *CASE, "quokka").stdout.startswith("RW00000005")
    verified(home, "c")


def test_without_recognition_a_scan_is_an_exception_whose_remedy_mends_it(home: Path, evidence: Path) -> None:
    imported(home, evidence, "--set", "ocr=none")
    assert outcome_and_codes(documents(home)["c.pdf"]) == ["PARTIAL", "OCR_PENDING"]
    [line, _] = [line for line in ask(home, "exceptions", *CASE).stdout.splitlines() if "pdf" in line]
    assert "redwell render --case c --kind ocr" in line
    assert redwell(home, "render", *CASE, "--kind", "ocr", makers=True).returncode == 0
    assert outcome_and_codes(documents(home)["c.pdf"]) == ["SUCCESS"]
    verified(home, "c")


def test_without_an_engine_a_scan_stays_pending_and_is_completed_when_it_is_there(home: Path, evidence: Path) -> None:
    imported(home, evidence, "--set", "ocr_languages=missing")
    [problem] = documents(home)["c.pdf"]["problems"]
    assert problem == {"code": "OCR_PENDING", "detail": "Tesseract has no language 'missing'"}
    assert redwell(home, "render", *CASE, "--kind", "ocr", makers=True).returncode == 0
    assert outcome_and_codes(documents(home)["c.pdf"]) == ["SUCCESS"]


def test_what_is_lazy_is_made_when_it_is_asked_for(home: Path, evidence: Path, tmp_path: Path) -> None:
    imported(home, evidence)
    assert got(home, "RW00000001", "--pdf") == "%PDF-1.7 STUB\ntext: plain words \n"
    assert documents(home)["a.txt"]["renditions"]["pdf"] == "made"
    assert got(home, "RW00000003", "--page", "2") == "PNG of wombat on page two at 96"
    assert got(home, "RW00000003", "--flattened").endswith("% flat\n")
    assert got(home, "RW00000003", "--searchable") == "%PDF-1.7 searchable"
    assert got(home, "RW00000003", "--text").endswith("wombat on page two\n")
    assert got(home, "RW00000001") == "plain words\n"
    assert json.loads(got(home, "RW00000001", "--metadata"))["name"] == "a.txt"
    missing = redwell(home, "get", *CASE, "RW00000003", "--page", "3", makers=True)
    assert missing.returncode == 3 and "RW00000003 has no page 3" in missing.stderr
    verified(home, "c")


def test_where_no_pdf_can_be_made_its_words_are_shown(home: Path, evidence: Path, tmp_path: Path) -> None:
    imported(home, evidence)
    out = tmp_path / "out"
    out.mkdir()
    assert redwell(home, "get", *CASE, "RW00000002", "--pdf", "-o", str(out), makers=True).returncode == 0
    assert (out / "RW00000002.pdf").read_bytes().startswith(b"%PDF-")
    assert outcome_and_codes(documents(home)["b.txt"]) == ["SUCCESS", "HANDLER_ERROR"]  # its words alone
    again = redwell(home, "get", *CASE, "RW00000002", "-o", str(out / "RW00000002.pdf"), makers=True)
    assert again.returncode == 2 and "--force" in again.stderr
    assert redwell(home, "retry", *CASE, "--kind", "render-pdf", makers=True).returncode == 0
    verified(home, "c")


@pytest.mark.parametrize("point", others_in_soak(POINTS, "want.before_commit"))
def test_a_render_that_is_killed_is_gone_on_with(point: str, home: Path, evidence: Path) -> None:
    imported(home, evidence, "--set", "ocr=none")
    killed = redwell(home, "render", *CASE, makers=True, REDWELL_TRIP=point)
    assert killed.returncode == -signal.SIGKILL
    assert redwell(home, "resume", *CASE, makers=True).returncode == 0
    if point == "want.before_commit":
        assert redwell(home, "render", *CASE, makers=True).returncode == 0
    seen = documents(home)
    assert seen["c.pdf"]["renditions"] == {"pdf": "made", "pages": "made", "ocr": "made"}
    assert outcome_and_codes(seen["c.pdf"]) == ["SUCCESS"]
    verified(home, "c")


@pytest.mark.requirement("C1", "D10")
def test_a_long_scan_is_worked_on_in_ranges_and_its_pages_are_told_by_the_hundred(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "long.pdf").write_text("%PDF-1.7 STUB\n" + "".join(f"word{n}\n" for n in range(1, 251)))
    imported(home, folder, "--set", "pages=eager")
    [row] = documents(home).values()
    assert row["recognised"] == 250 and row["text"].split("\f")[199] == "word200\n"
    assert got(home, "RW00000001", "--page", "250") == "PNG of word250 at 96"
    with open_case(home, "c", load_settings(environ={})) as case:
        rows = [row.packed.detail for row in case.journal.log.rows() if row.type is EventType.BATCH_ATTACHMENTS]
        told = [(each["startPos"], each["endPos"]) for each in rows]
        assert told == [(1, 101), (101, 201), (201, 251)]
        incomplete = case.store.take_chunks(1, [BatchChunk(1, 101, rows[0]["exhibit"])])
        assert incomplete == {}
