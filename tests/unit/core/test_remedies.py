"""Each outcome and problem has a remedy; each command in one is a command of this release, safe to paste."""

import re
import shlex

import pytest

from redwell.core.command_lines import command_line
from redwell.core.outcomes import Code, Outcome
from redwell.core.remedies import CODE_REMEDIES, RAISED, REMEDIES, remedy
from redwell.entrypoints.cli.parser import build_parser
from redwell.runtime.bootstrap.settings import Settings, load_settings

NAMES = ["plain", "Smith v Jones", "it's; rm -rf $HOME", "-dashed", 'Müller & "Co"']
REASONS = ["", *(f"stopped at {limit}=3" for limit in RAISED)]


def commands_in(words: str) -> list[list[str]]:
    return [shlex.split(found) for found in re.findall(r"redwell .*", words)]


def test_every_outcome_and_no_unknown_code_has_a_remedy() -> None:
    assert set(REMEDIES) == set(Outcome) and set(CODE_REMEDIES) <= set(Code)
    assert [outcome for outcome in Outcome if not remedy("c", outcome, "", "")] == [Outcome.SUCCESS]


@pytest.mark.parametrize("case", NAMES)
def test_every_command_in_a_remedy_is_understood_and_means_this_case(case: str) -> None:
    parser = build_parser()  # once: the command line of all commands takes longer than all remedies
    told = {
        (outcome, remedy(case, outcome, code, reason))
        for outcome in Outcome
        for code in ("", *Code)
        for reason in REASONS
    }
    commands = [(outcome, args) for outcome, words in told for _, *args in commands_in(words)]
    assert len(commands) > len(Outcome)
    for outcome, args in commands:
        parsed = parser.parse_args(args)
        meant = None if getattr(parsed, "lacking", False) else outcome  # that names no outcome
        assert parsed.case == case and getattr(parsed, "outcome", meant) == meant
        load_settings(parsed.set, environ={})


@pytest.mark.parametrize("limit", RAISED)
def test_a_limit_that_the_reason_names_is_a_setting_and_is_raised(limit: str) -> None:
    told = remedy("c", Outcome.PARTIAL, Code.LIMIT_REACHED, f"{limit}=5: its members were not opened")
    assert f"--outcome PARTIAL --set {limit}={RAISED[limit]}" in told
    assert RAISED[limit] > getattr(Settings(), limit)


def test_a_limit_without_a_setting_names_no_command() -> None:
    assert commands_in(remedy("c", Outcome.PARTIAL, Code.LIMIT_REACHED, "the picture has too many pixels")) == []


@pytest.mark.parametrize("case", NAMES)
def test_a_command_line_comes_back_from_the_shell_as_it_was(case: str) -> None:
    program, *args = shlex.split(command_line("resume", case, 7))
    parsed = build_parser().parse_args(args)
    assert (program, parsed.case, parsed.batch) == ("redwell", case, 7)
