"""The contracts of pyproject.toml cover what there is: a new package or family of formats has to be named there."""

import sys
import tomllib
from pathlib import Path
from typing import Any

import grimp

REPO = Path(__file__).parents[2]
OWN = {"redwell"}
# structs and frames of the core; the process tree of a child; tries and pauses of whoever tells others
BELOW_ADAPTERS_TOO = {"msgspec", "psutil", "tenacity"}
SHARED = {"detect", "engines", "host", "sandbox", "structures", "unpacking"}  # no family of formats


def contract(beginning: str) -> dict[str, Any]:
    linter = tomllib.loads((REPO / "pyproject.toml").read_text())["tool"]["importlinter"]
    return next(each for each in linter["contracts"] if each["name"].startswith(beginning))


def test_every_package_that_is_imported_anywhere_is_forbidden_below_adapters() -> None:
    graph = grimp.build_graph("redwell", include_external_packages=True)
    imported = {module.partition(".")[0] for module in graph.modules} - OWN - sys.stdlib_module_names
    named = set(contract("No vendor below")["forbidden_modules"])
    assert imported - BELOW_ADAPTERS_TOO <= named


def test_every_family_of_formats_is_under_contract() -> None:
    folders = {folder.parent.name for folder in (REPO / "src/redwell/handlers").glob("*/__init__.py")}
    families = {f"redwell.handlers.{name}" for name in folders - SHARED}
    assert families == set(contract("Families of formats")["modules"])
    assert families == set(contract("Host, sandbox")["forbidden_modules"])
    assert families <= set(contract("No format knows")["source_modules"])
