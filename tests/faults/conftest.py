"""Fixtures of the tests that send documents to real children."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.children import FAULTY, processes_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Children find the fault handlers; afterwards no process of theirs lives and no temporary file is left."""
    monkeypatch.setenv("PYTHONPATH", FAULTY, prepend=os.pathsep)
    yield tmp_path
    assert processes_of(tmp_path) == []
    scratch = tmp_path / "scratch"
    assert not scratch.exists() or list(scratch.iterdir()) == []
