"""One evidence, and what an undisturbed import on one machine makes of it, for all tests that compare with that."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.evidence import make_evidence
from tests.support.product import normal_form, redwell


@pytest.fixture(scope="session")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_evidence(tmp_path_factory.mktemp("evidence") / "in", mails=20)


@pytest.fixture(scope="session")
def expected(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """One process, SQLite, files."""
    home = tmp_path_factory.mktemp("clean")
    run = redwell(home, "import", str(evidence), "--case", "clean", faulty=True)
    assert run.returncode == 0, run.stderr
    return normal_form(home, "clean")
