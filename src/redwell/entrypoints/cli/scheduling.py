"""The commands of the engine that work: worker, uploader poll, cancel, parked retry."""

import argparse
import json
import logging
import os
import signal
import sys
from collections.abc import Collection
from types import FrameType

from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.importing import run_again
from redwell.entrypoints.cli.stopping import Stoppable
from redwell.ports.viewing.uploader_compute import ComputeSpec
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.open_services import cloud_metrics, open_metrics, open_protection
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.monitor.logs import set_up
from redwell.runtime.monitor.webhook import tell_again
from redwell.runtime.upkeep import batches, retry
from redwell.runtime.upkeep.cancel import cancel
from redwell.runtime.viewing.polling import Polling
from redwell.runtime.worker.worker import Role, Worker


def run_worker(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    set_up(settings.log_format, logging.INFO)
    page = open_metrics(args.metrics_port) if args.metrics_port is not None else None
    if page:
        print(f"metrics: http://127.0.0.1:{page.port}/metrics", file=sys.stderr, flush=True)
    metrics = [each for each in (page, cloud_metrics(settings)) if each]
    role = Role(cluster=args.cluster, spot=args.spot, service=args.service or "")
    worker = Worker(home_folder(), settings, role, metrics, open_protection(os.environ))
    _stop_by_signal(worker)
    worker()
    for each in metrics:
        each.close()
    return ExitCode.OK


def run_poll(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    set_up(settings.log_format, logging.INFO)
    spec = ComputeSpec(case=args.case_number, batch=args.batch, queue=args.queue)
    polling = Polling(home_folder(), settings, spec)
    _stop_by_signal(polling)
    polling()
    return ExitCode.OK


def _stop_by_signal(worker: Stoppable) -> None:
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
        counts, unread = case.rows.counts(args.batch), case.rows.unread_sources(args.batch)
    said = {"case": args.case, "batch": job.batch, "job": job.id, "state": job.state, "outcomes": counts}
    words = f"batch {job.batch} is cancelled: {counts.get('CANCELLED', 0):,} of {sum(counts.values()):,} documents"
    print(json.dumps({**said, "unread": [source.for_json() for source in unread]}) if args.json else words)
    for source in unread:
        print(source, file=sys.stderr)
    return ExitCode.OK


def retry_parked(args: argparse.Namespace, parked: Collection[int]) -> int:
    """Of contents or of posts, those that were named, or all."""
    with open_case(home_folder(), args.case, load_settings(args.set)) as case:
        if args.posts:
            return _retry_posts(case, args.ids or parked, args)
        begun = retry.begin_parked(case, args.ids, batches.retry_job(case))
        code = run_again(case, begun.contents, args.json)
        case.store.note_change(case.worker, retry.summary(case, begun))  # the report tells it
        return code


def _retry_posts(case: Case, events: Collection[int], args: argparse.Namespace) -> int:
    """Those that were refused, or some of them; without any named also what the endpoint was not there to hear."""
    told, refused = tell_again(case.journal, case.settings, sorted(events), rest=not args.ids)
    said = {"told": told, "refused": refused}
    print(json.dumps(said) if args.json else f"{told:,} told, {refused:,} refused again")
    return ExitCode.OK
