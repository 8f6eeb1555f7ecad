"""`redwell cases` and `redwell case`: every case there is, and a new name or the end of one."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.report.sizes import in_words
from redwell.entrypoints.cli.output.terminal import printable
from redwell.runtime.bootstrap.open_reader import checked_name
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.upkeep import cases


def run_cases(args: argparse.Namespace) -> int:
    home, settings = home_folder(), load_settings()
    rows: Iterable[dict[str, Any]]
    if args.deleted:
        from redwell.runtime.bootstrap.cases.case_removal import removed_cases  # and all that opens cases for work

        rows = removed_cases(home, settings)
    else:
        rows = cases.cases(home, settings)
    count = 0
    for row in rows:
        count += 1
        print(json.dumps(row) if args.json else _deleted_line(row) if args.deleted else _line(row))
    if not count:
        none = "no case was deleted" if args.deleted else f"there are no cases in {home}; `redwell import` makes one"
        print(none, file=sys.stderr)
    return ExitCode.OK


def _line(row: Mapping[str, Any]) -> str:
    head = f"{printable(row['case'])} (number {row['number']}): {row['state']}"
    if row["documents"] is not None:
        last = row["last_activity"][:19].replace("T", " ") + " UTC" if row["last_activity"] else "never"
        head += f", {row['documents']:,} documents in {row['batches']:,} batches, {in_words(row['bytes'])}, last {last}"
    kept = f", kept on {row['kept']}" if row["kept"] != "here" else ""
    return head + kept + (f"; {printable(row['problem'])}" if row["problem"] else "")


def _deleted_line(row: Mapping[str, Any]) -> str:
    return f"{cases.in_short(row)}, deleted {row['at']} by {row['by']} on {row['host']}"


def run_rename(args: argparse.Namespace) -> int:
    home, settings = home_folder(), load_settings()
    confirmed(args, f"case {args.case!r} will be called {args.name!r}", args.name)
    told = cases.rename(home, settings, args.case, args.name)
    said = f"case {told['was']!r} is called {told['case']!r} now"
    print(json.dumps(told) if args.json else printable(said))
    return ExitCode.OK


def run_delete(args: argparse.Namespace) -> int:
    from redwell.runtime.bootstrap.cases.case_removal import place_of_case  # and all that opens cases for work

    home, settings = home_folder(), load_settings()
    before = cases.described(place_of_case(home, settings, checked_name(args.case)), settings)
    confirmed(args, f"{cases.in_short(before)} will be deleted for good", args.case)
    told = cases.delete(home, settings, args.case)
    print(json.dumps(told) if args.json else "\n".join(_gone(told)))
    if not told["left"]:
        return ExitCode.OK
    for line in told["left"]:
        print(f"redwell: not deleted: {printable(line)}", file=sys.stderr)
    print("redwell: mend that, then run the same command again", file=sys.stderr)
    return ExitCode.SERVICE_UNAVAILABLE


def _gone(told: Mapping[str, Any]) -> list[str]:
    head = printable(cases.in_short(told))
    lines = [f"{head}: {'deleted' if not told['left'] else 'deleted in part'} {told['at']} by {told['by']}"]
    for name, what in told["removed"].items():
        if what:
            shown = ", ".join(f"{key} {value}" for key, value in what.items()) if isinstance(what, dict) else str(what)
            lines.append(printable(f"  {name}: {shown}"))
    return lines


def confirmed(args: argparse.Namespace, what: str, word: str) -> None:
    """`--yes`, or the name typed once more by whoever sits at a terminal."""
    if args.yes:
        return
    if not sys.stdin.isatty():
        raise UserError(f"{printable(what)}; nothing was done: say --yes if that is meant")
    print(f"{printable(what)}\ntype {printable(word)!r} to go on: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().rstrip("\n") != word:
        raise UserError("that was another name; nothing was done")
