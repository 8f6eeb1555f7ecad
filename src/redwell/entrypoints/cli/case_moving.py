"""`redwell case export|import|move`: a case between homes and kinds of storage."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.casework import confirmed
from redwell.entrypoints.cli.output.terminal import printable
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.upkeep import moving


def run_export(args: argparse.Namespace) -> int:
    told = moving.export_case(home_folder(), load_settings(), args.case, Path(args.output).absolute(), _tell)
    return _say(args, told, f"exported to {told['folder']}")


def run_import(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    told = moving.import_case(home_folder(), settings, Path(args.folder).absolute(), args.name, _tell)
    return _say(args, told, f"is case {told['case']!r} (number {told['number']}) here")


def run_move(args: argparse.Namespace) -> int:
    home, wanted = home_folder(), load_settings(args.set)
    other = Path(args.home).absolute() if args.home else home
    confirmed(args, f"case {args.case!r} will be brought to {other} and deleted where it is", args.case)
    told = moving.move_case(home, load_settings(), args.case, (other, wanted), _tell)
    return _say(args, told, f"moved to {told['home']}")


def _say(args: argparse.Namespace, told: Mapping[str, Any], what: str) -> int:
    counts = f"{told.get('exhibits', 0):,} exhibits, {told.get('contents', 0):,} contents, {told.get('rows', 0):,} rows"
    print(json.dumps(told) if args.json else printable(f"{told['case']}: {counts}, the same at both ends; {what}"))
    return ExitCode.OK


def _tell(count: int) -> None:
    if sys.stderr.isatty():
        print(f"{count:,} contents", end="\r", file=sys.stderr)
