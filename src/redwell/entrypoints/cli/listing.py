"""The commands that look at a case: documents, exceptions, report, verify. They write nothing."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import structs

from redwell.core.case.findings import OPEN_STATEMENTS, Finding
from redwell.core.case.rendition_states import rendition_states
from redwell.core.case.rows import OPEN, Exhibit, Wanted
from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.ids import uuid_text
from redwell.entrypoints.cli.output.json_lines import json_line
from redwell.entrypoints.cli.output.number_gaps import NumberGaps
from redwell.entrypoints.cli.output.partial_answers import tell_incomplete
from redwell.entrypoints.cli.output.terminal import printable
from redwell.load.texts import AT_ONCE, with_texts
from redwell.runtime.bootstrap.open_reader import Reader, open_reader
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.upkeep.completeness import check_batch, completeness
from redwell.runtime.upkeep.originals import with_originals

Texted = tuple[Exhibit, str | None]
if TYPE_CHECKING:
    from redwell.ports.case_reader import CaseReader
    from redwell.runtime.upkeep.verify import Account


def reader_of(args: argparse.Namespace) -> Reader:
    return open_reader(home_folder(), args.case, load_settings())


def run_documents(args: argparse.Namespace) -> int:
    if args.text and not args.json:
        raise UserError("--text comes with --json: a text has many lines, a row of the plain listing has one")
    with reader_of(args) as case:
        if args.batch is not None:
            check_batch(case, args.batch)
        standing = completeness(case)  # before: what is done meanwhile may not be in the answer
        exhibits = case.rows.exhibits(Wanted(batch=args.batch, outcome=args.outcome))
        texts = with_texts(exhibits, case.rows, case.blobs) if args.text else ((each, None) for each in exhibits)
        gaps = NumberGaps()
        for line in _json_lines(case.rows, texts, gaps) if args.json else _lines(case.rows, exhibits, gaps):
            print(line)
        if gaps.found and not (args.json or args.outcome):
            print(gaps.explained(case.name), file=sys.stderr)
        tell_incomplete(case.name, standing, args.json)
    return ExitCode.OK


def _json_lines(rows: "CaseReader", texts: Iterable[Texted], gaps: NumberGaps) -> Iterator[str]:
    for exhibit, text, renditions in with_renditions(rows, texts):
        gaps.see(exhibit)
        yield json_line(for_json(exhibit, text, renditions))


def _lines(rows: "CaseReader", exhibits: Iterable[Exhibit], gaps: NumberGaps) -> Iterator[str]:
    for exhibit, original in with_originals(rows, exhibits):
        gaps.see(exhibit)
        yield _line(exhibit, original)


def with_renditions(
    rows: "CaseReader", texts: Iterable[Texted]
) -> Iterator[tuple[Exhibit, str | None, dict[str, str]]]:
    """How far its PDF, pages and recognition are; asked for many at once."""
    settings, following = {batch.id: batch.settings for batch in rows.batches()}, iter(texts)
    while some := list(islice(following, AT_ONCE)):
        parts = rows.parts([exhibit.id for exhibit, _ in some])
        for exhibit, text in some:
            states = rendition_states(parts.get(exhibit.id, []), settings.get(exhibit.batch, {}))
            yield exhibit, text, states


def _line(exhibit: Exhibit, original: str) -> str:
    columns = (exhibit.control_number or "-", exhibit.outcome or OPEN, exhibit.media_type or "-", exhibit.path)
    copy = [f"duplicate of {original}"] if original else []
    return "\t".join(map(printable, (*columns, exhibit.source, *copy)))


def for_json(exhibit: Exhibit, text: str | None = None, renditions: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The documented shape: hashes as hex, ids as UUIDs, the text only when it was asked for."""
    shown = structs.asdict(exhibit)
    del shown["text"], shown["ocr"]
    for key in ("sha256", "sha1", "md5"):
        shown[key] = shown[key].hex() if shown[key] else shown[key]
    for key in ("uid", "document"):
        shown[key] = uuid_text(shown[key]) if shown[key] else None
    shown["problems"] = [structs.asdict(problem) for problem in exhibit.problems]
    if renditions is not None:
        shown["renditions"] = renditions
    return shown if text is None else {**shown, "text": text}


def run_exceptions(args: argparse.Namespace) -> int:
    from redwell.core.csv_output import CsvOutput
    from redwell.runtime.upkeep.exceptions import FIELDS, exceptions

    with reader_of(args) as case:
        standing = completeness(case)
        table = CsvOutput(sys.stdout, FIELDS, raw=args.csv_raw) if args.csv or args.csv_raw else None
        for row in exceptions(case):
            if table:
                table.write(row)
            else:
                print(json.dumps(row) if args.json else _exception_line(row))
        tell_incomplete(case.name, standing, args.json)
    return ExitCode.OK


def _exception_line(row: Mapping[str, str]) -> str:
    what_to_do = f"resolved by {row['resolved']}" if row["resolved"] else row["remedy"]
    told = f"{printable(row['path'])}: {row['outcome']} in {row['stage']}: {printable(row['reason'])}"
    return told + (f" [{what_to_do}]" if what_to_do else "")


def run_verify(args: argparse.Namespace) -> int:
    from redwell.runtime.bootstrap.sketches import sketcher
    from redwell.runtime.loadfiles.balance import volumes_in_words
    from redwell.runtime.upkeep.verify import Account, noted, verify

    with reader_of(args) as case:
        case.require_kept_here(case.rows.info())
        account, counts = Account(), Counter[str]()
        for finding in verify(case, account, sketcher() if args.deep else None):
            counts["open" if finding.check in OPEN_STATEMENTS else "findings"] += 1
            print(_shown(finding, args.json))
        volumes = volumes_in_words(case.rows)
        for note in noted(case):
            counts["notes"] += 1
            print(_shown(note, args.json))
    code = verdict(counts)
    print(*volumes, sep="\n", end="\n" if volumes else "", file=sys.stderr)
    if args.json:
        print(json.dumps(_closing(account, counts, code)))
    print(f"{account}; {_told(counts)}", file=sys.stderr)
    return code


def verdict(counts: Mapping[str, int]) -> ExitCode:
    if counts["findings"]:
        return ExitCode.UNBALANCED
    return ExitCode.INCOMPLETE if counts["open"] else ExitCode.OK


def _closing(account: "Account", counts: Mapping[str, int], code: ExitCode) -> dict[str, Any]:
    """The last object of `verify --json`, which is there whatever was found."""
    told = {name: counts[name] for name in ("findings", "open", "notes")}
    return {"check": "all", "in_order": code is ExitCode.OK, **told, **asdict(account)}


def _told(counts: Mapping[str, int]) -> str:
    """What was found, in numbers."""
    told = [f"{counts['findings']} findings" if counts["findings"] else "all in order"]
    if counts["open"]:
        told.append(f"but sources not read to their end: {counts['open']}; what lies behind is unknown")
    if counts["notes"]:
        told.append(f"{counts['notes']} notes")
    return ", ".join(told)


def _shown(finding: Finding, as_json: bool) -> str:
    if as_json:
        return json.dumps({"check": finding.check, "subject": finding.subject, "detail": finding.detail})
    return f"{finding.check}: {finding.subject}: {finding.detail}"
