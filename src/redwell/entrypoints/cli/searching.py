"""The commands that ask the search index of a case: search, terms. They write nothing."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.search.explanation import explained
from redwell.core.search.query import Node, by_family
from redwell.core.search.request import CONTROL_NUMBER, SCORE, Cursor, Search, Sort
from redwell.core.search.words import VERSION
from redwell.entrypoints.cli.listing import for_json, reader_of
from redwell.entrypoints.cli.output.json_lines import json_line
from redwell.entrypoints.cli.output.partial_answers import tell_incomplete
from redwell.entrypoints.cli.output.terminal import printable
from redwell.ports.search_index import Hit, Hits
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.citing.places import citations
from redwell.runtime.upkeep.completeness import completeness
from redwell.runtime.upkeep.term_report import Term, term_report

_AT_ONCE = 50_000  # hits of one page where all are listed: the index goes through all of them for each page
_ROWS = 1_000  # of them that are read and printed together


def run_search(args: argparse.Namespace) -> int:
    with reader_of(args) as case:
        standing = completeness(case)
        wanted = _wanted(args, case)
        understood = explained(wanted.query, case.zone)
        if args.explain:
            print(f"understood as: {understood}", file=sys.stderr)
        shown, found = 0, Hits()
        for found in _pages(case, wanted, every=args.all):
            shown += len(found.hits)
            _print_page(case, found.hits, args.json, None if args.all else wanted.query)
        if args.json:
            print(json.dumps({"search": _told(args.query, understood, case, found, shown)}))
        print(_counted(found, shown), file=sys.stderr)
        tell_incomplete(case.name, standing, args.json)
    return ExitCode.OK


def _wanted(args: argparse.Namespace, case: Reader) -> Search:
    query = case.understood(args.query)
    return Search(
        query=by_family(query) if args.families else query,
        sort=Sort.read(args.sort or (CONTROL_NUMBER if args.all else SCORE)),
        limit=_AT_ONCE if args.all else args.limit,
        after=Cursor.read(args.after) if args.after else None,
        snippets=not args.all,
        positions=args.json and not args.all,
    )


def _pages(case: Reader, wanted: Search, *, every: bool) -> Iterator[Hits]:
    found = case.index.search(wanted)
    yield found
    while every and found.after is not None:
        found = case.index.search(replace(wanted, after=found.after))
        yield found


def _print_page(case: Reader, hits: Sequence[Hit], as_json: bool, query: Node | None) -> None:
    for start in range(0, len(hits), _ROWS):
        for line in _lines(case, hits[start : start + _ROWS], as_json, query):
            print(line)


def _lines(case: Reader, hits: Sequence[Hit], as_json: bool, query: Node | None) -> Iterator[str]:
    exhibits = case.rows.some([hit.exhibit for hit in hits])
    for hit in hits:
        exhibit = exhibits.get(hit.exhibit)
        if exhibit is not None:
            cited = citations(case.rows, case.blobs, exhibit, query, case.stems) if query else []
            yield json_line(_hit_for_json(exhibit, hit, cited)) if as_json else _hit_lines(exhibit, hit, cited)


def _hit_for_json(exhibit: Exhibit, hit: Hit, cited: Sequence[str]) -> dict[str, Any]:
    shown = {**for_json(exhibit), "score": hit.score}
    if cited:
        shown["citations"] = list(cited)
    if hit.snippet:
        shown["snippet"] = hit.snippet
    if hit.positions:
        shown["positions"] = [asdict(span) for span in hit.positions]
    return shown


def _hit_lines(exhibit: Exhibit, hit: Hit, cited: Sequence[str]) -> str:
    place = f"{exhibit.control_number}  {printable(exhibit.path)}  ({printable(exhibit.source)})"
    place += f"\n    at {', '.join(cited)}" if cited else ""
    return f"{place}\n    {printable(hit.snippet)}" if hit.snippet else place


def _told(query: str, understood: str, case: Reader, found: Hits, shown: int) -> dict[str, Any]:
    """The last object of `search --json`, before what is said of an unfinished case."""
    return {
        "query": query,
        "understood": understood,
        "timezone": str(case.zone),
        "word_rules": VERSION,
        "total": found.total,
        "shown": shown,
        "after": str(found.after) if found.after else None,
    }


def _counted(found: Hits, shown: int) -> str:
    told = f"{found.total:,} {'hit' if found.total == 1 else 'hits'}"
    if shown < found.total:
        told += f", {shown:,} shown; --all shows every one"
    return told + (f", the next ones --after {found.after}" if found.after else "")


def run_terms(args: argparse.Namespace) -> int:
    from redwell.core.csv_output import CsvOutput

    try:
        lines = Path(args.file).read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read the terms in {args.file}: {error}") from error
    with reader_of(args) as case:
        standing = completeness(case)
        rows = [_row(term) for term in term_report(case, lines)]
        if not (args.csv or args.json):
            print("".join(f"{name.replace('_', ' '):>16}" for name in _COLUMNS[1:]) + "  term")
        table = CsvOutput(sys.stdout, tuple(_COLUMNS)) if args.csv else None
        for row in rows:
            if table:
                table.write({name: str(value) for name, value in row.items()})
            else:
                print(json.dumps(row) if args.json else _term_line(row))
        tell_incomplete(case.name, standing, args.json)
    return ExitCode.OK


_COLUMNS = ("term", "documents", "families", "unique", "unique_families")


def _row(term: Term) -> dict[str, Any]:
    return dict(zip(_COLUMNS, (term.query, *term.counts), strict=True))


def _term_line(row: dict[str, Any]) -> str:
    counts = "".join(f"{row[name]:>16,}" for name in _COLUMNS[1:])
    return f"{counts}  {printable(row['term'])}"
