"""A disk without any room left: whoever looks is answered, whoever writes is told, and afterwards all is as it was."""

import subprocess
from pathlib import Path

import pytest
from tests.support.engine import folder_of
from tests.support.product import command, environment

LOOKING = ("documents", "search needle", "exceptions", "report", "verify", "get RW00000001", "production list")
WRITING = ("reindex", "retry --outcome SUCCESS", "import $SOURCE", "get RW00000001 -o $REDWELL_HOME/out")


@pytest.mark.requirement("F1")
def test_a_full_disk_costs_no_answer_and_every_command_that_writes_says_so(tmp_path: Path) -> None:
    """A tmpfs in a mount namespace of its own. What failed to write leaves files that SQLite can't read beside."""
    (tmp_path / "home").mkdir()
    options = "--case c --set reserve_mb=0"
    steps = [
        f"mount -t tmpfs -o size=32m none {tmp_path / 'home'}",
        f"$RUN import $SOURCE {options} --set sandbox=best; echo imported $?",
        f"dd if=/dev/zero of={tmp_path / 'home/fill'} bs=1k",
        *(f"$RUN {each} --case c >/dev/null; echo '{each}' $?" for each in (*WRITING, *LOOKING)),
        f"test -e {tmp_path / 'home/out'}; echo left $?",
        f"rm {tmp_path / 'home/fill'}",
        "$RUN retry --case c --outcome SUCCESS --set reserve_mb=0 --set sandbox=best; echo again $?",
        "$RUN verify --case c; echo verified $?",
    ]
    run = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", " ; ".join(steps)],
        env=environment(
            tmp_path / "home", RUN=" ".join(command()), SOURCE=str(folder_of(tmp_path / "in", 3, "needle"))
        ),
        capture_output=True,
        text=True,
        timeout=300,
    )
    ended = dict(line.rsplit(" ", 1) for line in run.stdout.splitlines() if line[-1:].isdigit() and " " in line)
    assert {name: ended[name] for name in LOOKING} == dict.fromkeys(LOOKING, "0"), run.stderr
    assert {name: ended[name] for name in WRITING} == dict.fromkeys(WRITING, "6"), run.stderr
    assert "Traceback" not in run.stderr and ended["left"] == "1"
    assert (ended["imported"], ended["again"], ended["verified"]) == ("0", "0", "0"), run.stdout + run.stderr
