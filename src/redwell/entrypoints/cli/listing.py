"""The commands that look at a case: documents, search, exceptions, report, verify, gc, reindex."""

import argparse
import csv
import json
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

from redwell.core.errors import NotFound
from redwell.core.exit_codes import ExitCode
from redwell.core.outcomes import NOTES, Outcome, remedy
from redwell.entrypoints.cli.terminal import printable
from redwell.load.project import with_texts
from redwell.runtime.bootstrap import Case, open_case
from redwell.runtime.cases import Cases
from redwell.runtime.gc import collect_garbage
from redwell.runtime.reindex import reindex
from redwell.runtime.report import report, report_in_words
from redwell.runtime.settings import home_folder, load_settings
from redwell.runtime.verify import Account, Finding, noted, verify


def _case(args: argparse.Namespace, *, guest: bool = False) -> Case:
    """As a guest for what needs neither index nor peace: rows and bytes are the same on every machine."""
    return open_case(home_folder(), args.case, load_settings(), guest=guest)


def run_documents(args: argparse.Namespace) -> int:
    with _case(args, guest=True) as case:
        exhibits = case.store.exhibits(batch=args.batch, outcome=args.outcome)
        if args.json and args.text:
            for exhibit, text in with_texts(exhibits, case.store, case.blobs):
                print(json.dumps(for_json(exhibit, text)))
            return ExitCode.OK
        for exhibit in exhibits:
            print(json.dumps(for_json(exhibit, None)) if args.json else _line(exhibit))
    return ExitCode.OK


def _line(exhibit: Mapping[str, Any]) -> str:
    columns = (exhibit["control_number"], exhibit["outcome"] or "OPEN", exhibit["media_type"] or "-", exhibit["path"])
    return "\t".join(map(printable, columns))


def for_json(exhibit: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    """The documented shape: hashes as hex, ids as UUIDs, the text only when it was asked for."""
    shown = {
        key: value.hex() if key in {"sha256", "sha1", "md5"} and value else value for key, value in exhibit.items()
    }
    for key in ("uid", "document"):
        shown[key] = str(uuid.UUID(bytes=shown[key])) if shown[key] else None
    del shown["text"]
    return shown if text is None else {**shown, "text": text}


def run_search(args: argparse.Namespace) -> int:
    with _case(args) as case:
        found = case.index.search(args.query, limit=args.limit)
        for hit in found.hits:
            exhibit = case.store.exhibit(hit.exhibit)
            if exhibit is None:
                continue
            if args.json:
                shown = {**for_json(exhibit, None), "score": hit.score, "snippet": hit.snippet}
                print(json.dumps(shown))
            else:
                print(f"{exhibit['control_number']}  {printable(exhibit['path'])}\n    {printable(hit.snippet)}")
        shown_part = f", {len(found.hits)} shown" if len(found.hits) < found.total else ""
        print(f"{found.total:,} {'hit' if found.total == 1 else 'hits'}{shown_part}", file=sys.stderr)
    return ExitCode.OK


def run_exceptions(args: argparse.Namespace) -> int:
    fields = ["control_number", "path", "stage", "outcome", "code", "reason", "remedy"]
    with _case(args, guest=True) as case:
        writer = csv.DictWriter(sys.stdout, fields)
        if args.csv:
            writer.writeheader()
        for row in exceptions(case):
            if args.csv:
                writer.writerow(row)
            elif args.json:
                print(json.dumps(row))
            else:
                print(
                    f"{printable(row['path'])}: {row['outcome']} in {row['stage']}: {printable(row['reason'])}"
                    + (f" [{row['remedy']}]" if row["remedy"] else "")
                )
    return ExitCode.OK


def exceptions(case: Case) -> Iterator[dict[str, str]]:
    """One row per problem; an outcome that names no problem is a row of its own."""
    for exhibit in case.store.exhibits():
        problems = [problem for problem in exhibit["problems"] if problem["code"] not in NOTES]
        if exhibit["outcome"] in (Outcome.SUCCESS, Outcome.FILTERED) and not problems:
            continue
        for problem in problems or [{"code": "", "detail": exhibit["detail"]}]:
            outcome = Outcome(exhibit["outcome"]) if exhibit["outcome"] else None
            yield {
                "control_number": exhibit["control_number"],
                "path": exhibit["path"],
                "stage": _stage(exhibit),
                "outcome": outcome or "OPEN",
                "code": problem["code"],
                "reason": problem["detail"] or exhibit["detail"] or exhibit["media_type"] or "",
                "remedy": remedy(outcome, problem["code"]) if outcome else "redwell resume",
            }


def _stage(exhibit: Mapping[str, Any]) -> str:
    if exhibit["document"] is not None:
        return "extract"
    return "unpack" if exhibit["depth"] > 0 else "intake"


def run_report(args: argparse.Namespace) -> int:
    with _case(args, guest=True) as case:
        batches = [b for b in case.store.batches() if args.batch in (None, b["id"])]
        if not batches:
            raise NotFound(f"case {args.case!r} has no batch {args.batch}")
        account = report(case, batches)
        print(json.dumps(account) if args.json else report_in_words(account))
    return ExitCode.OK


def run_verify(args: argparse.Namespace) -> int:
    with _case(args) as case:
        account, wrong = Account(), 0
        for finding in verify(case, account):
            wrong += 1
            print(_shown(finding, args.json))
        notes = 0
        for note in noted(case):
            notes += 1
            print(_shown(note, args.json))
        told = f"{f'{wrong} findings' if wrong else 'all in order'}{f', {notes} notes' if notes else ''}"
        print(f"{account}; {told}", file=sys.stderr)
    return ExitCode.UNBALANCED if wrong else ExitCode.OK


def _shown(finding: Finding, as_json: bool) -> str:
    if as_json:
        return json.dumps({"check": finding.check, "subject": finding.subject, "detail": finding.detail})
    return f"{finding.check}: {finding.subject}: {finding.detail}"


def run_gc(args: argparse.Namespace) -> int:
    with _case(args) as case:
        files, size = collect_garbage(case, args.dry_run)
    if args.json:
        print(json.dumps({"files": files, "bytes": size, "dry_run": args.dry_run}))
    else:
        print(f"{'would remove' if args.dry_run else 'removed'} {files:,} files, {size:,} bytes")
    return ExitCode.OK


def run_reindex(args: argparse.Namespace) -> int:
    def tell(count: int) -> None:
        if sys.stderr.isatty():
            print(f"{count:,} exhibits", end="\r", file=sys.stderr)

    if args.here:
        with closing(Cases(home_folder(), load_settings())) as cases:
            cases.take_over(args.case)
    with _case(args) as case:
        count = reindex(case, tell)
    print(json.dumps({"exhibits": count}) if args.json else f"indexed {count:,} exhibits anew")
    return ExitCode.OK
