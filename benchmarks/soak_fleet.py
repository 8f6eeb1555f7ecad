"""The servers and workers of a cluster, and what can be done to them. Used by benchmarks.soak_cluster."""

import os
import signal
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from uuid import uuid4

from tests.support import aws, postgres
from tests.support.product import kill_tree, start
from tests.support.proxy import Proxy

from benchmarks.soak_checks import HANG_S, Tally

LEASE_S = 3
SETTINGS = {
    "chunk": 20,
    "message_documents": 10,
    "lease_s": LEASE_S,
    "small_wall_s": 8,
    "large_wall_s": 8,
    "small_rss_mb": 400,
    "large_rss_mb": 500,
}
OPTIONS = [part for key, value in SETTINGS.items() for part in ("--set", f"{key}={value}")]
MAX_KILLS = 8  # ten workers that die in a row on one document are its fault, says the ledger
Process = subprocess.Popen[str]


class Servers:
    """PostgreSQL and the AWS server, each behind a proxy whose connections can be cut."""

    def __init__(self, resources: ExitStack, queue: str) -> None:
        self._postgres = resources.enter_context(Proxy(postgres.server().socket))
        self._aws = resources.enter_context(Proxy(aws.server().port))
        self._queue = {"REDWELL_QUEUE": queue, "REDWELL_BUS": "sns" if queue == "sqs" else "sql"}

    def environment(self) -> dict[str, str]:
        """For a home whose cases lie in a new bucket."""
        place = {
            "REDWELL_DATABASE": postgres.server().url_through(self._postgres.port),
            "REDWELL_BLOBS": f"s3://{aws.server().new_bucket()}/cases",
            "REDWELL_NAME_PREFIX": f"soak{uuid4().hex[:8]}",
        }
        prefix = {"REDWELL_NAME_PREFIX": f"soak{uuid4().hex[:8]}"}
        return {**aws.server().environment(self._aws.port), **place, **self._queue, **prefix}

    def cut(self, chance: Random) -> None:
        chance.choice((self._postgres, self._aws)).cut()

    def restart(self, chance: Random) -> None:
        if chance.random() < 0.5:
            postgres.server().stop(chance.choice((signal.SIGINT, signal.SIGQUIT)))
            time.sleep(chance.random())
            postgres.server().start()
        else:
            aws.server().stop()
            time.sleep(chance.random())
            aws.server().start()


class Fleet:
    """Workers of one home, and what is done to them. With services they belong to these by turns."""

    def __init__(self, home: Path, env: dict[str, str], services: int, chance: Random, tally: Tally) -> None:
        self._home, self._env, self._services, self._chance, self._tally = home, env, services, chance, tally
        self._running: list[Process] = []
        self.kills_left = MAX_KILLS

    def begin(self, workers: int) -> None:
        self._running = [self._start(place) for place in range(workers)]

    def _start(self, place: int, *args: str) -> Process:
        self._tally.count("workers")
        service = ("--service", f"s{place % self._services}") if self._services else ()
        return start(self._home, "worker", *OPTIONS, *service, *args, faulty=True, **self._env)

    def kill(self) -> None:
        self.kills_left -= 1
        victim = self._victim()
        kill_tree(self._running[victim])
        self._running[victim] = self._start(victim)

    def freeze(self) -> None:
        """Half of the time for longer than its lease, so that others take over what it holds."""
        pid = self._running[self._victim()].pid
        os.kill(pid, signal.SIGSTOP)
        time.sleep(LEASE_S + 1 if self._chance.random() < 0.5 else self._chance.random())
        os.kill(pid, signal.SIGCONT)

    def replace(self) -> None:
        victim = self._victim()
        old, self._running[victim] = self._running[victim], self._start(victim)
        self._end(old)

    def _victim(self) -> int:
        return self._chance.randrange(len(self._running))

    def _end(self, process: Process) -> None:
        """In order; one that has ended before, or with a failure, should not have."""
        if process.poll() is not None:
            self._tally.fail(f"a worker ended by itself: {(process.communicate()[1] or '')[-2_000:]}")
            return
        process.send_signal(signal.SIGTERM)
        self._wait(process)

    def _wait(self, process: Process) -> None:
        try:
            _, said = process.communicate(timeout=HANG_S)
        except subprocess.TimeoutExpired:
            kill_tree(process)
            self._tally.fail(f"a worker was not over after {HANG_S} s")
            return
        if process.returncode not in (0, -signal.SIGTERM):  # the latter: it had not come to listening yet
            self._tally.fail(f"a worker ended with {process.returncode}: {said[-2_000:]}")

    def finish(self) -> None:
        """What is left is done in peace."""
        for process in self._running:
            self._end(process)
        for place in range(self._services or 1):
            self._wait(self._start(place, "--cluster"))
