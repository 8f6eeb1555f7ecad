"""`redwell completion SHELL`: what a shell needs to complete commands, options and paths, made from the grammar."""

import argparse
from collections.abc import Iterator

import shtab

from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.parser import build_parser

_PATHS = {"FILE": shtab.FILE, "MAPPING": shtab.FILE, "SOURCE": shtab.FILE, "DIR": shtab.DIRECTORY}


def run_completion(args: argparse.Namespace) -> int:
    parser = build_parser()
    for command in _with_those_below(parser):
        for action in command._actions:
            if isinstance(action.metavar, str) and action.metavar in _PATHS:
                action.complete = _PATHS[action.metavar]  # type: ignore[attr-defined]  # shtab's way to be told
    print(shtab.complete(parser, shell=args.shell), end="")
    return ExitCode.OK


def _with_those_below(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _with_those_below(command)
