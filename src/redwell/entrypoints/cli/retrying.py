"""`redwell retry`: read again what was chosen, and say what that changed."""

import argparse
import json
import sys
from typing import Any

from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.work.kinds import TaskType
from redwell.core.work.records import Selection
from redwell.entrypoints.cli.importing import exit_code, milestone_of, work_off
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.upkeep import batches, retry
from redwell.runtime.worker.passwords import Passwords


def run_retry(args: argparse.Namespace) -> int:
    """Only what was chosen is done again; new members hang under the exhibits that are there."""
    chosen = Selection(
        outcome=args.outcome or "",
        media_type=args.type or "",
        handler=args.handler or "",
        task=TaskType(args.kind) if args.kind else None,
        lacking=args.lacking,
    )
    if chosen == Selection() and not args.outdated:
        raise UserError(
            "say what to do again: --outcome, --type, --handler, --kind, --outdated or --lacking; several must all fit"
        )
    settings, passwords = load_settings(args.set), Passwords.of(args.passwords)
    with open_case(home_folder(), args.case, settings) as case:
        case.passwords = passwords.words
        chosen = retry.can_be_done(case, chosen, outdated=args.outdated)
        begun = retry.begin(case, chosen, batches.retry_job(case, passwords.file))
        print(f"{begun.contents:,} contents to read again", file=sys.stderr)
        code: int = ExitCode.OK
        for batch in batches.retried(case) if begun.contents else ():
            code = exit_code(*work_off(case, batch, "retry", milestone_of(args)))
            if code != ExitCode.OK:
                break
        account = retry.summary(case, begun)
        case.store.note_change(case.worker, account)
        print(json.dumps(account) if args.json else _in_words(account))
    return code


def _in_words(account: dict[str, Any]) -> str:
    lines = [f"read again: {account['contents']:,} contents of {account['exhibits']:,} exhibits"]
    lines += [f"  {row['count']:,} were {row['before']}, are {row['after']}" for row in account["changed"]]
    lines.append(f"  {account['unchanged']:,} as they were, {account['new']:,} new exhibits below them")
    for outcome in sorted(account["before"].keys() | account["after"].keys()):
        before, after = account["before"].get(outcome, 0), account["after"].get(outcome, 0)
        lines.append(f"{outcome} in the case: {before:,} before, {after:,} after")
    return "\n".join(lines)
