"""The command line's grammar names its commands, and whoever starts one waits for that one alone."""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

from redwell.entrypoints.cli.parser import build_parser


def _commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    groups = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not groups:
        yield parser.get_default("command")
    for group in groups:
        for command in group.choices.values():
            yield from _commands(command)


def test_every_command_of_the_grammar_is_a_function() -> None:
    commands = sorted(set(_commands(build_parser())))
    assert "importing.run_import" in commands
    for command in commands:
        module, _, function = command.rpartition(".")
        assert callable(getattr(import_module(f"redwell.entrypoints.cli.{module}"), function))


def test_help_comes_without_waiting_for_what_only_commands_need() -> None:
    program = (
        "import sys; from redwell.entrypoints.cli.main import main\n"
        "try: main(['--help'])\n"
        "finally: assert not {'sqlalchemy', 'tantivy', 'redwell.runtime.bootstrap.open_case'} & set(sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert "redwell import ./evidence" in run.stdout
