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
from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.schemas import opened
from redwell.ports.understanding import DocumentData, Wish
from redwell.runtime.bootstrap.open_services import open_queue
from redwell.runtime.bootstrap.open_understanding import UnderstoodCase, open_model
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.bootstrap.tables_out import write_table
from redwell.runtime.monitor.logs import bound, set_up
from redwell.runtime.understanding.exporting import columns_of, row_of
from redwell.runtime.understanding.messages import IngestionMessages, ingest_queue
from redwell.runtime.understanding.planning import chosen, plan, schema_named
from redwell.runtime.understanding.run import Account, Heartbeat, Run

_WARNINGS = 30


def run(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    set_up(settings.log_format, _WARNINGS)
    with UnderstoodCase(home_folder(), args.case, settings, bring_up_to_date=True) as case, ExitStack() as models:
        schema = schema_named(case.store, args.schema).id if args.schema else None
        wish = Wish(exhibit=0, schema=schema, uploader=getpass.getuser())
        again = args.again or schema is not None
        added = plan(case.store, chosen(case, args.numbers, args.query), wish, again=again)
        choice = case.store.model()
        model = open_model(choice)
        if model:
            models.callback(model.close)
        owner = models.enter_context(case.alive())
        work = Run(case.tools(model, choice), slots=max(1, args.slots), owner=owner)
        work.on_progress = _progress(added)
        with bound(case=case.name):
            account = _worked_off(case, work)
        states = case.store.counts()
    told = {"asked": added, "model": choice.told, "remote": choice.is_remote, **asdict(account), "documents": states}
    print(json.dumps(told) if args.json else _in_words(told))
    return ExitCode.OK


def _worked_off(case: UnderstoodCase, work: Run) -> Account:
    """From the rows, or where documents travel through queues by messages that name them."""
    if case.settings.queue == "ledger":
        return work.until_none_is_left()
    name = ingest_queue(case.settings.name_prefix, case.place.number)
    with open_queue(case.home, case.settings) as queue, Heartbeat(case.store) as heart:
        messages = IngestionMessages(queue, name, case.store)
        while messages.sweep():
            while messages.poll(work, heart, wait_s=1):
                work.on_progress(work.account)
    return work.account


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
