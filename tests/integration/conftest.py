"""A case in which everything occurs, made once for all who only need a copy of it."""

import shutil
from pathlib import Path

import pytest
from tests.support.cases import prepare


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("prepared") / "home")


@pytest.fixture
def home(prepared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared, tmp_path / "home"))
