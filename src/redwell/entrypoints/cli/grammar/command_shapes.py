"""What commands have in common: how one is made, which options many of them take. Part of the grammar (parser.py)."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
NewCommand = Callable[[Commands, str, str, str], argparse.ArgumentParser]


def plain(commands: Commands, name: str, help_: str, call: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=help_, description=help_, allow_abbrev=False)
    command.set_defaults(command=call)
    return command


def cased(commands: Commands, name: str, help_: str, call: str) -> argparse.ArgumentParser:
    command = plain(commands, name, help_, call)
    command.add_argument("--case", required=True, metavar="CASE", help="the case's name")
    command.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    return command


def takes_settings(command: argparse.ArgumentParser) -> None:
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")


def number(least: int, most: int) -> Callable[[str], int]:
    def checked(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {text!r}")
        return int(text)

    return checked
