"""A headless browser, kept warm and spoken to over its pipe. Called by handlers of the browser profile, in the child.

It runs without its own sandbox, inside of ours, which has no network. Beside that it can resolve no name, sends all
requests to a proxy that is not there, runs no script, and may load nothing but what the page itself holds.
"""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from redwell.core.errors import Unsupported
from redwell.core.wire import Tool
from redwell.handlers.engines import programs

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_REMEDY = "apt-get install chromium-headless-shell"
_READS, _WRITES = 3, 4  # the descriptors that it takes for its pipe
_OPTIONS = (
    "--headless --no-sandbox --no-zygote --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe --no-first-run "
    "--proxy-server=127.0.0.1:9 --proxy-bypass-list=<-loopback> --disable-background-networking "
    "--disable-component-update --disable-sync --disable-extensions --disable-breakpad --disable-crash-reporter "
    "--no-default-browser-check --metrics-recording-only --no-pings --hide-scrollbars --mute-audio "
    "--font-render-hinting=none"
).split()
_RESOLVES_NOTHING = "--host-resolver-rules=MAP * ~NOTFOUND"
# No shell does it: some know no descriptor above 9, and either number may already be the pipe's own.
_MOVE = f"""
import fcntl, os, sys
read, write = (fcntl.fcntl(int(number), fcntl.F_DUPFD_CLOEXEC, 10) for number in sys.argv[1:3])
os.dup2(read, {_READS})
os.dup2(write, {_WRITES})
os.execv(sys.argv[3], sys.argv[3:])
"""
_PART = 1 << 16
Answer = dict[str, Any]


class Died(Exception):
    """The browser ended, or gives no answer."""


def tool() -> Tool:
    return Tool(name="chromium", version=programs.version_of(programs.found(_NAMES)), remedy=_REMEDY)


class Browser:
    """One process with what it starts. `close` ends them all; a call that raises Died has done so."""

    def __init__(self, patience_s: float = 60) -> None:
        program = programs.found(_NAMES)
        if not program:
            raise Unsupported(f"PDFs of HTML are made by a browser: {_REMEDY}, then redwell retry --lacking")
        self._patience_s = patience_s
        self._folder = Path(tempfile.mkdtemp(prefix="browser-"))
        self._ids = itertools.count(1)
        self._unread = b""
        self._events: list[Answer] = []
        command = [program, *_OPTIONS, _RESOLVES_NOTHING, f"--user-data-dir={self._folder}", "about:blank"]
        self._process = self._start(command)

    def _start(self, command: list[str]) -> "subprocess.Popen[bytes]":
        """The pipe has to be at descriptors 3 and 4: a process that becomes the browser moves it there."""
        its_read, self._write = os.pipe()
        self._read, its_write = os.pipe()
        os.set_blocking(self._write, False)
        moved = [sys.executable, "-I", "-S", "-c", _MOVE, str(its_read), str(its_write)]
        try:
            return programs.start([*moved, *command], self._folder, (its_read, its_write))
        finally:
            os.close(its_read)
            os.close(its_write)

    @property
    def pid(self) -> int:
        return self._process.pid

    def pdf(self, html: str) -> bytes:
        """The page as it prints. What it would fetch from elsewhere is not there."""
        try:
            return self._printed(html)
        except (Died, OSError, ValueError) as error:
            try:
                programs.expect_room(self._folder)
            finally:
                self.close()
            raise Died(str(error)) from None

    def _printed(self, html: str) -> bytes:
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Emulation.setScriptExecutionDisabled", session, value=True)
        self._call("Emulation.setEmulatedMedia", session, media="screen")  # as it was read, not as it would print
        self._call("Network.enable", session)
        self._call("Network.setBlockedURLs", session, urls=["http://*", "https://*", "ftp://*", "file://*", "ws*://*"])
        self._call("Page.enable", session)
        frame = self._call("Page.getFrameTree", session)["frameTree"]["frame"]["id"]
        self._events.clear()
        self._call("Page.setDocumentContent", session, frameId=frame, html=html)
        self._wait_for("Page.loadEventFired", session)
        printed = self._call("Page.printToPDF", session, printBackground=True, preferCSSPageSize=True)
        self._call("Target.closeTarget", targetId=target)
        return base64.b64decode(printed["data"])

    def _call(self, method: str, session: str = "", **values: Any) -> Answer:
        number = next(self._ids)
        message = {"id": number, "method": method, "params": values, **({"sessionId": session} if session else {})}
        deadline = time.monotonic() + self._patience_s
        self._send(json.dumps(message).encode() + b"\0", deadline)
        while (answer := self._next(deadline)).get("id") != number:
            self._events.append(answer)
        if "error" in answer:
            raise Died(f"{method}: {answer['error'].get('message')}")
        result: Answer = answer["result"]
        return result

    def _wait_for(self, event: str, session: str) -> None:
        deadline = time.monotonic() + self._patience_s
        while not any(seen.get("method") == event and seen.get("sessionId") == session for seen in self._events):
            self._events.append(self._next(deadline))
        self._events.clear()

    def _send(self, message: bytes, deadline: float) -> None:
        """A browser that stands still reads nothing, and a page is more than its pipe takes."""
        rest = memoryview(message)
        while rest:
            if not select.select([], [self._write], [], max(0, deadline - time.monotonic()))[1]:
                raise Died("the browser gives no answer")
            rest = rest[os.write(self._write, rest) :]

    def _next(self, deadline: float) -> Answer:
        """The next thing that it says."""
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._read], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self._read, _PART) if ready else b""
            if not part:
                raise Died("the browser has ended" if ready else "the browser gives no answer")
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        said: Answer = json.loads(message)
        return said

    def close(self) -> None:
        programs.end(self._process)
        for fd in (self._read, self._write):
            os.close(fd)
        self._read = self._write = -1
        shutil.rmtree(self._folder, ignore_errors=True)
