"""The file of settings as commands read it, with secrets by reference from files and a real AWS server (D12)."""

import json
from pathlib import Path

import boto3
import pytest
from tests.support import aws

from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.main import main
from redwell.runtime.bootstrap.settings import load_settings

pytestmark = pytest.mark.requirement("D12")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REDWELL_HOME", str(tmp_path))
    for name in ("REDWELL_CONFIG", "REDWELL_ENVIRONMENT", "REDWELL_REGION"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_environment_and_command_line_win_over_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "redwell.toml").write_text("chunk = 3\nslots = 3\nlarge_mb = 3\n")
    monkeypatch.setenv("REDWELL_SLOTS", "4")
    found = load_settings(["large_mb=5"])
    assert (found.chunk, found.slots, found.large_mb) == (3, 4, 5)


def test_show_tells_where_a_setting_comes_from_and_no_secret(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "pw").write_text("postgresql://u:hidden@h/d\n")
    (home / "redwell.toml").write_text(f"chunk = 3\ndatabase = 'file:{home / 'pw'}'\n")
    assert main(["config", "show", "--json"]) == 0
    rows = {row["key"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert rows["chunk"] == {"key": "chunk", "value": 3, "from": "redwell.toml"}
    assert (rows["database"]["value"], rows["slots"]["from"]) == ("***", "default")
    assert load_settings().database == "postgresql://u:hidden@h/d"


def test_check_names_every_mistake_of_every_pair(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "redwell.toml").write_text(
        "[environments.qa]\nchunck = 1\n[environments.production]\nslots = 'many'\ndatabase = 'file:/nowhere'\n"
    )
    assert main(["config", "check", "--secrets"]) == ExitCode.DEFECTS
    told = capsys.readouterr().out
    assert all(
        word in told
        for word in ("did you mean chunk?", "slots needs a whole number", "setting database: it is file:/nowhere")
    )
    (home / "redwell.toml").write_text("chunk = 2\n")
    assert main(["config", "check"]) == ExitCode.OK


@pytest.mark.parametrize("text", ["chunk = ", "\x00", "chunk = [1]"])
def test_a_file_that_is_none_is_named(home: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "redwell.toml").write_text(text)
    assert main(["config", "show"]) == ExitCode.USAGE
    assert "redwell.toml" in capsys.readouterr().err


def test_secrets_come_from_aws_by_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    boto3.client("ssm").put_parameter(Name="/redwell/hook", Value="from ssm", Type="SecureString", Overwrite=True)
    name = f"redwell/{home.name}"
    boto3.client("secretsmanager").create_secret(Name=name, SecretString='{"url": "postgresql://x/y"}')
    found = load_settings(["webhook_secret=ssm:/redwell/hook", f"database=secret:{name}#url"])
    assert (found.webhook_secret, found.database) == ("from ssm", "postgresql://x/y")
    with pytest.raises(UserError, match="no key 'password'"):
        _ = load_settings([f"database=secret:{name}#password"]).database
