"""Rules do no input or output: what `core` imports is the standard library, msgspec and itself."""

import ast
import sys
from pathlib import Path

import pytest

import redwell.core

CORE = Path(redwell.core.__file__).parent
_OUTSIDE = {"asyncio", "http", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "urllib.request"}


@pytest.mark.requirement("D1")
def test_the_core_imports_nothing_that_reaches_outside() -> None:
    imported = {name for path in CORE.rglob("*.py") for name in _imports(ast.parse(path.read_text()))}
    packages = {name.partition(".")[0] for name in imported}
    assert packages - set(sys.stdlib_module_names) <= {"msgspec", "redwell"}
    assert {name for name in imported if name.startswith("redwell") and not name.startswith("redwell.core")} == set()
    assert (packages | imported) & _OUTSIDE == set()


def _imports(module: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names
