"""The process that evidence is parsed in: `python -m redwell.handlers.host REQUESTS FRAMES SPOOL0 SPOOL1`.

Started by the parent's pool with four open descriptors, and killed at will. Behind the launcher that was started is
a template: it reads the setup, imports the handlers, and forks a host. When that is to be replaced it forks the next,
which finds the libraries that the last one needed already in memory.
"""

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from redwell.core import wire
from redwell.handlers.libraries import Libraries
from redwell.handlers.outlet import Gone, Outlet
from redwell.handlers.registry import load
from redwell.handlers.sandbox.layers import Refused, lock_down, prepare_layers
from redwell.handlers.sandbox.namespaces import depend_on_parent, outcome_of, separate
from redwell.handlers.workbench import Workbench

_PREFIX = 4


def main() -> None:
    requests, pipe, *spools = map(int, sys.argv[1:])
    namespaces = separate()
    setup = read_request(requests)
    if isinstance(setup, wire.Setup):
        Template(setup, namespaces, requests, pipe, spools).run()


class Template:
    """Whatever the hosts of this child have in common. It reads no evidence, so it needs no sandbox."""

    def __init__(self, setup: wire.Setup, namespaces: str, requests: int, pipe: int, spools: Sequence[int]) -> None:
        self._setup, self._namespaces = setup, namespaces
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
            layers = lock_down(self._setup, self._namespaces)
        except Refused as reason:
            layers = {wire.REFUSED: str(reason)}
        _silence()
        outlet = Outlet(self._pipe, self._spools, self._setup.spool_mb << 20)
        try:
            if first:
                outlet.frame(wire.Hello(layers=layers))
                outlet.flush()
            if wire.REFUSED in layers:
                return wire.ChildExit.RECYCLE
            return self._serve(Workbench(self._setup, self._handlers, outlet, own_pids=self._namespaces == "on"))
        except Gone as gone:
            return gone.code

    def _serve(self, workbench: Workbench) -> int:
        while request := read_request(self._requests):
            if isinstance(request, wire.Renew):
                self._libraries.note_used()
                return wire.ChildExit.RENEW
            if isinstance(request, wire.Message):
                workbench.work(request)
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
