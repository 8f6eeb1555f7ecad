"""What comes into a case with schemas is understood by itself: behind an import, or by workers."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest
from tests.support.product import ask, redwell

from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.worker.worker import Role, Worker

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
