"""`redwell export`: a selection as files in a folder."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redwell.core.case.rows import Exhibit
from redwell.core.exit_codes import ExitCode
from redwell.core.work.renderers import Goal
from redwell.entrypoints.cli.output.partial_answers import tell_incomplete
from redwell.entrypoints.cli.rendering import make_renditions
from redwell.ports.materials import Materials
from redwell.ports.printing import Printing
from redwell.produce.exporting import Export, Selection, begun
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_reader import Reader, open_reader
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.bootstrap.slip_sheets import slip_sheet_of
from redwell.runtime.producing.case_materials import CaseMaterials
from redwell.runtime.producing.chosen import exhibits_of, some_hits
from redwell.runtime.producing.pool_for_out import printing_for
from redwell.runtime.upkeep import rendering
from redwell.runtime.upkeep.completeness import completeness

_TOLD_EVERY = 500


def run_export(args: argparse.Namespace) -> int:
    folder = Path(args.output)
    with open_reader(home_folder(), args.case, load_settings(args.set)) as case:
        standing = completeness(case)
        selection = begun(folder, lambda: _selected(args, case))
        numbers = [each.control_number for each in exhibits_of(case.rows, selection.exhibits)]
    if args.pdf:
        make_renditions(args, [Goal.PDF], numbers)
    with open_reader(home_folder(), args.case, load_settings(args.set)) as case:

        def sheet(exhibit: Exhibit) -> bytes:
            return slip_sheet_of(exhibit, rendering.why_not(case.rows, exhibit))

        with _means(args, case, folder) as (materials, printing):
            export = Export(lambda keys: exhibits_of(case.rows, keys), materials, selection, sheet)
            files = export.write(folder, printing, lambda count: _tell(count, len(numbers)))
    account = {
        "case": args.case,
        "query": args.query,
        "folder": str(folder),
        "documents": len(numbers),
        "files": len(files),
        "bytes": sum(each.size for each in files),
        "problems": export.problems,
    }
    print(json.dumps(account) if args.json else _in_words(account))
    tell_incomplete(args.case, standing, args.json)
    return ExitCode.OK


def _selected(args: argparse.Namespace, case: Reader) -> Selection:
    return Selection(
        case=case.rows.info().uid,
        query=args.query,
        exhibits=some_hits(case, args.query),
        natives=not args.no_natives,
        text=not args.no_text,
        pdf=args.pdf,
    )


@contextmanager
def _means(args: argparse.Namespace, case: Reader, folder: Path) -> Iterator[tuple[Materials, Printing | None]]:
    """Children only where PDFs are joined; else a reader is enough, also on a read-only disk."""
    if not args.pdf:
        yield CaseMaterials(case.rows, case.blobs), None
        return
    with open_case(home_folder(), args.case, load_settings(args.set)) as opened, printing_for(opened, folder) as made:
        yield CaseMaterials(opened.rows, opened.blobs, opened.blobs), made


def _tell(count: int, total: int) -> None:
    if count % _TOLD_EVERY == 0:
        print(f"{count:,} of {total:,} documents", file=sys.stderr, flush=True)


def _in_words(account: dict[str, object]) -> str:
    told = f"{account['documents']:,} documents in {account['files']:,} files ({account['bytes']:,} bytes)"
    problems = "".join(f"\nnot in the PDF: {problem}" for problem in account["problems"])  # type: ignore[attr-defined]
    return (
        f"{told}: {account['folder']}\ncheck it with: cd {account['folder']} && sha256sum -c manifest.sha256{problems}"
    )
