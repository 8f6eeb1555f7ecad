"""`redwell understand` and `redwell review`: documents become data, and what became of them."""

import argparse
import getpass
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from redwell.core.csv_output import CsvOutput
from redwell.core.errors import Recoverable, UserError
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.schemas import opened
from redwell.entrypoints.cli.stopping import stopped_by_signal
from redwell.ports.understanding import DocumentData, Wish
from redwell.runtime.bootstrap.open_understanding import UnderstoodCase, has_open_understanding
from redwell.runtime.bootstrap.settings import Settings, home_folder, load_settings
from redwell.runtime.bootstrap.tables_out import write_table
from redwell.runtime.monitor.logs import set_up
from redwell.runtime.understanding.case_run import CaseUnderstanding
from redwell.runtime.understanding.exporting import columns_of, row_of
from redwell.runtime.understanding.planning import chosen, plan, schema_named
from redwell.runtime.understanding.run import Account

_WARNINGS = 30


def run(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    set_up(settings.log_format, _WARNINGS)
    with UnderstoodCase(home_folder(), args.case, settings, bring_up_to_date=True) as case:
        schema = schema_named(case.store, args.schema).id if args.schema else None
        wish = Wish(exhibit=0, schema=schema, uploader=getpass.getuser())
        again = args.again or schema is not None
        added = plan(case.store, chosen(case, args.numbers, args.query), wish, again=again)
        choice = case.store.model()
        account = Account() if args.queue else _worked_off(case, max(1, args.slots), added)
        if args.queue:
            case.announce()
        states = case.store.counts()
    told = {"asked": added, "model": choice.told, "remote": choice.is_remote, **asdict(account), "documents": states}
    print(json.dumps(told) if args.json else _in_words(told))
    return ExitCode.OK


def _worked_off(case: UnderstoodCase, slots: int, added: int) -> Account:
    work = CaseUnderstanding(case, slots)
    work.on_progress = _progress(added)
    with stopped_by_signal(work, "go on with `redwell understand`"):
        return work()


def understand_arrivals(folder: Path, name: str, settings: Settings) -> None:
    """Behind an import, where the case has schemas. What can't be asked now waits for a worker or a later call."""
    if settings.understand != "arrivals" or not has_open_understanding(folder, settings):
        return
    with UnderstoodCase(folder.parents[1], name, settings) as case:
        work = CaseUnderstanding(case)
        with stopped_by_signal(work, "go on with `redwell understand`"):
            try:
                account = work()
            except (Recoverable, UserError) as error:
                print(f"the documents are not understood yet: {error}", file=sys.stderr)
                return
        model = case.store.model().told
    failed = f", {account.failed:,} failed" if account.failed else ""
    told = f"{account.completed:,} documents understood by {model}, {account.flagged:,} for a person to look at{failed}"
    print(told, file=sys.stderr)


def _progress(total: int) -> Callable[[Account], None]:
    def show(account: Account) -> None:
        if sys.stderr.isatty():
            print(f"\r{account.completed + account.failed:,} of {total:,}", end="", file=sys.stderr, flush=True)

    return show


def _in_words(told: dict[str, Any]) -> str:
    states = ", ".join(f"{count:,} {state}" for state, count in sorted(told["documents"].items()))
    return (
        f"{told['asked']:,} documents asked about, by {told['model']}: {told['completed']:,} completed, of these "
        f"{told['flagged']:,} for a person to look at; {told['failed']:,} failed. Of the case: {states or 'none'}"
    )


def run_counts(args: argparse.Namespace) -> int:
    with opened(args) as case:
        states, model = case.store.counts(), case.store.model()
    if args.json:
        print(json.dumps({"documents": states, "model": model.told, "remote": model.is_remote}))
    else:
        for state, count in sorted(states.items()):
            print(f"{state}\t{count:,}")
    return ExitCode.OK


def run_export(args: argparse.Namespace) -> int:
    if args.format == "parquet" and not args.output:
        raise UserError("a Parquet file can't be printed: say where to put it with -o FILE")
    with opened(args) as case, ExitStack() as files:
        rows = [each for each in _every(case) if args.schema in (None, each.schema)]
        out: TextIO = sys.stdout
        if args.format == "parquet":
            write_table(Path(args.output), columns_of(rows), [row_of(each) for each in rows])
        elif args.output:
            out = files.enter_context(open(args.output, "w", encoding="utf-8", newline=""))
        if args.format != "parquet":
            _write(rows, out, args.format)
    print(f"{len(rows):,} documents", file=sys.stderr)
    return ExitCode.OK


def _every(case: UnderstoodCase) -> Iterator[DocumentData]:
    after = 0
    while some := case.store.data(after):
        yield from some
        after = some[-1].exhibit


def _write(rows: list[DocumentData], out: TextIO, form: str) -> None:
    if form == "jsonl":
        for each in rows:
            told = {"control_number": each.control_number, "schema": each.schema, "needs_review": each.needs_review}
            print(json.dumps({**told, "data": each.data}), file=out)
        return
    table = CsvOutput(out, columns_of(rows))
    for each in rows:
        table.write(row_of(each))
