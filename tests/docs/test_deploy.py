"""The files of deploy/ are what their tools take for right, and agree with the code they deploy."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from redwell.runtime.bootstrap.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    [
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml"],
        ["hadolint", "deploy/Containerfile"],
    ],
    ids=lambda command: command[0],
)
def test_deployment_files_are_taken_for_right_by_their_linters(command: list[str]) -> None:
    run = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_compose_sets_settings_that_there_are_and_asks_for_what_the_example_has() -> None:
    text = (ROOT / "deploy/compose.yaml").read_text()
    known = {f"REDWELL_{field.name.upper()}" for field in fields(Settings)} | {"REDWELL_HOME"}
    services = yaml.safe_load(text)["services"]
    named = {
        key for service in services.values() for key in service.get("environment", {}) if key.startswith("REDWELL_")
    }
    assert named - known == set()
    wanted = set(re.findall(r"\$\{(\w+):\?\}", text))
    example = (ROOT / "deploy/example.env").read_text()
    assert wanted == set(re.findall(r"^(\w+)=", example, re.MULTILINE))


def test_the_image_installs_the_extras_that_are_pinned() -> None:
    pinned = (ROOT / "requirements/runtime.txt").read_text()
    assert "requirements/runtime.txt" in (ROOT / "deploy/Containerfile").read_text()
    assert all(f"\n{name}==" in pinned for name in ("boto3", "duckdb", "fastapi", "psycopg", "tesserocr"))
