"""Asks a library in a process of its own for the text of a file; a hang or a crash is an answer too.

Used by benchmarks.peers. The process is warm: start-up is not part of a file's time. It is started anew after a
crash, and killed and started anew after a hang.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

REPO = Path(__file__).resolve().parents[1]
PEERS_PYTHON = REPO / ".venv" / "peers" / "bin" / "python"
START_S = 120.0
FILE_S = 60.0
_NO_NETWORK = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")


@dataclass(frozen=True, slots=True)
class Answer:
    said: str
    seconds: float
    ended: Literal["well", "error", "crash", "hang"]


def command(name: str) -> list[str]:
    """Redwell's handlers run with Redwell's Python, the others with that of tools/peers.sh."""
    python = sys.executable if name == "redwell" else str(PEERS_PYTHON)
    return [python, "-m", "benchmarks.peer_worker", name]


class PeerProcess:
    def __init__(self, command: list[str], file_s: float = FILE_S) -> None:
        self._command, self._file_s = command, file_s
        self._process: subprocess.Popen[str] | None = None
        self._scratch = tempfile.TemporaryDirectory(prefix="redwell-peer-", ignore_cleanup_errors=True)
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def ask(self, path: Path) -> Answer:
        """What it says about the file, and how long that took from the question to the answer."""
        process, started = self._warm(), time.monotonic()
        try:
            assert process.stdin
            process.stdin.write(f"{path}\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self._file_s)
        except queue.Empty:
            self._end()
            return Answer("", time.monotonic() - started, "hang")
        except BrokenPipeError:
            line = ""
        seconds = time.monotonic() - started
        if not line:
            self._end()
            return Answer("", seconds, "crash")
        answer = json.loads(line)
        return Answer(answer["said"], seconds, "error" if answer["error"] else "well")

    def close(self) -> None:
        """End the process, with whatever temporary files it leaves."""
        self._end()
        self._scratch.cleanup()

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._reader.join()
            assert self._process.stdin and self._process.stdout
            self._process.stdout.close()
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
            self._process = None

    def _warm(self) -> "subprocess.Popen[str]":
        if self._process is None:
            self._process = process = subprocess.Popen(
                self._command,
                cwd=REPO,
                env={**os.environ, **_NO_NETWORK, "TMPDIR": self._scratch.name},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self._lines = queue.SimpleQueue()
            self._reader = threading.Thread(target=_forward, args=(process, self._lines), daemon=True)
            self._reader.start()
            if not self._lines.get(timeout=START_S):
                self._end()
                raise RuntimeError(f"{' '.join(self._command)} does not start: run tools/peers.sh")
        return self._process


def _forward(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str]") -> None:
    """Every line, and an empty one when the process is gone."""
    assert process.stdout
    for line in process.stdout:
        lines.put(line)
    lines.put("")
