"""`redwell import --overlay` and `redwell overlay`: change fields and texts by id, say what changed, take it back."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redwell.core.case.rows import Exhibit
from redwell.core.command_lines import command_line
from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.loadfiles.overlay import NewValue
from redwell.entrypoints.cli.output.terminal import printable, who
from redwell.ports.overlays import OverlayStore
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.open_overlays import open_overlays, overlays_of
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.loadfiles.importing import read_mapping
from redwell.runtime.loadfiles.overlay_texts import Keeping
from redwell.runtime.loadfiles.overlaying import Account, Request, apply_overlay
from redwell.runtime.upkeep.reindex import catch_up
from redwell.runtime.worker.storing import seen_storing

_SHOWN = 50


@contextmanager
def _opened(args: argparse.Namespace) -> Iterator[tuple[Case, OverlayStore]]:
    with open_case(home_folder(), args.case, load_settings(args.set)) as case, closing(open_overlays(case)) as store:
        yield case, store


def _looked_at(args: argparse.Namespace) -> closing[OverlayStore]:
    return closing(overlays_of(home_folder(), args.case, load_settings(args.set)))


def run_overlay(args: argparse.Namespace) -> int:
    if args.type != "loadfile" or len(args.sources) != 1:
        raise UserError("an overlay is one load file: redwell import --type loadfile FILE --case CASE --overlay")
    request = Request(
        source=Path(args.sources[0]),
        who=who(),
        mapping=read_mapping(Path(args.mapping)) if args.mapping else None,
        clears=args.clear,
        preview=args.preview,
    )
    shown = _Shown(args.json)
    with _opened(args) as (case, store):
        keeping = Keeping(case.rows, case.blobs, case.settings.max_text_chars)
        with seen_storing(case):
            account = apply_overlay(keeping, store, request, shown)
        is_found = request.preview or catch_up(case)  # also what one that was killed left pending
    _tell(account, args, shown.count)
    if not is_found:
        print("another process works on the case: the index follows there", file=sys.stderr)
    return ExitCode.DEFECTS if account.refused else ExitCode.OK


class _Shown:
    """Each value that changes, a line; the first ones only where a person reads them."""

    def __init__(self, as_json: bool) -> None:
        self.count, self._as_json = 0, as_json

    def __call__(self, exhibit: Exhibit, values: Sequence[NewValue]) -> None:
        for each in values:
            self.count += 1
            if self._as_json or self.count <= _SHOWN:
                print(_line(exhibit.control_number, each.name, each.before, each.after, self._as_json))


def _line(control: str, name: str, before: Any, after: Any, as_json: bool) -> str:
    if as_json:
        return json.dumps({"document": control, "field": name, "before": before, "after": after})
    return printable(f"{control}  {name}: {_plain(before)} -> {_plain(after)}")


def _plain(value: Any) -> str:
    if value is None:
        return "(none)"
    if isinstance(value, dict):  # a text
        return f"{value['chars']:,} characters"
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _tell(account: Account, args: argparse.Namespace, changed: int) -> None:
    for row, name, why in account.refused if args.json else account.refused[:_SHOWN]:
        line = json.dumps({"row": row, "id": name, "refused": why})
        print(line if args.json else printable(f"row {row:,} ({name or 'no id'}) changes nothing: {why}"))
    if args.json:
        told = {"overlay": account.overlay or None, "preview": args.preview, **account.counts}
        print(json.dumps({**told, "left_out": account.left_out}))
        return
    for more in (changed, len(account.refused)):
        if more > _SHOWN:
            print(f"and {more - _SHOWN:,} more; --json has all")
    if account.left_out:
        print(
            f"not changed by an overlay: {', '.join(account.left_out)} (natives, pages and families come with a volume)"
        )
    does = "would change" if args.preview else "changed"
    print(
        f"{account.rows:,} rows: {account.documents:,} documents {does} ({account.values:,} values), "
        f"{account.unchanged:,} are so already, {len(account.refused):,} change nothing"
    )
    if account.overlay:
        undo = command_line("overlay undo", args.case, account.overlay)
        print(f"overlay {account.overlay}; take it back with: {undo}")


def run_list(args: argparse.Namespace) -> int:
    with _looked_at(args) as store:
        for each in store.overlays():
            if args.json:
                print(json.dumps(each._asdict()))
                continue
            when = datetime.fromtimestamp(each.at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")
            told = ", ".join(f"{count:,} {name}" for name, count in each.counts.items()) or "stopped before its end"
            print(f"{each.id}  {when}  {each.who}  {printable(each.name)}: {told}{'  undone' if each.undone else ''}")
    return ExitCode.OK


def run_show(args: argparse.Namespace) -> int:
    with _looked_at(args) as store:
        for each in store.values(args.overlay):
            print(_line(each.control, each.name, each.before, each.after, args.json))
    return ExitCode.OK


def run_undo(args: argparse.Namespace) -> int:
    with _opened(args) as (case, store):
        documents = store.undo(args.overlay, who())
        catch_up(case)
    told = f"overlay {args.overlay} is undone: {documents:,} documents are as they were without it"
    print(json.dumps({"overlay": args.overlay, "documents": documents}) if args.json else told)
    return ExitCode.OK
