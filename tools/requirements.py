"""The requirements as a page: what docs/requirements.toml says, and which tests name them. For `make docs`."""

import ast
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STATES = ("works", "partly", "no")
PARTS = {
    "A": "Extraction",
    "B": "Ingestion and understanding",
    "C": "Chunks and polling",
    "D": "Loader",
    "E": "Uploader and viewing engine",
    "F": "Running it",
}
_LEVELS = ("e2e", "faults", "integration", "contract", "unit", "handlers", "examples")
_SHOWN = 6
_COUNTS = {"A": 21, "B": 10, "C": 6, "D": 13, "E": 7, "F": 3}
IDS = [f"{part}{number}" for part, count in _COUNTS.items() for number in range(1, count + 1)]


@dataclass(frozen=True, slots=True)
class Requirement:
    says: str
    state: str
    missing: str = ""
    proofs: frozenset[str] = frozenset()  # files with tests that name it


def requirements() -> dict[str, Requirement]:
    rows = tomllib.loads((ROOT / "docs" / "requirements.toml").read_text())
    named = proofs()
    return {name: Requirement(**row, proofs=frozenset(named.get(name, ()))) for name, row in rows.items()}


@cache
def proofs() -> dict[str, set[str]]:
    """The files whose tests name each requirement; those of the documentation prove no behaviour."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if path.parent.name != "docs":
            for name in _named(ast.parse(path.read_text())):
                found.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    return found


def _named(module: ast.Module) -> Iterator[str]:
    """The ids that a mark of the whole file names, or one of a test."""
    for each in module.body:
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "pytestmark":
            yield from _ids(each.value)
        elif isinstance(each, ast.FunctionDef) and each.name.startswith("test_"):
            for decorator in each.decorator_list:
                yield from _ids(decorator)


def _ids(mark: ast.expr) -> Iterator[str]:
    for node in ast.walk(mark):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.requirement":
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))


def row(name: str, requirement: Requirement) -> tuple[str, ...]:
    tests = ", ".join(f"[{Path(path).stem}](../{path})" for path in _telling(requirement.proofs))
    more = ", …" if len(requirement.proofs) > _SHOWN else ""
    return name, requirement.says, requirement.state, requirement.missing, tests + more


def _telling(tests: Iterable[str]) -> list[str]:
    """Some files of them, those first that try the whole: some requirements are named all over the tests."""
    return sorted(tests, key=lambda path: (_LEVELS.index(path.split("/")[1]), path))[:_SHOWN]
