"""What is installed without the repository: wheel and sdist have everything that a command needs, and work alone."""

import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.support.product import environment

ROOT = Path(__file__).resolve().parents[2]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What git knows, so that leftovers of other builds are not in it."""
    folder = tmp_path_factory.mktemp("source")
    for name in ["pyproject.toml", "README.md", *_of_git()]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("wheel")
    wheel = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(built), str(source)]
    subprocess.run([*PIP, *wheel], check=True)
    [made] = built.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def sdist(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("sdist")
    program = f"from setuptools import build_meta; build_meta.build_sdist({str(built)!r})"
    subprocess.run([sys.executable, "-c", program], cwd=source, check=True, capture_output=True)
    [made] = built.glob("*.tar.gz")
    return made


def _of_git() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z", "src"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0") if name]


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    wanted = {name.removeprefix("src/") for name in _of_git()}
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_the_sdist_has_every_file_of_the_package(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", *_of_git()} - names == set()


@pytest.mark.requirement("F1")
def test_an_sdist_that_is_installed_into_an_empty_environment_imports_and_finds(sdist: Path, tmp_path: Path) -> None:
    """The environment has the packages that Redwell needs, and nothing of the repository."""
    clean, evidence = tmp_path / "clean", tmp_path / "in"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(clean)], check=True)
    [packages] = clean.glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")  # the .pth files there are not read
    install = ["--python", str(clean / "bin" / "python"), "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*PIP, *install, str(sdist)], check=True)
    evidence.mkdir()
    (evidence / "letter.txt").write_text("the valve")
    env = environment(tmp_path / "home")

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        there = [clean / "bin" / command[0], *command[1:]]
        return subprocess.run(there, cwd=tmp_path, env=env, capture_output=True, text=True)

    found = run("python", "-c", "import redwell; print(redwell.__file__)").stdout
    assert Path(found.strip()).is_relative_to(clean)
    imported = run("redwell", "import", str(evidence), "--case", "installed")
    assert imported.returncode == 0, imported.stderr
    assert "letter.txt" in run("redwell", "search", "--case", "installed", "valve").stdout
