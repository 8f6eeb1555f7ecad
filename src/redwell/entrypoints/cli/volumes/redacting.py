"""`redwell redaction`: boxes given as a file, found by terms or patterns, listed, undone as one."""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from redwell.core.case.rows import Exhibit
from redwell.core.command_lines import command_line
from redwell.core.errors import NotFound, UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.production.redactions import Found, Redaction, read_file
from redwell.core.work.renderers import Goal
from redwell.entrypoints.cli.output.terminal import printable, who
from redwell.entrypoints.cli.rendering import make_renditions
from redwell.entrypoints.cli.volumes.producing import opened
from redwell.runtime.producing.bulk_redaction import as_redactions, found_in, note_of, sought_of
from redwell.runtime.producing.case_materials import CaseMaterials
from redwell.runtime.producing.chosen import exhibits_of, some_hits


def run_add(args: argparse.Namespace) -> int:
    try:
        data = Path(args.file).read_bytes()
    except OSError as error:
        raise UserError(f"{args.file}: {error.strerror}") from None
    with opened(args) as (case, store, _):
        named = {row.get("document", "") for row in _rows(data)}
        known = {control: each.id for control, each in case.rows.numbered(sorted(named)).items()}
        if missing := sorted(named - known.keys()):
            raise NotFound(f"case {case.name!r} has no exhibit {missing[0]!r}; `redwell documents` lists their numbers")
        redactions = read_file(data, known)
        change = store.redact(redactions, who(), f"from {Path(args.file).name}")
    _tell_change(change, redactions, args)
    return ExitCode.OK


def _rows(data: bytes) -> list[dict[str, str]]:
    try:
        rows = json.loads(data)
    except ValueError as error:
        raise UserError(f"no redactions in this file: {error}; it has to be a JSON list of objects") from None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def run_bulk(args: argparse.Namespace) -> int:
    """What is found is shown; without --preview it is drawn, as one change."""
    sought = sought_of(args.term, args.pattern)
    with opened(args) as (case, _, _):
        numbers = [each.control_number for each in exhibits_of(case.rows, some_hits(case, args.query))]
    make_renditions(args, [Goal.PDF, Goal.PAGES], numbers)
    redactions, unread = list[Redaction](), 0
    with opened(args) as (case, store, _):
        materials = CaseMaterials(case.rows, case.blobs)
        for exhibit in case.rows.numbered(numbers).values():
            found = list(found_in(exhibit, materials, sought))
            unread += not materials.words(exhibit)
            redactions += as_redactions(exhibit, found, args.reason)
            _tell_found(exhibit, found, args.json)
        if unread:
            print(f"{unread:,} documents have no words with known places, and were not looked through", file=sys.stderr)
        if args.preview or not redactions:
            told = f"{len(redactions):,} boxes would be drawn"
            print(json.dumps({"boxes": len(redactions), "preview": True}) if args.json else told)
            return ExitCode.OK
        change = store.redact(redactions, who(), note_of(args.query, args.term, args.pattern))
    _tell_change(change, redactions, args)
    return ExitCode.OK


def _tell_found(exhibit: Exhibit, found: Sequence[Found], as_json: bool) -> None:
    for each in found:
        told = {"document": exhibit.control_number, "page": each.page, "text": each.text, "boxes": len(each.boxes)}
        line = f"{exhibit.control_number}  page {each.page}  {printable(each.text)}"
        print(json.dumps(told) if as_json else line)


def run_list(args: argparse.Namespace) -> int:
    with opened(args) as (case, store, _):
        if args.number:
            found = case.rows.numbered([args.number]).get(args.number)
            if found is None:
                raise NotFound(f"case {case.name!r} has no exhibit {args.number!r}")
            for each in store.redactions([found.id]).get(found.id, []):
                sides = f"{each.left:.4f} {each.top:.4f} {each.right:.4f} {each.bottom:.4f}"
                line = f"{each.id}  page {each.page}  {sides}  {each.reason}"
                print(json.dumps(msgspec.to_builtins(each)) if args.json else line)
            return ExitCode.OK
        for change in store.changes():
            when = datetime.fromtimestamp(change.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
            state = "  undone" if change.undone else ""
            line = (
                f"{change.id}  {when}  {change.who}  {change.boxes:,} boxes, {change.removed:,} removed  {change.note}"
            )
            print(json.dumps(change._asdict()) if args.json else line + state)
    return ExitCode.OK


def run_undo(args: argparse.Namespace) -> int:
    with opened(args) as (_, store, _):
        boxes = store.undo(args.change, who())
    told = f"change {args.change} is undone: {boxes:,} boxes are as they were before"
    print(json.dumps({"change": args.change, "boxes": boxes}) if args.json else told)
    return ExitCode.OK


def _tell_change(change: int, redactions: Sequence[Redaction], args: argparse.Namespace) -> None:
    documents = len({each.exhibit for each in redactions})
    if args.json:
        print(json.dumps({"change": change, "boxes": len(redactions), "documents": documents}))
    else:
        print(
            f"change {change}: {len(redactions):,} boxes on {documents:,} documents; "
            f"take it back with: {command_line('redaction undo', args.case, change)}"
        )
