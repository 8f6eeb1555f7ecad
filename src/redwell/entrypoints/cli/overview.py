"""The commands that look at the engine: jobs, workers, parked. They start fast; only what changes something writes."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from msgspec import structs

from redwell.core.command_lines import command_line
from redwell.core.errors import UserError
from redwell.core.events.webhooks import LISTENER, STATUSES
from redwell.core.exit_codes import ExitCode
from redwell.core.jobs.job import STOPPED
from redwell.core.jobs.queue_names import loader_dead_letters, loader_queue
from redwell.entrypoints.cli.output.terminal import printable
from redwell.runtime.bootstrap.open_reader import Reader, open_reader
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.upkeep import status


def run_jobs(args: argparse.Namespace) -> int:
    rows = status.jobs(home_folder(), load_settings(), args.case, args.all)
    _print(rows, args.json, _job_line, "no job is open; `redwell jobs --all` lists those that ended")
    return ExitCode.OK


def _job_line(row: Mapping[str, Any]) -> str:
    stopped = row["state"] == STOPPED
    return (
        f"{printable(row['case'])}, batch {row['batch']}: job {row['job']} ({row['kind']}) {row['state']}, "
        f"priority {row['priority']} (now {row['effective_priority']}), "
        f"{row['done']:,} of {row['documents']:,} documents, since {row['created']}"
        + (f"; go on with: {command_line('resume', row['case'], row['batch'])}" if stopped else "")
    )


def run_workers(args: argparse.Namespace) -> int:
    home, settings = home_folder(), load_settings()
    if args.remove:
        from redwell.runtime.cluster.service_assignment import remove_service

        remove_service(home, settings, args.remove)
    if args.check:
        from redwell.runtime.cluster.service_check import check_service

        check_service(home, settings, args.check)
    seen = list(status.workers(home, settings))
    _print([*seen, *status.services(home, settings, seen)], args.json, _worker_line, "nobody is at work")
    return ExitCode.OK


def _worker_line(row: Mapping[str, Any]) -> str:
    if "service" in row:
        return _service_line(row)
    if row["case"] is None:
        return f"{row['host']}, process {row['pid']} ({row['kind']}): idle, since {row['since']}"
    doing = f"{row['documents']:,} documents" + (f", reads {row['reading']:,} files" if row["reading"] else "")
    return (
        f"{row['host']}, process {row['pid']} ({row['kind']}, {row['state']}) on {printable(row['case'])}: {doing}"
        + (f", at {printable(row['on'])}" if row["on"] else "")
        + f", since {row['since']}"
    )


def _service_line(row: Mapping[str, Any]) -> str:
    unmanned = "" if row["workers"] else ", no worker of it is seen from here"
    if row["job"] is None:
        return f"service {row['service']}: {row['status']}{unmanned}"
    limit = f", at most {row['worker_limit']} workers" if row["worker_limit"] else ""
    jobs = f"job {row['job']} of {', '.join(map(str, row['jobs']))}"
    return f"service {row['service']}: {row['status']} with {printable(row['case'] or '?')}, {jobs}{limit}{unmanned}"


def _print(rows: Iterable[Mapping[str, Any]], as_json: bool, line: Any, none: str) -> None:
    count = 0
    for row in rows:
        count += 1
        print(json.dumps(row) if as_json else line(row))
    if not count:
        print(none, file=sys.stderr)


def run_parked(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    with open_reader(home_folder(), args.case, settings) as case:
        rows = _parked(case, args.posts)
        if unknown := [key for key in args.ids if key not in rows]:
            raise UserError(f"{', '.join(map(str, unknown))}: not parked; `redwell parked list` shows what is")
        if args.action == "retry":
            from redwell.entrypoints.cli.scheduling import retry_parked

            return retry_parked(args, list(rows))
        chosen = [rows[key] for key in args.ids or rows]
        if not args.posts:
            chosen = [_with_history(case, row, whole=args.action == "show") for row in chosen]
        if not args.ids:
            chosen += [] if args.posts else _parked(case, posts=True).values()
            chosen += _untold(case) if settings.webhook else []
            chosen += _kept(case, settings.name_prefix)
        _print(chosen, args.json, _parked_line, "nothing is parked")
    return ExitCode.OK


def _with_history(case: Reader, row: dict[str, Any], *, whole: bool) -> dict[str, Any]:
    """Where it occurs and how to go on; as a `whole` every place, and every attempt that failed."""
    told = {**row, "places": [structs.asdict(place) for place in case.rows.places(row["id"], 100 if whole else 1)]}
    if whole:
        told["failures"] = [
            {"at": status.when(each.at_ms), **structs.asdict(each)} for each in case.rows.failures(row["id"])
        ]
    return {**told, "remedy": command_line("parked retry", case.name, row["id"])}


def _parked(case: Reader, posts: bool) -> dict[int, dict[str, Any]]:
    if posts:
        return {post.event: asdict(post) for post in case.rows.parked_posts()}
    return {work.id: structs.asdict(work) for work in case.rows.parked()}


def _kept(case: Reader, prefix: str) -> list[dict[str, Any]]:
    """Messages that the loader of a batch could not take, in the queue that was kept for them."""
    lives = {batch: life for batch, life in case.rows.loaders().items() if life.kept}
    return [
        {
            "batch": batch,
            "messages": life.kept,
            "queue": loader_dead_letters(loader_queue(prefix, case.number, batch, life.attempt)),
        }
        for batch, life in lives.items()
    ]


def _untold(case: Reader) -> list[dict[str, Any]]:
    count = case.rows.untold(LISTENER, [str(kind) for kind in STATUSES])
    return [{"untold": count}] if count else []


def _lost_workers(deaths: int) -> str:
    return f", of which {deaths} ended with their worker" if deaths else ""


def _parked_line(row: Mapping[str, Any]) -> str:
    if "untold" in row:
        return f"{row['untold']:,} events that the webhook's endpoint was not there to hear: parked retry --posts"
    if "messages" in row:
        return f"batch {row['batch']}: {row['messages']:,} messages that its loader could not take, in {row['queue']}"
    if "event" in row:
        return f"event {row['event']} ({row['type']}) of batch {row['batch']}: webhook: {printable(row['detail'])}"
    where = printable(row["places"][0]["path"]) if row["places"] else f"content {row['sha256'][:12]}"
    head = (
        f"{row['id']}: {where} ({row['task']}, {row['size']:,} bytes): {row['outcome']} after {row['attempt']} attempts"
        f"{_lost_workers(row['deaths'])}: {printable(row['detail'])}"
    )
    if "failures" not in row:
        return head
    places = [f"  occurs as {place['control']} {printable(place['path'])}" for place in row["places"]]
    attempts = [
        f"  {each['at']} {'given up' if each['is_last'] else 'failed'}: {each['outcome']}: {printable(each['reason'])}"
        for each in row["failures"]
    ]
    return "\n".join([head, *places, *attempts, f"  try again: {row['remedy']}"])
