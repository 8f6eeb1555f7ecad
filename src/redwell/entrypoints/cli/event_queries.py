"""`redwell events sql` and `queries`: what happened, asked with SQL (SPEC A16)."""

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from redwell.core.csv_output import CsvOutput
from redwell.core.errors import UserError
from redwell.core.events.status_queries import READY
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.output.terminal import printable
from redwell.ports.messaging.status_store import Answer
from redwell.runtime.bootstrap.open_statuses import open_statuses
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.upkeep.event_files import bring_up_to_date

_WIDEST = 60  # of a column on a terminal
_SHOWN = 1_000


def run_sql(args: argparse.Namespace) -> int:
    settings, home = load_settings(args.set), home_folder()
    if not home.is_dir():
        raise UserError(f"REDWELL_HOME {home} does not exist; `redwell import` makes it")
    store = open_statuses(home, settings)
    for told in [] if args.as_is else bring_up_to_date(home, settings, store):
        print(f"redwell: {told}", file=sys.stderr)
    ready = READY.get(args.query)
    answer = store.ask(ready.sql if ready else args.query)
    if args.json:
        for row in answer.rows:
            print(json.dumps(dict(zip(answer.columns, map(_plain, row), strict=True))))
    elif args.csv:
        out = CsvOutput(sys.stdout, answer.columns)
        for row in answer.rows:
            out.write({name: _cell(value) for name, value in zip(answer.columns, row, strict=True)})
    else:
        _table(answer)
    return ExitCode.OK


def run_queries(args: argparse.Namespace) -> int:
    for name, query in READY.items():
        if args.json:
            print(json.dumps({"name": name, "says": query.says, "sql": query.sql}))
        else:
            print(f"{name}\n    {query.says}\n")
    if not args.json:
        print(
            "ask one with: redwell events sql NAME\nor anything of the view `events`; docs/monitor.md has its columns"
        )
    return ExitCode.OK


def _plain(value: Any) -> Any:
    """As JSON has it; a column of JSON is part of the row, not a text in it."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value[:1] in "{[":
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _table(answer: Answer) -> None:
    """Columns as wide as what is in them; of a long answer the first rows, with a word about the rest."""
    rows = list(_first(answer.rows))
    cells = [[printable(_cell(value))[:_WIDEST] for value in row] for row in rows[:_SHOWN]]
    widths = [max(len(cell) for cell in column) for column in zip(answer.columns, *cells, strict=True)]
    for line in (answer.columns, *cells):
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    if len(rows) > _SHOWN:
        print(f"more than {_SHOWN:,} rows; --json or --csv gives all of them", file=sys.stderr)
    elif not rows:
        print("nothing", file=sys.stderr)


def _first(rows: Iterator[Any]) -> Iterator[Any]:
    for _, row in zip(range(_SHOWN + 1), rows, strict=False):
        yield row
