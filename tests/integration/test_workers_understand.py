"""What comes into a case with schemas is understood by itself: behind an import, or by workers."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest
from tests.support.product import ask, redwell

from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.worker.worker import HANDING_BACK_S, Role, Worker

SCHEMA = Path(__file__).parents[2] / "examples" / "schemas" / "invoice.json"


def invoices(folder: Path, *numbers: int) -> str:
    folder.mkdir()
    for number in numbers:
        (folder / f"{number}.txt").write_text(f"INVOICE\nInvoice no: INV-{number}\nTotal due: EUR {number}.50\n")
    return str(folder)


def states(home: Path) -> dict[str, int]:
    return dict(json.loads(ask(home, "review", "list", "--case", "A", "--json").stdout)["documents"])


@pytest.mark.requirement("B2", "B3", "B8", "B9")
def test_documents_that_come_in_are_understood_whoever_is_killed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert redwell(home, "import", invoices(tmp_path / "before", 1), "--case", "A").returncode == 0
    assert redwell(home, "schema", "add", str(SCHEMA), "--case", "A").returncode == 0
    second = ("import", invoices(tmp_path / "second", 2, 3), "--case", "A")
    assert redwell(home, *second, REDWELL_TRIP="understand.plan.before_commit").returncode == -signal.SIGKILL
    assert states(home) == {}
    gone_on = redwell(home, "resume", "--case", "A")
    assert gone_on.returncode == 0 and "2 documents understood by rules alone" in gone_on.stderr, gone_on.stderr
    assert states(home) == {"needs review": 2}, "what was there before the schema waits to be asked about"
    third = ("import", invoices(tmp_path / "third", 4, 5), "--case", "A", "--queue")
    assert redwell(home, *third).returncode == 0
    served_by_two(home)
    assert states(home) == {"needs review": 4}
    assert redwell(home, "import", invoices(tmp_path / "again", 4), "--case", "A").returncode == 0
    assert states(home) == {"needs review": 4}, "the content is known, and nobody brought it anew"


def served_by_two(home: Path) -> None:
    """Until they find nothing more, as workers of a cluster do."""
    settings = load_settings([f"slots={1}"])
    workers = [Worker(home, settings, Role(cluster=True)) for _ in range(2)]
    threads = [threading.Thread(target=worker) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=240)
    assert not any(thread.is_alive() for thread in threads), os.getpid()


@pytest.mark.requirement("B9")
def test_b9_a_worker_leaves_behind_what_hangs_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("redwell.runtime.worker.worker.HANDING_BACK_S", 0.1)
    assert redwell(tmp_path / "home", "import", invoices(tmp_path / "in", 1), "--case", "A", "--queue").returncode == 0
    begun, goes_on = threading.Event(), threading.Event()

    def hangs(_worker: Worker, _place: object) -> None:
        begun.set()
        goes_on.wait()

    monkeypatch.setattr(Worker, "_work_on", hangs)
    worker = Worker(tmp_path / "home", load_settings(["slots=1", "drain_s=1"]), Role())
    thread = threading.Thread(target=worker, daemon=True)
    thread.start()
    assert begun.wait(120)
    worker.stop()
    thread.join(timeout=120)
    goes_on.set()
    assert not thread.is_alive()
    assert [record.levelname for record in caplog.records if "left behind" in record.message] == ["CRITICAL"]


@pytest.mark.requirement("B9")
def test_b9_no_setting_makes_a_worker_stay_longer_than_fifteen_minutes(tmp_path: Path) -> None:
    worker = Worker(tmp_path, load_settings(["drain_s=86400"]), Role())
    assert worker._drain_s + HANDING_BACK_S == 15 * 60
