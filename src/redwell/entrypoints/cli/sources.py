"""`redwell source` and `redwell watch`: where evidence comes from by itself, and taking it."""

import argparse
import getpass
import json
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import msgspec

from redwell.core.errors import RedwellError, UserError
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.importing import work_off
from redwell.entrypoints.cli.output.terminal import printable
from redwell.entrypoints.cli.source_places import described
from redwell.ports.sources import WATCHED, Source, SourceStore, Watcher
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.open_sources import open_watcher
from redwell.runtime.bootstrap.open_understanding import UnderstoodCase, open_source_store
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.sources import taking
from redwell.runtime.sources.acquiring import Acquiring
from redwell.runtime.sources.deliveries import Deliveries
from redwell.runtime.sources.waiting import Waiting
from redwell.runtime.understanding.case_run import CaseUnderstanding
from redwell.runtime.upkeep.status import when


def _opened(args: argparse.Namespace) -> tuple[UnderstoodCase, SourceStore]:
    case = UnderstoodCase(home_folder(), args.case, load_settings(), bring_up_to_date=args.action != "list")
    return case, open_source_store(case.place, case.settings)


def run_source(args: argparse.Namespace) -> int:
    case, store = _opened(args)
    with case, ExitStack() as opened:
        opened.callback(store.close)
        who = getpass.getuser()
        if args.action == "add":
            changed = [store.add(args.kind, *described(args), who)]
        elif args.action == "list":
            changed = store.all()
        else:
            state = {"pause": "paused", "resume": "active", "remove": "removed"}[args.action]
            changed = [store.set_state(args.source, state, who)]
    for each in changed:
        print(json.dumps(msgspec.to_builtins(each)) if args.json else _line(each))
    return ExitCode.OK


def _line(each: Source) -> str:
    last = when(each.last_arrival_ms) if each.last_arrival_ms else "nothing yet"
    queued = [f"{each.waiting:,} to be fetched"] if each.waiting else []
    failed = [f"{each.failed:,} could not be fetched (`resume` tries them again)"] if each.failed else []
    told = "; ".join([*queued, *failed, *([printable(each.detail)] if each.detail else [])])
    return f"{each.id}\t{each.kind}\t{printable(each.name)}\t{each.state}\t{last}\t{told}"


def run_watch(args: argparse.Namespace) -> int:
    """Until Ctrl-C; with --once what is there now."""
    settings, home = load_settings(args.set), home_folder()
    with ExitStack() as opened:
        case = opened.enter_context(open_case(home, args.case, settings, create=True))
        understood = opened.enter_context(UnderstoodCase(home, args.case, settings))
        store = open_source_store(understood.place, settings)
        opened.callback(store.close)
        only = store.add("folder", str(Path(args.folder).resolve()), {}, getpass.getuser()) if args.folder else None
        _Watch(case, understood, store, args).run(only.id if only else None)
    return ExitCode.OK


class _Watch:
    def __init__(self, case: Case, understood: UnderstoodCase, store: SourceStore, args: argparse.Namespace) -> None:
        self._case, self._understood, self._store, self._args = case, understood, store, args
        self._deliveries = Deliveries(case.home, case.number, store)
        self._acquire, self._wait = Acquiring(store, self._deliveries), Waiting(self._open)

    def _open(self, source: Source) -> Watcher:
        return open_watcher(source, self._case.settings.patience)

    def run(self, only: int | None) -> None:
        while True:
            every = [each for each in self._store.all() if each.state == "active" and each.kind in WATCHED]
            active = [each for each in every if only in (None, each.id)]
            taken = sum(self._one(each, len(active) == 1) for each in active)
            if self._args.once:
                return
            if not active:
                raise UserError("there is no active source; `redwell source add` makes one")
            if not taken:
                self._wait(active, self._args.poll)

    def _one(self, source: Source, is_only: bool) -> int:
        lock = self._case.place.try_role(f"watch-{source.id}")
        if lock is None:
            return 0  # somebody else is at it
        try:
            found = self._found(source, is_only)
            self._take(source)
        finally:
            lock.release()
        return found

    def _found(self, source: Source, is_only: bool) -> int:
        """What is wrong with one source keeps nothing from the others."""
        try:
            watcher = self._open(source)
            try:
                return self._acquire(source, watcher)
            finally:
                watcher.close()
        except (RedwellError, OSError) as error:
            self._store.trouble(source.id, str(error))
            if is_only and isinstance(error, UserError):
                raise
            print(f"redwell: {error}", file=sys.stderr)
            return 0

    def _take(self, source: Source) -> None:
        for batch in taking.begin(self._case, source, self._store, self._deliveries):
            account, finished = work_off(self._case, batch, "watch")
            if not finished:
                return
            taking.clear(self._deliveries, source, batch, self._store)
            told = {"source": source.id, "batch": batch, "documents": account["documents"]}
            print(json.dumps(told) if self._args.json else f"{source.name}: {account['documents']} documents")
        self._understand()

    def _understand(self) -> None:
        work = CaseUnderstanding(self._understood)
        told = work()
        if (work.asked or told.completed) and self._args.json:
            print(json.dumps({"asked": work.asked, "understood": asdict(told)}))
