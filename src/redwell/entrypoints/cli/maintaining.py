"""The commands that put a case in order: gc, reindex."""

import argparse
import json
import sys
from contextlib import closing

from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.bootstrap.sketches import sketcher
from redwell.runtime.delivery.late_tidying import take_away_queues
from redwell.runtime.upkeep.gc import collect_garbage
from redwell.runtime.upkeep.near import NearFinder
from redwell.runtime.upkeep.reindex import reindex


def run_gc(args: argparse.Namespace) -> int:
    with open_case(home_folder(), args.case, load_settings()) as case:
        queues = take_away_queues(case, dry_run=args.dry_run)
        files, size = collect_garbage(case, args.dry_run)
    if args.json:
        print(json.dumps({"files": files, "bytes": size, "queues": queues, "dry_run": args.dry_run}))
    else:
        of_queues = f", {queues:,} queues of batches that are over" if queues else ""
        print(f"{'would remove' if args.dry_run else 'removed'} {files:,} files, {size:,} bytes{of_queues}")
    return ExitCode.OK


def run_near(args: argparse.Namespace) -> int:
    def tell(count: int) -> None:
        if sys.stderr.isatty():
            print(f"{count:,} documents", end="\r", file=sys.stderr)

    with open_case(home_folder(), args.case, load_settings()) as case:
        if args.anew:
            case.store.forget_near()
        counts = NearFinder(case, sketcher())(tell)
    told = f"compared {counts['compared']:,} documents; {counts['near']:,} of them are nearly the same as another"
    print(json.dumps(counts) if args.json else told)
    return ExitCode.OK


def run_reindex(args: argparse.Namespace) -> int:
    def tell(count: int) -> None:
        if sys.stderr.isatty():
            print(f"{count:,} exhibits", end="\r", file=sys.stderr)

    if args.here:
        with closing(Cases(home_folder(), load_settings())) as cases:
            cases.take_over(args.case)
    with open_case(home_folder(), args.case, load_settings()) as case:
        count = reindex(case, tell)
    print(json.dumps({"exhibits": count}) if args.json else f"indexed {count:,} exhibits anew")
    return ExitCode.OK
