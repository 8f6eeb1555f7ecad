"""The understanding of one case in this process: asks about what came in, works on what is open, and ends.

Used by `redwell worker` in a thread for each case, by imports when their batch is over, by `watch` and `understand`.
With queues, ids of ingestions travel through one of the case (SPEC B3); the rows have the truth all the same.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from redwell.runtime.bootstrap.open_understanding import UnderstoodCase
from redwell.runtime.bootstrap.services.open_services import open_queue
from redwell.runtime.monitor.logs import bound
from redwell.runtime.understanding.arrivals import plan_arrivals
from redwell.runtime.understanding.heartbeat import Heartbeat
from redwell.runtime.understanding.messages import IngestionMessages, ingest_queue
from redwell.runtime.understanding.patient_model import PatientModel
from redwell.runtime.understanding.run import Account, Run
from redwell.understand.pipeline import Tools

EMPTY_WAIT_S = 1


class CaseUnderstanding:
    def __init__(self, case: UnderstoodCase, slots: int = 1, stale_s: int | None = None) -> None:
        self._case, self._slots = case, slots
        self._stale_s = case.settings.understand_stale_s if stale_s is None else stale_s
        self._stopping = threading.Event()
        self._run: Run | None = None
        self.asked = 0
        self.on_progress: Callable[[Account], None] = lambda _: None

    def stop(self) -> None:
        """Take nothing new, finish what runs."""
        self._stopping.set()

    def force(self) -> None:
        """Whoever comes next takes what is in work here; what this process would still write is dropped."""
        self.stop()
        if self._run:
            self._run.hand_back()

    def __call__(self) -> Account:
        """Until there is nothing left to be claimed, or it is told to stop."""
        account = Account()
        while not self._stopping.is_set() and self._ask():
            with self._case.at_work() as (owner, tools), bound(case=self._case.name):
                self._run = Run(
                    self._patient(tools), slots=self._slots, stale_s=self._stale_s, owner=owner, stopping=self._stopping
                )
                self._run.on_progress = self.on_progress
                before, account = account, account + self._worked_off(self._run)
            if account == before:
                break  # the rest is with others
        return account

    def _patient(self, tools: Tools) -> Tools:
        if tools.model is None:
            return tools
        return replace(tools, model=PatientModel(tools.model, self._case.settings.model_away_s, self._stopping))

    def _ask(self) -> bool:
        """Whether something is open, behind what came in meanwhile."""
        self.asked += len(plan_arrivals(self._case.store, self._case.reader.rows))
        return self._case.store.has_work()

    def _worked_off(self, run: Run) -> Account:
        with self._messages() as messages:
            if messages is None:
                return run.until_none_is_left()
            with Heartbeat(self._case.store) as heart:
                while not self._stopping.is_set() and messages.sweep():
                    while not self._stopping.is_set() and messages.poll(run, heart, wait_s=EMPTY_WAIT_S):
                        self.on_progress(run.account)
        return run.account

    @contextmanager
    def _messages(self) -> Iterator[IngestionMessages | None]:
        settings = self._case.settings
        if settings.queue == "ledger":
            yield None
            return
        with open_queue(self._case.home, settings) as queue:
            name = ingest_queue(settings.name_prefix, self._case.place.number)
            yield IngestionMessages(queue, name, self._case.store, self._stale_s)
