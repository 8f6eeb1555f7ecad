"""What is installed without the repository: the wheel has everything that a command needs, and works from it alone."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.support.product import environment

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what git knows, so that leftovers of other builds are not in it."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    listed = subprocess.run(["git", "ls-files", "-z", "src"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in ["pyproject.toml", "README.md", *filter(None, listed.decode().split("\0"))]:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--wheel-dir", str(built), str(source)], check=True)
    [made] = built.glob("*.whl")
    return made


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    wanted = {name.removeprefix("src/") for name in listed.splitlines()}
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.mark.requirement("F1")
def test_an_import_works_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    installed, evidence = tmp_path / "installed", tmp_path / "in"
    zipfile.ZipFile(wheel).extractall(installed)
    evidence.mkdir()
    (evidence / "letter.txt").write_text("the valve")
    env = {**environment(tmp_path / "home"), "PYTHONPATH": str(installed)}
    program = "import redwell, sys; from redwell.entrypoints.cli.main import main; sys.exit(main())"

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program, *args], cwd=tmp_path, env=env, capture_output=True, text=True
        )

    where = [sys.executable, "-c", "import redwell; print(redwell.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).is_relative_to(installed), os.environ.get("PYTHONPATH")
    imported = run("import", str(evidence), "--case", "wheel")
    assert imported.returncode == 0, imported.stderr
    assert "letter.txt" in run("search", "--case", "wheel", "valve").stdout
