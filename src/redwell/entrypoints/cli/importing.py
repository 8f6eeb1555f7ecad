"""`redwell import` and `redwell resume`: run a batch in this process and say what became of it."""

import argparse
import json
import logging
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redwell.core.command_lines import command_line
from redwell.core.errors import (
    DatabaseUnavailable,
    DiskFull,
    Recoverable,
    SandboxUnavailable,
    ServiceUnavailable,
    UserError,
)
from redwell.core.exit_codes import ExitCode
from redwell.core.jobs.job import JobState, NewJob
from redwell.core.loadfiles.volume_document import Told
from redwell.core.work.transitions import Standing
from redwell.entrypoints.cli.output.display import open_display
from redwell.entrypoints.cli.queueing import queued
from redwell.entrypoints.cli.stopping import stopped_by_signal
from redwell.entrypoints.cli.understanding import understand_arrivals
from redwell.entrypoints.cli.volumes.overlaying import run_overlay
from redwell.runtime.bootstrap.configuration.job_settings import renditions_in
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.open_services import webhook_address
from redwell.runtime.bootstrap.settings import Settings, home_folder, load_settings
from redwell.runtime.cluster.service_assignment import let_go
from redwell.runtime.loadfiles.importing import read_mapping, told_of
from redwell.runtime.loadfiles.looking import volume_at
from redwell.runtime.loadfiles.tracker import earlier_import
from redwell.runtime.monitor.logs import set_up
from redwell.runtime.upkeep import batches
from redwell.runtime.upkeep.completeness import check_batch
from redwell.runtime.upkeep.reindex import reindex
from redwell.runtime.worker.batch_run import BatchRun
from redwell.runtime.worker.passwords import Passwords


def run_import(args: argparse.Namespace) -> int:
    if args.overlay:
        return run_overlay(args)
    if args.preview or args.clear:
        raise UserError("--preview and --clear are about an overlay: say --overlay")
    nist = [f"nist={args.nist}"] if args.nist else []
    settings, home = load_settings([*args.set, *nist]), home_folder()
    webhook_address(settings)  # what is no good is refused before a case is made
    passwords = Passwords.of(args.passwords)
    folders, volume = volume_told(args, settings)
    sources = batches.check_sources(folders, str(home), settings.patience)
    job = NewJob(priority=args.priority, workers=args.workers, passwords=passwords.file)
    is_new = not home.exists()
    with _beginning():
        opened = open_case(home, args.case, settings, create=True)
    with opened as case:
        if is_new:
            print(f"cases are kept in {home}; REDWELL_HOME names another folder", file=sys.stderr)
        case.passwords = passwords.words
        batch = earlier_import(case, sources[0], volume) if volume else None
        if batch is not None:
            print(f"this volume is batch {batch} already; nothing is imported twice", file=sys.stderr)
        else:
            with _beginning():
                batch = batches.begin(case, sources, args.type, args.custodian, job, volume)
        if args.queue:
            return queued(case, batch, args.json)
        return _run(case, batch, "import", args.json, milestone_of(args))


@contextmanager
def _beginning() -> Iterator[None]:
    """There is nothing to go on with yet."""
    try:
        yield
    except (DatabaseUnavailable, ServiceUnavailable) as error:
        raise type(error)(f"{error}\nNothing was begun. Import it again when it is back.") from None


def volume_told(args: argparse.Namespace, settings: Settings) -> tuple[list[str], Told | None]:
    """The sources, and what is said of the volume where they are one. `manual` decides by looking."""
    if args.type == "manual" and len(args.sources) == 1 and (found := volume_at(args.sources[0])):
        print(f"{found} is a load file: its volume is imported, as by --type loadfile", file=sys.stderr)
        args.type = "loadfile"
    if args.type != "loadfile":
        if args.mapping:
            raise UserError("--mapping is about a load file: say --type loadfile")
        return args.sources, None
    if args.sources[0].startswith("s3://"):
        raise UserError("a volume with load files is imported from a folder: copy it out of the bucket first")
    if len(args.sources) > 1:
        raise UserError("one volume at a time: name its folder, or its load file")
    mapping = read_mapping(Path(args.mapping)) if args.mapping else None
    root, told = told_of(args.sources[0], mapping, settings.loadfile_text)
    return [root], told


def run_resume(args: argparse.Namespace) -> int:
    """Each batch is gone on with as it was begun: what is made of its documents is part of its job."""
    passwords = Passwords.of(args.passwords)
    for batch, wanted in _unfinished(args).items():
        with open_case(home_folder(), args.case, load_settings([*wanted, *args.set])) as case:
            case.passwords = passwords.words
            case.store.ensure_job(batch, NewJob(passwords=passwords.file))
            batches.check_reach(case, batch)
            code = _run(case, batch, "resume", args.json, milestone_of(args))
        if code != ExitCode.OK:
            return code
    return ExitCode.OK


