"""What `make bench` runs is there: it is run seldom, and the code around it moves."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_IMPORT = "import importlib, sys; [importlib.import_module(f'benchmarks.{name}') for name in sys.argv[1:]]"


def test_every_benchmark_finds_what_it_imports() -> None:
    names = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    run = subprocess.run([sys.executable, "-c", _IMPORT, *names], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
