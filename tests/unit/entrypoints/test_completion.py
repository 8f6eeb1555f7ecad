"""Completion of the command line, by a real shell where there is one on every machine."""

import subprocess
from pathlib import Path

import pytest

from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.main import main
from redwell.entrypoints.cli.parser import build_parser

ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
complete -p redwell | grep -q _shtab_redwell
_shtab_redwell redwell "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def for_bash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["completion", "bash"]) == ExitCode.OK
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    (tmp_path / "letter.txt").touch()
    return tmp_path / "completion"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["imp"], {"import"}),
        (["case", ""], {"rename", "delete", "export", "import", "move"}),
        (["import", "--un"], {"--until"}),
        (["import", "--until", ""], {"searchable", "finished"}),
        (["completion", "f"], {"fish"}),
        (["import", "lett"], {"letter.txt"}),
    ],
    ids=lambda value: " ".join(sorted(value)) if isinstance(value, set) else " ".join(value),
)
def test_bash_offers_what_the_grammar_allows(typed: list[str], offered: set[str], for_bash: Path) -> None:
    command = ["bash", "-c", ASK, "bash", str(for_bash), "redwell", *typed]
    run = subprocess.run(command, cwd=for_bash.parent, capture_output=True, text=True, check=True)
    assert offered <= set(run.stdout.split()), run.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_in_what_a_shell_is_given(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == ExitCode.OK
    said = capsys.readouterr().out
    [commands] = [action.choices for action in build_parser()._subparsers._group_actions]  # type: ignore[union-attr]
    assert commands
    assert [name for name in commands or () if name not in said] == []