def _unfinished(args: argparse.Namespace) -> dict[int, list[str]]:
    """Which batches, and which renditions the job of each wants."""
    with open_case(home_folder(), args.case, load_settings(args.set)) as case:
        todo = batches.unfinished(case)
        if args.batch is not None:
            check_batch(case, args.batch)
            todo = [batch for batch in todo if batch == args.batch]
        if not todo:
            done = "every batch is finished" if case.rows.batches() else "nothing was imported into it yet"
            print(f"nothing to resume: {done}", file=sys.stderr)
            understand_arrivals(case.folder, case.name, case.settings)
            if case.index.is_outdated():
                print("the search index is of another version; it is made anew", file=sys.stderr)
                reindex(case, lambda _: None)
        terms = {job.batch: job.terms for job in case.rows.jobs(every=True)}  # the last of each
        return {batch: renditions_in(terms.get(batch, "")) for batch in todo}


def run_again(case: Case, reopened: int, as_json: bool) -> int:
    """Run the retry jobs that were just made; those that run already are others' affair."""
    print(f"{reopened:,} contents to read again", file=sys.stderr)
    for batch in batches.retried(case) if reopened else ():
        code = _run(case, batch, "retry", as_json)
        if code != ExitCode.OK:
            return code
    return ExitCode.OK


def milestone_of(args: argparse.Namespace) -> Standing:
    return Standing.RENDERING if args.until == "searchable" else Standing.OVER


def _run(case: Case, batch: int, kind: str, as_json: bool, milestone: Standing = Standing.OVER) -> int:
    account, finished = work_off(case, batch, kind, milestone)
    let_go(case.home, case.settings)
    if as_json:
        print(json.dumps(account))
    print(_in_words(account, case, finished), file=sys.stderr if as_json else sys.stdout)
    if finished and milestone is Standing.OVER:
        understand_arrivals(case.folder, case.name, case.settings)
    return exit_code(account, finished)


def exit_code(account: Mapping[str, Any], finished: bool) -> int:
    if not finished:
        return ExitCode.INTERRUPTED
    if account["state"] == JobState.CANCELLED:
        return ExitCode.CANCELLED
    return ExitCode.OK if account["balanced"] else ExitCode.UNBALANCED


def work_off(case: Case, batch: int, kind: str, milestone: Standing = Standing.OVER) -> tuple[dict[str, Any], bool]:
    """Run a batch until it is there or stopped; its closing account, and whether it is as far as was asked for."""
    set_up(case.settings.log_format, logging.ERROR)
    started = time.monotonic()
    with open_display(case.name, batch) as display:
        run = BatchRun(case, batch, display.update, kind, milestone)
        with stopped_by_signal(run, "go on with `redwell resume`", display.note, display.close):
            try:
                finished = run()
            except DiskFull as error:
                raise DiskFull(f"{error}\nNothing is lost. Make room, then: {_resume_command(case, batch)}") from None
            except Recoverable as error:
                away = DatabaseUnavailable if isinstance(error, DatabaseUnavailable) else ServiceUnavailable
                raise away(f"{error}\nNothing is lost. Go on with: {_resume_command(case, batch)}") from None
            except SandboxUnavailable as error:
                raise SandboxUnavailable(f"{error}\nThen go on with: {_resume_command(case, batch)}") from None
    return batches.summary(case, batch, time.monotonic() - started), finished


def _resume_command(case: Case, batch: int) -> str:
    return command_line("resume", case.name, batch)


def _in_words(account: Mapping[str, Any], case: Case, finished: bool) -> str:
    outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in account["outcomes"].items())
    lines = [
        f"batch {account['batch']} of case {case.name!r}: {account['documents']:,} documents "
        f"in {account['seconds']:.1f} s ({outcomes or _nothing(account, finished)})",
    ]
    if not finished:
        lines.append(f"not finished. Go on with: {_resume_command(case, account['batch'])}")
        return "\n".join(lines)
    if account["state"] == JobState.CANCELLED:
        lines.append("it was cancelled; what was not done has ended as CANCELLED")
    for volume in account["volumes"]:
        lines += [f"{volume['control']} {volume['path']}: {line}" for line in volume["balance"]]
    if account["duplicates"]:
        lines.append(f"{account['duplicates']:,} of them are copies of others")
    if account["repeats_only"]:
        lines.append("everything in it was known already; nothing was processed again")
    if account["filtered"]:
        lines.append(
            f"{account['filtered']:,} left out: {command_line('documents', case.name, '--outcome', 'FILTERED')}"
        )
    for key, name in (("renditions", "PDFs and page images"), ("recognitions", "recognised")):
        if any(account[key].values()):
            lines.append(
                f"{name}: " + ", ".join(f"{count:,} {state}" for state, count in account[key].items() if count)
            )
    exceptions = account["documents"] - account["outcomes"].get("SUCCESS", 0) - account["filtered"]
    if exceptions:
        lines.append(f"{exceptions:,} exceptions: {command_line('exceptions', case.name)}")
    return "\n".join([*lines, *_balance(account, case)])


def _nothing(account: Mapping[str, Any], finished: bool) -> str:
    return "nothing was read" if account["unread"] or not finished else "the source is empty"


def _balance(account: Mapping[str, Any], case: Case) -> list[str]:
    if account["balanced"]:
        return ["balanced: every input is a document or a named exception"]
    if account["unread"]:
        return [str(source) for source in case.rows.unread_sources(account["batch"])]
    return [f"NOT BALANCED: {command_line('verify', case.name)} names what is wrong"]
