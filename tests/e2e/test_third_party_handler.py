"""CONTRIBUTING.md's promise: an installed package with an entry point adds a format."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.requirement("A6")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "handler_vcard"
CARDS = (
    b"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Dana Dean\r\nEMAIL:dana.dean@example.com\r\n"
    b"NOTE:knows about the coat\r\n ing\r\nPHOTO;ENCODING=b:R0lGODdhAQABAIAAAP//\r\n"
    b" /////ywAAAAAAQABAAACAkQBADs=\r\nPHOTO:not base64!\r\nEND:VCARD\r\n"
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example package, built and installed by pip into a folder of its own."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", folder / "site", folder / "source"], check=True
    )
    return folder / "site"


def redwell(home: Path, site: Path, *arguments: str) -> list[dict[str, object]]:
    environment = {**os.environ, "REDWELL_HOME": str(home), "PYTHONPATH": str(site)}
    run = subprocess.run(
        [sys.executable, "-m", "redwell.entrypoints.cli.main", *arguments, "--case", "cards", "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_an_installed_package_adds_a_format(installed: Path, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    (evidence / "contacts.vcf").write_bytes(CARDS)
    home = tmp_path / "home"
    [summary] = redwell(home, installed, "import", str(evidence))
    assert summary["balanced"] is True
    documents = {str(each["path"]): each for each in redwell(home, installed, "documents", "--text")}
    card = documents["contacts.vcf"]
    assert (card["kind"], card["outcome"]) == ("contact", "PARTIAL")  # one photograph could not be taken out
    assert card["metadata"]["title"] == "Dana Dean"  # type: ignore[index]
    assert "knows about the coating" in str(card["text"])
    children = {each["outcome"] for path, each in documents.items() if path.startswith("contacts.vcf//")}
    assert children == {"SUCCESS", "INVALID_FILE"}
    hit, told = redwell(home, installed, "search", "coating")
    assert hit["path"] == "contacts.vcf"
    assert told["search"]["total"] == 1  # type: ignore[index]
