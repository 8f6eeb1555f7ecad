"""The options of `redwell loadfile`, `overlay` and `import --overlay`. Used by the command line's grammar."""

import argparse
from collections.abc import Callable
from typing import Any

Add = Callable[[Any, str, str, str], argparse.ArgumentParser]


def add_load_files(commands: Any, command: Add, cased: Add) -> list[argparse.ArgumentParser]:
    """Those that change settings with --set."""
    group = command(commands, "loadfile", "what is wrong with a load file, and which column is which field", "")
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action", help="lint or map")
    lint = command(
        actions, "lint", "errors and warnings by row and column; changes nothing", "volumes.load_files.run_lint"
    )
    lint.add_argument("files", nargs="+", metavar="FILE", help="load files, or folders with some at their top")
    lint.add_argument("--mapping", metavar="FILE", help="which column is which field; `loadfile map` writes one")
    lint.add_argument("--all", action="store_true", help="every finding; else the first 20 of each kind")
    forms = lint.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    forms.add_argument("--csv", action="store_true", help="comma-separated, with a header")
    propose = command(actions, "map", "propose which column is which field, to be edited", "volumes.load_files.run_map")
    propose.add_argument("file", metavar="FILE", help="a load file with columns")
    propose.add_argument("-o", dest="output", metavar="MAPPING", help="write it there (TOML); nothing is overwritten")
    propose.add_argument("--json", action="store_true", help="machine-readable results on stdout")
    for each in (lint, propose):
        each.add_argument("--encoding", metavar="NAME", help="of the file, instead of finding out")
        each.add_argument("--separator", metavar="SIGN", help="between values: a sign, `tab` or its code point")
        each.add_argument("--qualifier", metavar="SIGN", help="around values: a sign, `none` or its code point")
        each.add_argument("--header", choices=("yes", "no"), help="whether the first row has the names of columns")
    return _overlays(commands, command, cased)


def describe_overlay(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--overlay", action="store_true", help="change fields and texts of documents that are there, by their ids"
    )
    command.add_argument("--preview", action="store_true", help="with --overlay: only say what would change")
    command.add_argument("--clear", action="store_true", help="with --overlay: an empty value empties the field")


def _overlays(commands: Any, command: Add, cased: Add) -> list[argparse.ArgumentParser]:
    group = command(commands, "overlay", "what overlays of load files changed", "")
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action", help="what to do")
    listed = cased(actions, "list", "every overlay of the case", "volumes.overlaying.run_list")
    show = cased(actions, "show", "what one changed: document, field, before, after", "volumes.overlaying.run_show")
    undo = cased(actions, "undo", "take one back, as one", "volumes.overlaying.run_undo")
    for each in (show, undo):
        each.add_argument("overlay", type=int, metavar="OVERLAY", help="its number")
    return [listed, show, undo]
