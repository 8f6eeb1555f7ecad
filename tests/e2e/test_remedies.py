"""Every command that `exceptions` prints does what it says: it is run as it stands, and the problem is gone."""

import io
import json
import shlex
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.support.evidence import protected_pdf, zipped
from tests.support.product import ask, redwell, verified

CASE = "Smith's"
SECRET = "open sesame"


def exceptions(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ask(home, "exceptions", "--case", CASE, "--json").stdout.splitlines()]


def followed(home: Path, remedy: str, cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typed as it is printed."""
    _, found, command = remedy.partition("redwell ")
    assert found, remedy
    monkeypatch.chdir(cwd)
    run = redwell(home, *shlex.split(command), faulty=True)
    assert run.returncode == 0, run.stderr


def nested(depth: int) -> bytes:
    data = zipped({"innermost.txt": b"the innermost needle"})
    for level in range(depth):
        data = zipped({f"level{level}.zip": data})
    return data


def many(count: int) -> bytes:
    return zipped({f"{number}.txt": b"member %d" % number for number in range(count)})


def large() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("large.txt", b"many words " * 200_000)
        archive.writestr("small.txt", b"few words")
    return out.getvalue()


LIMITS = {
    "max_depth": ("deep.zip", nested(4), "2"),
    "max_members": ("many.zip", many(5), "2"),
    "max_member_mb": ("large.zip", large(), "1"),
    "max_total_mb": ("large.zip", large(), "1"),
    "max_text_chars": ("words.txt", b"many words " * 1_000, "50"),
}


@pytest.mark.requirement("A20")
@pytest.mark.parametrize("limit", LIMITS)
def test_a20_the_remedy_of_a_limit_takes_out_what_it_kept_in(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, data, value = LIMITS[limit]
    home = tmp_path / "home"
    (tmp_path / name).write_bytes(data)
    run = redwell(home, "import", str(tmp_path / name), "--case", CASE, "--set", f"{limit}={value}")
    assert run.returncode == 0, run.stderr
    before = exceptions(home)
    told = [row for row in before if f"--set {limit}=" in row["remedy"]]
    assert told, before
    followed(home, told[0]["remedy"], tmp_path, monkeypatch)
    assert exceptions(home) == []
    verified(home, CASE)


@pytest.mark.requirement("A20")
def test_a20_the_remedy_of_a_protected_file_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (tmp_path / "in.pdf").write_bytes(protected_pdf("the clause", SECRET))
    assert redwell(home, "import", str(tmp_path / "in.pdf"), "--case", CASE).returncode == 0
    [row] = exceptions(home)
    (tmp_path / "passwords.txt").write_text(SECRET)
    followed(home, row["remedy"], tmp_path, monkeypatch)
    assert exceptions(home) == []
    verified(home, CASE)


@pytest.mark.requirement("A20")
@pytest.mark.parametrize(
    ("fault", "outcome", "limits"),
    [
        ("hang_in_a_regex", "TIMED_OUT", ["small_wall_s=1", "large_wall_s=1"]),
        ("segfault", "CRASHED", []),
        ("eat_memory", "OUT_OF_MEMORY", ["small_rss_mb=150", "large_rss_mb=200"]),
    ],
)
def test_a20_the_remedy_of_what_gave_no_result_reads_it_again(
    fault: str, outcome: str, limits: list[str], tmp_path: Path
) -> None:
    """These fail whatever is set, so only the settings of the command are taken back."""
    home = tmp_path / "home"
    (tmp_path / "in.bin").write_text(f"FAULT {fault}\n")
    settings = [part for limit in limits for part in ("--set", limit)]
    run = redwell(home, "import", str(tmp_path / "in.bin"), "--case", CASE, *settings, faulty=True)
    assert run.returncode == 0, run.stderr
    [row] = [row for row in exceptions(home) if row["outcome"] == outcome]
    command = shlex.split(row["remedy"].partition("redwell ")[2])
    again = redwell(home, *command, *settings, "--json", faulty=True)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["contents"] == 1


def test_what_is_open_names_the_command_that_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (tmp_path / "in").mkdir()
    for number in range(3):
        (tmp_path / "in" / f"{number}.txt").write_text("words")
    redwell(home, "import", str(tmp_path / "in"), "--case", CASE, REDWELL_TRIP="read.before_commit")
    *rows, last = exceptions(home)
    assert "unfinished" in last and {row["outcome"] for row in rows} == {"OPEN"}
    followed(home, rows[0]["remedy"], tmp_path, monkeypatch)
    assert exceptions(home) == []


def test_a_file_that_vanishes_during_the_import_is_told_as_that(tmp_path: Path) -> None:
    """Listed, and gone when it is to be read."""
    home = tmp_path / "home"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "gone.txt").write_text("words")
    redwell(home, "import", str(tmp_path / "in"), "--case", CASE, REDWELL_TRIP="walk.after_close")
    (tmp_path / "in" / "gone.txt").unlink()
    assert redwell(home, "resume", "--case", CASE).returncode == 0
    [row] = exceptions(home)
    assert row["code"] == "SOURCE_VANISHED" and "gone when it was to be read" in row["reason"]
    assert "damaged" not in row["remedy"] and "import the source again" in row["remedy"]
