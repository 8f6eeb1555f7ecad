"""`redwell report`: the processing report as text, JSON, a page and a PDF, with its appendices."""

import argparse
import json
import os
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from redwell.core.case.findings import OPEN_STATEMENTS
from redwell.core.errors import UserError, is_full
from redwell.core.exit_codes import ExitCode
from redwell.core.report.as_html import as_html
from redwell.core.report.as_text import as_text
from redwell.core.report.sheet import Sheet
from redwell.entrypoints.cli.listing import reader_of
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.upkeep.completeness import check_batch
from redwell.runtime.upkeep.report import report
from redwell.runtime.upkeep.report_sheet import report_sheet
from redwell.runtime.upkeep.verify import Account, verify

_ON_A_TERMINAL = 50  # exceptions; a page has more, exceptions.csv all
_MOST_FINDINGS = 100
_WIDTH = 100  # of a text that is no terminal's


def run_report(args: argparse.Namespace) -> int:
    folder = _folder(args.appendices) if args.appendices else None
    with reader_of(args) as case:
        if args.batch is not None:
            check_batch(case, args.batch)
        batches = [batch for batch in case.rows.batches() if args.batch in (None, batch.id)]
        account = report(case, batches, folder=folder, verification=_verified(case) if args.verify else None)
    for path, made in ((args.html, _html), (args.pdf, _pdf)):
        if path:
            _write(Path(path), made(report_sheet(account)))
    if args.json:
        print(json.dumps(account))
    elif not (args.html or args.pdf):
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH
        print(as_text(report_sheet(account, _ON_A_TERMINAL), width))
    return ExitCode.OK


def _verified(case: Reader) -> dict[str, Any]:
    case.require_kept_here(case.rows.info())
    account, counts, listed = Account(), Counter[str](), list[str]()
    for finding in verify(case, account):
        counts["open" if finding.check in OPEN_STATEMENTS else "findings"] += 1
        if len(listed) < _MOST_FINDINGS:
            listed.append(f"{finding.check}: {finding.subject}: {finding.detail}")
    told = {"of": "all", "in_order": not listed, "findings": counts["findings"], "open": counts["open"]}
    return {**told, "listed": listed, "looked_at": str(account)}


def _html(sheet: Sheet) -> bytes:
    return as_html(sheet).encode("utf-8", "backslashreplace")


def _pdf(sheet: Sheet) -> bytes:
    from redwell.runtime.bootstrap.printed_reports import printed

    return printed(sheet)


def _folder(name: str) -> Path:
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{name}: {error.strerror}; name a folder for the appendices") from None
    return Path(name)


def _write(path: Path, data: bytes) -> None:
    """Whole, or not at all."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        if is_full(error):
            raise
        raise UserError(f"{path}: {error.strerror}; the report was not written") from None
    print(f"written: {path}", file=sys.stderr)
