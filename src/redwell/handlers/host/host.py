"""The process that evidence is parsed in: `python -m redwell.handlers.host.host REQUESTS FRAMES SPOOL0 SPOOL1`.

Started by the parent's pool with four open descriptors, and killed at will. Behind the launcher that was started is
a template: it reads the setup, imports the handlers, and forks a host. When that is to be replaced it forks the next,
which finds the libraries that the last one needed already in memory.
"""

import gc
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import NoReturn

from redwell.core import wire
from redwell.handlers.host.frame_writer import FrameWriter, Gone
from redwell.handlers.host.preloaded_libraries import Libraries
from redwell.handlers.host.registry import load, offer
from redwell.handlers.host.task_runner import TaskRunner
from redwell.handlers.host.tools import tools_of
from redwell.handlers.sandbox.folders import hide_shared_folders, show_own_processes
from redwell.handlers.sandbox.layers import Around, Refused, lock_down, prepare_layers, program_files
from redwell.handlers.sandbox.namespaces import depend_on_parent, outcome_of, separate

_PREFIX = 4


def main() -> None:
    requests, pipe, *spools = map(int, sys.argv[1:])
    tempfile.tempdir = os.environ["TMPDIR"]  # on a full disk a look for one would end as if a document were damaged
    setup = read_request(requests)
    if isinstance(setup, wire.Setup):
        Template(setup, set_apart(setup), requests, pipe, spools).run()


def set_apart(setup: wire.Setup) -> Around:
    """In the launcher; returns in the template, in namespaces and with folders of its own where it may have them."""
    if not setup.rights.folders:
        namespaces, _ = separate()
        return Around(namespaces, "not of this profile", processes=False)
    kept = [*setup.readable, *program_files()]
    namespaces, mounted = separate(lambda: hide_shared_folders(setup.own, setup.scratch, kept))
    return Around(namespaces, mounted, processes=mounted == "on" and show_own_processes())


class Template:
    """Whatever the hosts of this child have in common. It reads no evidence, so it needs no sandbox."""

    def __init__(self, setup: wire.Setup, around: Around, requests: int, pipe: int, spools: Sequence[int]) -> None:
        self._setup, self._around = setup, around
        self._requests, self._pipe, self._spools = requests, pipe, spools
        self._handlers = load(setup.handlers)
        self._libraries = Libraries()
        prepare_layers()

    def run(self) -> NoReturn:
        """Fork hosts until one ends otherwise than by being asked to; then end as it did."""
        first = True
        while True:
            gc.freeze()  # a host that collects garbage would copy every page that it shares with us
            if not (host := os.fork()):
                os._exit(self._host(first))  # a library's threads and exit hooks must not hold us up
            code = outcome_of(host)
            if code != wire.ChildExit.RENEW:
                os._exit(code)
            self._libraries.import_used()
            first = False

    def _host(self, first: bool) -> int:
        """In the host: lock down before the first request is read, and say hello if nobody has."""
        depend_on_parent()
        try:
            layers = lock_down(self._setup, self._around)
        except Refused as reason:
            layers = {wire.REFUSED: str(reason)}
        _silence()
        writer = FrameWriter(self._pipe, self._spools, self._setup.spool_mb << 20)
        try:
            if first:
                writer.frame(self._hello(layers))
                writer.flush()
            if wire.REFUSED in layers:
                return wire.ChildExit.RECYCLE
            return self._serve(
                TaskRunner(self._setup, self._handlers, writer, own_pids=self._around.namespaces == "on")
            )
        except Gone as gone:
            return gone.code

    def _hello(self, layers: dict[str, str]) -> wire.Hello:
        offers = [offer(handler.spec) for handler in self._handlers]
        return wire.Hello(layers=layers, handlers=offers, tools=tools_of(self._setup.profile))

    def _serve(self, runner: TaskRunner) -> int:
        while request := read_request(self._requests):
            if isinstance(request, wire.Renew):
                self._libraries.note_used()
                return wire.ChildExit.RENEW
            if isinstance(request, wire.Message):
                runner.work(request)
        return wire.ChildExit.DONE


def read_request(pipe: int) -> wire.ToChild | None:
    """The next frame and not a byte more, as the rest may be for the next host; None at the end."""
    length = int.from_bytes(_read(pipe, _PREFIX), "big")
    return wire.decode_to_child(_read(pipe, length)) if length else None


def _read(pipe: int, length: int) -> bytes:
    data = b""
    while len(data) < length and (more := os.read(pipe, length - len(data))):
        data += more
    return data if len(data) == length else b""


def _silence() -> None:
    """Nobody reads what a handler prints."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)


if __name__ == "__main__":
    main()
