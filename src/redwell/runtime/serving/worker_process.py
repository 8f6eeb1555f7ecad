"""The worker beside the server: a process of its own, so that an import slows no page down.

It holds the reading end of a pipe from the server and drains when that closes, however the server came to its end.
"""

import contextlib
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from redwell.runtime.bootstrap.settings import Settings, home_folder, load_settings
from redwell.runtime.monitor.logs import set_up
from redwell.runtime.serving.idle_renditions import IdleRenditions
from redwell.runtime.worker.worker import Role, Worker

DRAIN_S = 30.0


class WorkerProcess:
    def __init__(self, home: Path, assignments: list[str]) -> None:
        """`assignments`: KEY=VALUE, as the server was started with."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "redwell.runtime.serving.worker_process", *assignments],
            stdin=subprocess.PIPE,
            env={**os.environ, "REDWELL_HOME": str(home)},
            start_new_session=True,  # Ctrl-C is the server's to take
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        """What is in work is finished; after a while it is left to the next worker."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(DRAIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def run(home: Path, settings: Settings) -> None:
    set_up(settings.log_format, logging.WARNING)
    worker, stopping = Worker(home, settings, Role()), threading.Event()
    idle = IdleRenditions(home, settings, lambda: worker.is_idle)
    threading.Thread(target=_stop_at_end_of_input, args=(worker, stopping), daemon=True).start()
    threading.Thread(target=idle.run, args=(stopping,), daemon=True).start()
    worker()


def _stop_at_end_of_input(worker: Worker, stopping: threading.Event) -> None:
    while os.read(0, 1024):
        pass
    stopping.set()
    worker.stop()


if __name__ == "__main__":
    run(home_folder(), load_settings(sys.argv[1:]))
