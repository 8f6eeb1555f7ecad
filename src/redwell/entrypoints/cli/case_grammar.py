"""The arguments of `redwell cases` and `redwell case`."""

import argparse
from collections.abc import Callable
from typing import Any


def add_cases(commands: Any, command: Callable[..., argparse.ArgumentParser]) -> None:
    """`command` makes one of the commands; all of them can answer as JSON."""
    listed = command(commands, "cases", "every case: state, size, last activity", "casework.run_cases")
    listed.add_argument("--deleted", action="store_true", help="those that were deleted, when and by whom")
    group = command(commands, "case", "give a case another name, or delete it", "")
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action", help="rename or delete")
    rename = command(actions, "rename", "call a case otherwise; nothing else of it changes", "casework.run_rename")
    delete = command(
        actions, "delete", "delete a case with all that is in it, and say what is gone", "casework.run_delete"
    )
    for each in (rename, delete):
        each.add_argument("--case", required=True, metavar="CASE", help="the case's name")
        each.add_argument("--yes", action="store_true", help="do not ask")
    rename.add_argument("name", metavar="NAME", help="its new name")
    for each in (listed, rename, delete):
        each.add_argument("--json", action="store_true", help="machine-readable results on stdout")
