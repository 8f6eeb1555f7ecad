"""The commands of the engine: jobs, workers, worker, cancel, parked."""

import argparse
import json
import logging
import os
import signal
import sys
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from types import FrameType
from typing import Any

from redwell.adapters.prometheus.page import PrometheusPage
from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.importing import run_again
from redwell.entrypoints.cli.terminal import printable
from redwell.runtime import imports, overview
from redwell.runtime.assignment import remove_service
from redwell.runtime.bootstrap import Case, open_case
from redwell.runtime.cancelling import cancel
from redwell.runtime.logs import set_up
from redwell.runtime.settings import home_folder, load_settings
from redwell.runtime.webhook import tell_again
from redwell.runtime.worker import Role, Worker


def run_jobs(args: argparse.Namespace) -> int:
    rows = overview.jobs(home_folder(), load_settings(), args.case, args.all)
    _print(rows, args.json, _job_line, "no job is open; `redwell jobs --all` lists those that ended")
    return ExitCode.OK


def _job_line(row: Mapping[str, Any]) -> str:
    return (
        f"{printable(row['case'])}, batch {row['batch']}: job {row['job']} ({row['kind']}) {row['state']}, "
        f"priority {row['priority']} (now {row['effective_priority']}), "
        f"{row['done']:,} of {row['documents']:,} documents, since {row['created']}"
    )


def run_workers(args: argparse.Namespace) -> int:
    home, settings = home_folder(), load_settings()
    if args.remove:
        remove_service(home, settings, args.remove)
    rows = chain(overview.workers(home, settings), overview.services(home, settings))
    _print(rows, args.json, _worker_line, "nobody is at work")
    return ExitCode.OK


def _worker_line(row: Mapping[str, Any]) -> str:
    if "service" in row:
        return _service_line(row)
    doing = f"{row['documents']:,} documents" + (f", reads {row['reading']:,} files" if row["reading"] else "")
    return (
        f"{row['host']}, process {row['pid']} ({row['kind']}, {row['state']}) on {printable(row['case'])}: {doing}"
        + (f", at {printable(row['on'])}" if row["on"] else "")
        + f", since {row['since']}"
    )


def _service_line(row: Mapping[str, Any]) -> str:
    if row["job"] is None:
        return f"service {row['service']}: {row['status']}"
    limit = f", at most {row['worker_limit']} workers" if row["worker_limit"] else ""
    jobs = f"job {row['job']} of {', '.join(map(str, row['jobs']))}"
    return f"service {row['service']}: {row['status']} with {printable(row['case'] or '?')}, {jobs}{limit}"


def _print(rows: Iterable[Mapping[str, Any]], as_json: bool, line: Any, none: str) -> None:
    count = 0
    for row in rows:
        count += 1
        print(json.dumps(row) if as_json else line(row))
    if not count:
        print(none, file=sys.stderr)


def run_worker(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    set_up(settings.log_format, logging.INFO)
    metrics = PrometheusPage(args.metrics_port) if args.metrics_port is not None else None
    if metrics:
        print(f"metrics: http://127.0.0.1:{metrics.port}/metrics", file=sys.stderr, flush=True)
    role = Role(cluster=args.cluster, spot=args.spot, service=args.service or "")
    worker = Worker(home_folder(), settings, role, metrics)
    _stop_by_signal(worker)
    worker()
    if metrics:
        metrics.close()
    return ExitCode.OK


def _stop_by_signal(worker: Worker) -> None:
    """SIGTERM or Ctrl-C once drains, twice ends at once; either way nothing is lost."""
    presses = 0

    def pressed(_signal: int, _frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if presses > 1:
            os.write(2, b"stopped; others go on with what was in work\n")
            os._exit(ExitCode.INTERRUPTED)
        worker.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pressed)


def run_cancel(args: argparse.Namespace) -> int:
    with open_case(home_folder(), args.case, load_settings()) as case:
        job = cancel(case, args.batch)
        counts = case.store.counts(args.batch)
    said = {"case": args.case, "batch": job.batch, "job": job.id, "state": job.state, "outcomes": counts}
    words = f"batch {job.batch} is cancelled: {counts.get('CANCELLED', 0):,} of {sum(counts.values()):,} documents"
    print(json.dumps(said) if args.json else words)
    return ExitCode.OK


def run_parked(args: argparse.Namespace) -> int:
    with open_case(home_folder(), args.case, load_settings(args.set)) as case:
        rows = _parked_rows(case, args.posts)
        if unknown := [key for key in args.ids if key not in rows]:
            raise UserError(f"{', '.join(map(str, unknown))}: not parked; `redwell parked list` shows what is")
        if args.action == "retry":
            return _retry_posts(case, args.ids or rows, args.json) if args.posts else _retry_contents(case, args)
        chosen: list[dict[str, Any]] = [rows[key] for key in args.ids or rows]
        if args.action == "show" and not args.posts:
            chosen = [{**row, "places": case.store.places(row["id"])} for row in chosen]
        posts = [] if args.ids or args.posts else case.store.parked_posts()
        _print([*chosen, *posts], args.json, _parked_line, "nothing is parked")
    return ExitCode.OK


def _parked_rows(case: Case, posts: bool) -> dict[int, dict[str, Any]]:
    if posts:
        return {row["event"]: row for row in case.store.parked_posts()}
    return {row["id"]: row for row in case.store.parked()}


def _retry_contents(case: Case, args: argparse.Namespace) -> int:
    return run_again(case, case.store.retry_parked(args.ids, imports.retry_job(case)), args.json)


def _retry_posts(case: Case, events: Collection[int], as_json: bool) -> int:
    told = tell_again(case, sorted(events))
    said = {"told": told, "refused": len(events) - told}
    print(json.dumps(said) if as_json else f"{told:,} told, {len(events) - told:,} refused again")
    return ExitCode.OK


def _parked_line(row: Mapping[str, Any]) -> str:
    if "event" in row:
        return f"event {row['event']} ({row['type']}) of batch {row['batch']}: webhook: {printable(row['detail'])}"
    head = f"{row['id']}: {row['outcome']} after {row['attempt']} attempts: {printable(row['detail'])}"
    places = [f"  {place['control']} {printable(place['path'])}" for place in row.get("places", ())]
    return "\n".join([head, *places])
