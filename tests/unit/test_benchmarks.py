"""What `make bench` runs is there: it is run seldom, and the code around it moves."""

import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.plan import Cluster, Times, simulated

ROOT = Path(__file__).resolve().parents[2]
_IMPORT = "import importlib, sys; [importlib.import_module(f'benchmarks.{name}') for name in sys.argv[1:]]"


def test_every_benchmark_finds_what_it_imports() -> None:
    names = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    run = subprocess.run([sys.executable, "-c", _IMPORT, *names], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


READING = Times(child=1.0, parent=0.0, database=0.0, keeper=0.0, index=0.0)


def test_twice_the_workers_take_half_the_time_while_children_are_full() -> None:
    one = simulated(10_000, READING, Cluster(workers=1))
    assert one.seconds == pytest.approx(10) and one.fullest == "children"
    assert simulated(10_000, READING, Cluster(workers=2)).seconds == pytest.approx(5)


def test_workers_help_no_more_when_the_keeper_is_full() -> None:
    times = Times(child=1.0, parent=0.0, database=0.0, keeper=0.5, index=0.0)
    few, many = (simulated(100_000, times, Cluster(workers=count)) for count in (4, 40))
    assert few.fullest == many.fullest == "keepers"
    assert few.seconds == pytest.approx(many.seconds, rel=0.01) == pytest.approx(50, rel=0.01)


def test_what_shares_cores_is_no_faster_than_they_are() -> None:
    times = Times(child=1.0, parent=1.0, database=1.0, keeper=1.0, index=0.0)
    course = simulated(10_000, times, Cluster(workers=8, shared_cores=2))
    assert course.seconds >= 20 and course.used["cores"] <= 1.0
