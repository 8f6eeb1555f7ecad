"""Whoever only looks waits for no module that it does not use: a command is started anew each time."""

import subprocess
import sys

import pytest

HEAVY = {"sqlalchemy", "tantivy", "redwell.core.search.words", "redwell.adapters.sql_audit", "redwell.handlers"}


@pytest.mark.parametrize("module", ["listing", "casework", "overview"])
def test_a_looking_command_imports_neither_what_writes_nor_what_searches(module: str) -> None:
    asked = f"import sys, redwell.entrypoints.cli.{module}; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout.split()
    )
    assert loaded & HEAVY == set()
