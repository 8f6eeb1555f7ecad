"""Lazy PDFs are made when `redwell serve` has nothing else to do, and that is what their job says."""

import json
from pathlib import Path

import pytest
from tests.support.product import redwell, verified

from redwell.core.jobs.priority import LOWEST
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.serving.idle_renditions import IdleRenditions

pytestmark = pytest.mark.requirement("A7", "A8")
CASE = ("--case", "A")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for number in range(3):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{number}.txt").write_text(f"The valves of pump {number} were closed.\n")
    imported(tmp_path, "pdf=lazy")
    return tmp_path / "home"


def imported(folder: Path, setting: str) -> None:
    run = redwell(folder / "home", "import", str(folder / "in"), *CASE, "--set", setting)
    assert run.returncode == 0, run.stderr


def jobs(home: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in redwell(home, "jobs", "--all", "--json").stdout.splitlines()]


def states(home: Path) -> list[str]:
    listed = redwell(home, "documents", *CASE, "--json").stdout.splitlines()
    return [json.loads(line)["renditions"]["pdf"] for line in listed]


def test_what_is_lazy_is_made_in_idle_time_once_and_its_job_says_so(home: Path) -> None:
    idle = IdleRenditions(home, load_settings([]), lambda: True)
    assert set(states(home)) == {"lazy"}
    assert idle.step()
    [job] = [job for job in jobs(home) if job["kind"] == "idle"]
    assert job["priority"] == LOWEST
    assert not idle.step(), "there is a job"
    assert redwell(home, "resume", *CASE).returncode == 0
    assert set(states(home)) == {"made"}
    assert not idle.step(), "all is made"
    verified(home, "A")


def test_what_comes_later_is_made_too_but_nothing_that_is_wanted_of_nobody(home: Path) -> None:
    idle = IdleRenditions(home, load_settings([]), lambda: True)
    assert idle.step() and redwell(home, "resume", *CASE).returncode == 0
    (home.parent / "in" / "later.txt").write_text("A pump that came later.\n")
    imported(home.parent, "pdf=none")
    assert not idle.step()
    (home.parent / "in" / "last.txt").write_text("The last pump.\n")
    imported(home.parent, "pdf=lazy")
    assert idle.step()


def test_with_little_room_on_the_disk_nothing_is_made(home: Path) -> None:
    settings = load_settings(["reserve_mb=100000000"])
    assert not IdleRenditions(home, settings, lambda: True).step()
