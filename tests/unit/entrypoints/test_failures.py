"""What the operating system refuses is one line with an exit code of its own, for every command."""

import errno
import sqlite3
from pathlib import Path
from unittest.mock import patch

import pytest

from redwell.adapters.sqlite import database
from redwell.core.errors import DiskFull, ReadOnly, UserError
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli import main as cli


def ended(error: Exception, monkeypatch: pytest.MonkeyPatch, home: Path) -> int:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setenv("REDWELL_HOME", str(home))
    monkeypatch.setattr(cli, "call", fail)
    return cli.main(["jobs"])


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_exit_6_wherever_it_is_noticed(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = OSError(number, "No space left on device", str(tmp_path / "locks"))
    assert ended(refused, monkeypatch, tmp_path) == ExitCode.DISK_FULL
    assert "make room" in capsys.readouterr().err


def test_a_home_that_cannot_be_entered_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "home" / "control.sqlite"))
    assert ended(refused, monkeypatch, tmp_path / "home") == ExitCode.USAGE
    [line] = capsys.readouterr().err.splitlines()
    assert f"REDWELL_HOME {tmp_path / 'home'} can't be used" in line and "Permission denied" in line


def test_an_error_that_is_not_about_the_home_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        ended(FileNotFoundError(errno.ENOENT, "gone", "/elsewhere/file"), monkeypatch, tmp_path / "home")


def refusal(code: int, free: int, path: Path) -> type[Exception]:
    """What becomes of SQLite's own error, with so much room on the disk."""
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode = code
    usage = type("Usage", (), {"free": free})
    room = patch("shutil.disk_usage", return_value=usage)
    with room, pytest.raises((UserError, DiskFull, sqlite3.Error)) as caught, database._named_failures(path):
        raise error
    return caught.type


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE])
def test_sqlite_without_room_is_a_full_disk_for_readers_too(code: int, tmp_path: Path) -> None:
    assert refusal(code, 1 << 40, tmp_path / "case.sqlite") is DiskFull


def test_a_file_that_cannot_be_opened_is_a_full_disk_only_where_there_is_no_room(tmp_path: Path) -> None:
    assert refusal(sqlite3.SQLITE_CANTOPEN, 0, tmp_path / "case.sqlite") is DiskFull
    assert refusal(sqlite3.SQLITE_CANTOPEN, 1 << 40, tmp_path / "case.sqlite") is ReadOnly
    assert refusal(sqlite3.SQLITE_CORRUPT, 0, tmp_path / "case.sqlite") is sqlite3.OperationalError
