"""The arguments of `redwell cases` and `redwell case`."""

import argparse
from collections.abc import Callable
from typing import Any


def add_cases(commands: Any, command: Callable[..., argparse.ArgumentParser]) -> None:
    """`command` makes one of the commands; all of them can answer as JSON."""
    listed = command(commands, "cases", "every case: state, size, last activity", "casework.run_cases")
    listed.add_argument("--deleted", action="store_true", help="those that were deleted, when and by whom")
    group = command(commands, "case", "name a case otherwise, delete it, or bring it to another place", "")
    every = "rename, delete, export, import or move"
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action", help=every)
    rename = command(actions, "rename", "call a case otherwise; nothing else of it changes", "casework.run_rename")
    delete = command(
        actions, "delete", "delete a case with all that is in it, and say what is gone", "casework.run_delete"
    )
    for each in (rename, delete):
        each.add_argument("--case", required=True, metavar="CASE", help="the case's name")
        each.add_argument("--yes", action="store_true", help="do not ask")
    rename.add_argument("name", metavar="NAME", help="its new name")
    export = command(actions, "export", "write all of a case into a folder", "case_moving.run_export")
    arrive = command(actions, "import", "make a case of an exported one, in this home", "case_moving.run_import")
    move = command(
        actions,
        "move",
        "bring a case to another home or kind of storage; the old one goes",
        "case_moving.run_move",
    )
    for each in (export, move):
        each.add_argument("--case", required=True, metavar="CASE", help="the case's name")
    export.add_argument("-o", "--output", required=True, metavar="DIR", help="a new folder, or one to go on with")
    arrive.add_argument("folder", metavar="DIR", help="what `case export` wrote")
    arrive.add_argument("--as", dest="name", metavar="CASE", help="its name here (the one that it had)")
    move.add_argument("--home", metavar="DIR", help="the home that it goes to (this one)")
    move.add_argument("--yes", action="store_true", help="do not ask")
    for each in (arrive, move):
        each.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="settings of the place that it comes to"
        )
    for each in (listed, rename, delete, export, arrive, move):
        each.add_argument("--json", action="store_true", help="machine-readable results on stdout")
