"""`redwell render` and `redwell get`: make what is wanted of documents, and hand out what there is of one."""

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from redwell.core.case.rows import Exhibit
from redwell.core.case.slip_sheet import has_slip_sheet
from redwell.core.errors import NotFound, ReadOnly, UserError, is_full
from redwell.core.exit_codes import ExitCode
from redwell.core.work.renderers import Goal
from redwell.entrypoints.cli.grammar.renditions import HANDED_OUT, OF_A_PAGE
from redwell.entrypoints.cli.importing import exit_code, work_off
from redwell.entrypoints.cli.listing import for_json, with_renditions
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_reader import Reader, open_reader
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.loadfiles.given import Handout, file_of_volume, normalised_load_file
from redwell.runtime.upkeep import rendering

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


def run_render(args: argparse.Namespace) -> int:
    goals = [Goal(kind) for kind in args.kind] if args.kind else list(rendering.ASKED)
    code, account = make_renditions(args, goals, args.numbers)
    print(json.dumps(account) if args.json else _in_words(account))
    return code


def make_renditions(args: argparse.Namespace, goals: list[Goal], numbers: list[str]) -> tuple[int, dict[str, Any]]:
    """Ask for what is wanted and work on it until it is there."""
    settings = rendering.eager_for(load_settings(args.set), goals)
    code: int = ExitCode.OK
    with open_case(home_folder(), args.case, settings) as case:
        batches = rendering.ask(case, numbers)
        open_works = {batch: case.store.open_rows(batch) for batch in batches}
        for batch in sorted(batches):
            code = exit_code(*work_off(case, batch, "render"))
            if code != ExitCode.OK:
                break
        account = {
            "case": case.name,
            "kinds": [goal.value for goal in goals],
            "renditions": sum(rows.renditions for rows in open_works.values()),
            "recognitions": sum(rows.recognitions for rows in open_works.values()),
            "finished": code == ExitCode.OK,
        }
    return code, account


def _in_words(account: dict[str, Any]) -> str:
    if not account["renditions"] and not account["recognitions"]:
        return "nothing to make: it is all there, or there is nothing that could be made"
    told = f"{account['renditions']:,} renditions and {account['recognitions']:,} recognitions were asked for"
    return told + ("" if account["finished"] else "; not finished, `redwell resume` goes on")


def run_get(args: argparse.Namespace) -> int:
    what = _asked(args)
    args.page = vars(args)[what] if what in OF_A_PAGE else None
    given = _given(args, what) or (None if what in ("file", "loadfile") else _made_now(args, what))
    if given is None and what in ("cleaned", "other"):
        raise NotFound(
            f"page {args.page} of {args.number} was not cleaned and read again, or what came of it was not kept"
        )
    if given is None:
        raise NotFound(
            f"{args.number} has no {what}{f' {args.page}' if args.page else ''}; `redwell exceptions` says why"
        )
    _write(given, args)
    return ExitCode.OK


def _asked(args: argparse.Namespace) -> str:
    """The grammar lets only one of them be said."""
    said = vars(args)
    of_page = (name for name in OF_A_PAGE if said[name] is not None)
    whole = (name for name in (*HANDED_OUT, "file") if said[name])
    return next(of_page, None) or next(whole, "native")


def _given(args: argparse.Namespace, what: str) -> Handout | None:
    """What there is already."""
    with _reader(args) as case:
        exhibit = rendering.exhibit_of(case.rows, case.name, args.number)
        match what:
            case "native":
                return rendering.native(case.rows, case.blobs, exhibit)
            case "file":
                return file_of_volume(case.rows, case.blobs, exhibit, args.file)
            case "loadfile":
                return normalised_load_file(case.rows, case.blobs, exhibit)
            case "text":
                return rendering.text(case.rows, case.blobs, exhibit)
            case "metadata":
                [(_, _, states)] = with_renditions(case.rows, [(exhibit, None)])
                return Handout(json.dumps(for_json(exhibit, None, states)).encode() + b"\n", "json")
        return rendering.made(case.rows, case.blobs, exhibit, what, args.page or 0)


def _made_now(args: argparse.Namespace, what: str) -> Handout | None:
    """What is lazy and was never made is made now; where no PDF can be made, a page says so."""
    try:
        make_renditions(args, [rendering.WHAT[what][1]], [args.number])
    except ReadOnly as error:
        raise ReadOnly(f"the {what} of {args.number} was never made, and nothing can be made here: {error}") from None
    given = _given(args, what)
    if given is None and what in ("pdf", "flattened"):
        with _reader(args) as case:
            exhibit = rendering.exhibit_of(case.rows, case.name, args.number)
            return _slip_sheet(exhibit, rendering.why_not(case.rows, exhibit))
    return given


def _slip_sheet(exhibit: Exhibit, reason: str) -> Handout | None:
    from redwell.runtime.bootstrap.slip_sheets import slip_sheet_of

    return Handout(slip_sheet_of(exhibit, reason), "pdf") if has_slip_sheet(exhibit) else None


def _reader(args: argparse.Namespace) -> Reader:
    return open_reader(home_folder(), args.case, load_settings(args.set))


def _write(given: Handout, args: argparse.Namespace) -> None:
    """To a file that is not there yet, or to stdout; a folder gets a file called by the control number."""
    if args.output is None:
        if sys.stdout.isatty() and given.extension not in ("txt", "json"):
            raise UserError(f"this is no text; say where to put it: -o {_file_name(args, given)}")
        sys.stdout.buffer.write(given.data)
        return
    place = Path(args.output)
    place = place / _file_name(args, given) if place.is_dir() else place
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if args.force else os.O_EXCL)
    try:
        descriptor = os.open(place, flags, 0o666)
    except FileExistsError:
        raise UserError(f"{place} is there already; --force writes over it") from None
    except OSError as error:
        if is_full(error):
            raise
        raise UserError(f"{place}: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(given.data)
    except OSError:  # a part of it would look like all of it
        place.unlink(missing_ok=True)
        raise
    print(f"{place}: {len(given.data):,} bytes", file=sys.stderr)


def _file_name(args: argparse.Namespace, given: Handout) -> str:
    page = f"-{args.page}" if args.page else ""
    return f"{_UNSAFE.sub('_', args.number)}{page}.{_UNSAFE.sub('_', given.extension)[:20]}"
