"""Looking is not working: whoever only looks writes nothing, and needs no place where that could be done."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.evidence import make_evidence
from tests.support.product import environment, redwell
from tests.support.read_only import state_of, through_read_only

pytestmark = pytest.mark.xdist_group("read-only")  # at one import
LOOKING = {
    "documents": ("documents", "--case", "c", "--json", "--text"),
    "search": ("search", "--case", "c", "the"),
    "exceptions": ("exceptions", "--case", "c"),
    "report": ("report", "--case", "c"),
    "verify": ("verify", "--case", "c"),
    "jobs": ("jobs", "--all"),
    "workers": ("workers",),
    "parked list": ("parked", "list", "--case", "c"),
    "parked show": ("parked", "show", "--case", "c"),
}
KEPT_BESIDE = {  # by what writes its rows, too
    name: (*name.split(), "--case", "c")
    for name in ("production list", "redaction list", "schema list", "model show", "source list", "overlay list")
} | {"review list": ("review", "list", "--case", "c"), "get": ("get", "--case", "c", "RW00000001"), "cases": ("cases",)}
WORKING = {
    "import": ("import", "{source}", "--case", "c"),
    "import into a new case": ("import", "{source}", "--case", "new"),
    "resume": ("resume", "--case", "c"),
    "retry": ("retry", "--case", "c", "--outcome", "CRASHED"),
    "cancel": ("cancel", "--case", "c", "1"),
    "gc": ("gc", "--case", "c"),
    "reindex": ("reindex", "--case", "c"),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("read-only")
    source = make_evidence(folder / "in", mails=5)
    run = redwell(folder / "home", "import", str(source), "--case", "c", faulty=True)
    assert run.returncode == 0, run.stderr
    return folder / "home"


@pytest.mark.parametrize("name", LOOKING)
def test_looking_changes_nothing_in_the_home(name: str, home: Path) -> None:
    before = state_of(home)
    assert redwell(home, *LOOKING[name]).returncode == 0
    assert state_of(home) == before


@pytest.mark.parametrize("name", [*LOOKING, *KEPT_BESIDE])
def test_looking_works_where_nothing_can_be_written(name: str, home: Path) -> None:
    command = {**LOOKING, **KEPT_BESIDE}[name]
    plain = redwell(home, *command)
    assert plain.returncode == 0, plain.stderr
    mounted = redwell(home, *command, through=through_read_only(home))
    assert (mounted.returncode, mounted.stderr) == (0, plain.stderr)
    assert _but_for_when(mounted.stdout) == _but_for_when(plain.stdout)


def _but_for_when(told: str) -> str:
    """A report says when it was made."""
    return re.sub(r"Made \S+ \S+ UTC", "Made", told)


def test_what_is_kept_beside_the_ledger_can_not_be_changed_there(home: Path, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '{"title": "letter", "type": "object", "properties": {"date": {"type": "string"}}}'
    )
    run = redwell(
        home, "schema", "add", str(tmp_path / "a.json"), "--case", "c", "--name", "a", through=through_read_only(home)
    )
    assert run.returncode == 2 and "can't be opened for writing" in run.stderr and run.stderr.count("\n") == 1


@pytest.mark.parametrize("name", WORKING)
def test_what_has_to_write_says_in_one_line_that_it_can_not(name: str, home: Path) -> None:
    command = [part.format(source=home.parent / "in") for part in WORKING[name]]
    run = redwell(home, *command, through=through_read_only(home))
    assert (run.returncode, run.stdout) == (2, "")
    assert "read-only" in run.stderr and run.stderr.count("\n") == 1


def killed(folder: Path) -> Path:
    """A home in which an import was killed: its rows are partly in the file beside the database."""
    source = make_evidence(folder / "in", mails=5)
    run = redwell(
        folder / "home", "import", str(source), "--case", "c", faulty=True, REDWELL_TRIP="record.after_commit"
    )
    assert run.returncode == -signal.SIGKILL
    assert (folder / "home/cases/1/case.sqlite-wal").stat().st_size
    return folder / "home"


@pytest.mark.parametrize("without", ["nothing", "case.sqlite-shm"])
def test_a_case_whose_import_was_killed_can_be_looked_at_where_nothing_can_be_written(
    without: str, tmp_path: Path
) -> None:
    home = killed(tmp_path)
    shown = redwell(home, "documents", "--case", "c", "--json")
    assert shown.returncode == 0 and "is not finished" in shown.stderr and shown.stdout
    shutil.copytree(home, tmp_path / "copy", ignore=shutil.ignore_patterns(without, "control.sqlite*"))
    mounted = redwell(
        tmp_path / "copy", "documents", "--case", "c", "--json", through=through_read_only(tmp_path / "copy")
    )
    assert (mounted.returncode, mounted.stdout) == (0, shown.stdout), mounted.stderr


def test_a_looking_command_loads_nothing_that_only_work_needs(home: Path) -> None:
    """What a start costs, in modules instead of seconds."""
    code = (
        "import sys; from redwell.entrypoints.cli.main import main; code = main(sys.argv[1:]);"
        " print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    heavy = {"sqlalchemy", "tantivy", "redwell.handlers.host.registry", "redwell.runtime.bootstrap.open_case"}
    for name, command in LOOKING.items():
        run = subprocess.run(
            [sys.executable, "-c", code, *command], env=environment(home), capture_output=True, text=True, timeout=120
        )
        assert run.returncode == 0, run.stderr
        wanted = {"tantivy"} if name in {"search", "verify"} else set()
        assert heavy & set(run.stderr.split()) == wanted, name
