"""Another machine on this one: another name, another home, and nothing to be seen of the folders of the first one."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.product import Process, kill_tree, start

from redwell.runtime.bootstrap.settings import Settings, load_settings
from redwell.runtime.upkeep import status

SMALL = ("--set", "chunk=20", "--set", "message_documents=10", "--set", "lease_s=5", "--set", "slots=1")
PATIENCE_S = 300
QUEUES = {"sqs": {}, "ledger": {"REDWELL_QUEUE": "ledger", "REDWELL_BUS": "sql"}}
_SCRIPT = """
set -e
hostname "$1"
shift
while [ "$1" != -- ]; do mount -t tmpfs none "$1"; shift; done
shift
exec "$@"
"""


def elsewhere(name: str, hidden: Sequence[Path]) -> list[str]:
    """What a command is started through, to run there. The process and its id stay the same."""
    mapped = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", "--mount", "--uts", *mapped, "sh", "-c", _SCRIPT, "sh", name, *map(str, hidden), "--"]


@dataclass(frozen=True)
class Machines:
    """The first one's home and sources; the other's home, and the way there."""

    home: Path
    evidence: Path
    other: Path
    env: dict[str, str]

    @property
    def settings(self) -> Settings:
        return load_settings(environ=self.env)

    @property
    def through(self) -> list[str]:
        return elsewhere("machine-b", [self.home, self.evidence])

    def workers(self) -> dict[str, dict[str, Any]]:
        """By machine, as the first one sees them."""
        return {row["host"]: row for row in status.workers(self.home, self.settings)}

    @contextmanager
    def worker(self, *args: str, there: bool) -> Iterator[Process]:
        home, through = (self.other, self.through) if there else (self.home, [])
        process = start(home, "worker", *SMALL, *args, through=through, faulty=True, **self.env)
        try:
            yield process
        finally:
            if process.poll() is None:
                kill_tree(process)

    def finished(self) -> bool:
        return {job["state"] for job in status.jobs(self.home, self.settings, None, True)} == {"finished"}


def stopped(process: Process) -> str:
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, log
    assert "Traceback" not in log, log
    return log
