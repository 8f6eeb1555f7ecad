"""`redwell import` and `redwell resume`: run a batch in this process and say what became of it."""

import argparse
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from redwell.core.errors import DatabaseUnavailable, DiskFull, NotFound, SandboxUnavailable, ServiceUnavailable
from redwell.core.exit_codes import ExitCode
from redwell.core.jobs import JobState, NewJob
from redwell.entrypoints.cli.display import Display, open_display
from redwell.runtime import imports
from redwell.runtime.assignment import assign
from redwell.runtime.bootstrap import Case, open_case
from redwell.runtime.logs import set_up
from redwell.runtime.passwords import Passwords
from redwell.runtime.run import Run
from redwell.runtime.settings import home_folder, load_settings


def run_import(args: argparse.Namespace) -> int:
    nist = [f"nist={args.nist}"] if args.nist else []
    settings, home = load_settings([*args.set, *nist]), home_folder()
    passwords = Passwords.of(args.passwords)
    sources = imports.check_sources(args.sources, str(home))
    job = NewJob(priority=args.priority, workers=args.workers, passwords=passwords.file)
    with open_case(home, args.case, settings, create=True) as case:
        case.passwords = passwords.words
        batch = imports.begin(case, sources, args.type, args.custodian, job)
        if args.queue:
            return _queued(case, batch, args.json)
        return _run(case, batch, "import", args.json)


def _queued(case: Case, batch: int, as_json: bool) -> int:
    job = imports.last_job(case, batch).id
    service = assign(case.home, case.settings, case.number, job)
    said = {"case": case.name, "batch": batch, "job": job, "service": service}
    waits = f"is with service {service}" if service else "waits for a worker: redwell worker"
    print(json.dumps(said) if as_json else f"batch {batch} of case {case.name!r} {waits}")
    return ExitCode.OK


def run_resume(args: argparse.Namespace) -> int:
    settings, passwords = load_settings(args.set), Passwords.of(args.passwords)
    with open_case(home_folder(), args.case, settings) as case:
        case.passwords = passwords.words
        todo = imports.unfinished(case)
        if args.batch is not None:
            if args.batch not in {row["id"] for row in case.store.batches()}:
                raise NotFound(f"case {args.case!r} has no batch {args.batch}")
            todo = [batch for batch in todo if batch == args.batch]
        if not todo:
            print("nothing to resume: every batch is finished", file=sys.stderr)
        for batch in todo:
            case.store.ensure_job(batch, NewJob(passwords=passwords.file))
            imports.check_reach(case, batch)
            code = _run(case, batch, "resume", args.json)
            if code != ExitCode.OK:
                return code
    return ExitCode.OK


def run_again(case: Case, reopened: int, as_json: bool) -> int:
    """Run the retry jobs that were just made; those that run already are others' affair."""
    print(f"{reopened:,} contents to read again", file=sys.stderr)
    for batch in imports.retried(case) if reopened else ():
        code = _run(case, batch, "retry", as_json)
        if code != ExitCode.OK:
            return code
    return ExitCode.OK


def _run(case: Case, batch: int, kind: str, as_json: bool) -> int:
    account, finished = work_off(case, batch, kind)
    if as_json:
        print(json.dumps(account))
    print(_in_words(account, case, finished), file=sys.stderr if as_json else sys.stdout)
    return exit_code(account, finished)


def exit_code(account: Mapping[str, Any], finished: bool) -> int:
    if not finished:
        return ExitCode.INTERRUPTED
    if account["state"] == JobState.CANCELLED:
        return ExitCode.CANCELLED
    return ExitCode.OK if account["balanced"] else ExitCode.UNBALANCED


def work_off(case: Case, batch: int, kind: str) -> tuple[dict[str, Any], bool]:
    """Run a batch until it is finished or stopped; its closing account, and whether it is finished."""
    set_up(case.settings.log_format, logging.ERROR)
    started = time.monotonic()
    with open_display(case.name, batch) as display:
        run = Run(case, batch, display.update, kind)
        with _interrupts(run, display):
            try:
                finished = run()
            except DiskFull as error:
                raise DiskFull(f"{error}\nNothing is lost. Make room, then: {_resume_command(case, batch)}") from None
            except (DatabaseUnavailable, ServiceUnavailable) as error:
                raise type(error)(f"{error}\nNothing is lost. Go on with: {_resume_command(case, batch)}") from None
            except SandboxUnavailable as error:
                raise SandboxUnavailable(f"{error}\nThen go on with: {_resume_command(case, batch)}") from None
    return imports.summary(case, batch, time.monotonic() - started), finished


@contextmanager
def _interrupts(run: Run, display: Display) -> Iterator[None]:
    """Ctrl-C once drains, twice stops at once; either way nothing is lost."""
    presses = 0

    def pressed(_signal: int, _frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if presses == 1:
            run.stop()
            display.note("finishing what is in work; once more stops at once")
        else:
            display.close()
            os.write(2, b"stopped; go on with `redwell resume`\n")
            os._exit(ExitCode.INTERRUPTED)

    before = {number: signal.signal(number, pressed) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _resume_command(case: Case, batch: int) -> str:
    return f'redwell resume --case "{case.name}" {batch}'


def _in_words(account: dict[str, Any], case: Case, finished: bool) -> str:
    outcomes = ", ".join(f"{count:,} {outcome}" for outcome, count in account["outcomes"].items())
    lines = [
        f"batch {account['batch']} of case {case.name!r}: {account['documents']:,} documents "
        f"in {account['seconds']:.1f} s ({outcomes or 'the source is empty'})",
    ]
    if not finished:
        lines.append(f"not finished. Go on with: {_resume_command(case, account['batch'])}")
        return "\n".join(lines)
    if account["state"] == JobState.CANCELLED:
        lines.append("it was cancelled; what was not done has ended as CANCELLED")
    if account["duplicates"]:
        lines.append(f"{account['duplicates']:,} of them repeat content that the case already had")
    if account["documents"] and not account["processed"]:
        lines.append("everything in it was known already; nothing was processed again")
    if account["filtered"]:
        lines.append(f'{account["filtered"]:,} left out: redwell documents --case "{case.name}" --outcome FILTERED')
    exceptions = account["documents"] - account["outcomes"].get("SUCCESS", 0) - account["filtered"]
    if exceptions:
        lines.append(f'{exceptions:,} exceptions: redwell exceptions --case "{case.name}"')
    lines.append(
        "balanced: every input is a document or a named exception"
        if account["balanced"]
        else f'NOT BALANCED: redwell verify --case "{case.name}" names what is wrong'
    )
    return "\n".join(lines)
