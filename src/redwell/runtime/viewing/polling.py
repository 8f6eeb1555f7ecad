"""`redwell uploader poll`: a task of an uploader as a process, beside its engine and file service (SPEC E3)."""

import logging
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from redwell.core.errors import NotFound
from redwell.ports.viewing.uploader_compute import ComputeSpec
from redwell.ports.viewing.viewing_engine import ViewingEngine
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_viewing import file_links, open_engine
from redwell.runtime.bootstrap.services.open_services import open_queue
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.viewing.poller import Poller

LONG_S = 20  # a poll waits so long for a message
ENGINE_S = 300.0  # that an engine has to come up
AGAIN_S = 1.0
log = logging.getLogger(__name__)


class Polling:
    """Until it is told to stop, or its queue is gone."""

    def __init__(self, home: Path, settings: Settings, spec: ComputeSpec) -> None:
        self._home, self._settings, self._spec = home, settings, spec
        self._stop = threading.Event()

    def stop(self) -> None:
        self._stop.set()

    def __call__(self) -> None:
        settings = self._settings
        with ExitStack() as opened:
            engine = opened.enter_context(closing(open_engine(settings)))
            case = opened.enter_context(open_case(self._home, self._case(), settings, guest=True))
            queue = opened.enter_context(open_queue(self._home, settings))
            self._wait_for(engine)
            poller = Poller(case, queue, engine, file_links(self._home, settings))
            replace(poller, wait_s=LONG_S)(self._spec, self._stop)

    def _case(self) -> str:
        with closing(Cases(self._home, self._settings)) as cases:
            name = cases.numbers().get(self._spec.case)
        if name is None:
            raise NotFound(f"there is no case {self._spec.case} here or in the database that `database` names")
        return name

    def _wait_for(self, engine: ViewingEngine) -> None:
        """They begin together, and the engine takes longer; without it every document would lose a try."""
        deadline = time.monotonic() + ENGINE_S
        while not self._stop.is_set() and not engine.is_there():
            if time.monotonic() > deadline:
                raise NotFound(f"no viewing engine answers at {self._settings.viewer_url}; see its own log")
            self._stop.wait(AGAIN_S)
