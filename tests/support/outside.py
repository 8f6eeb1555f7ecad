"""Listeners, files and a process outside the sandbox, for the escape tests."""

import os
import socket
import subprocess
import sys
from pathlib import Path

_UNIX_KINDS = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_STREAM)


class Outside:
    """Things outside the sandbox that must not be reached, and whether they were."""

    def __init__(self, folder: Path) -> None:
        self.secret = folder / "secret"
        self.secret.write_text("privileged")
        self.victim = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix, self.datagrams, self.abstract = (socket.socket(socket.AF_UNIX, kind) for kind in _UNIX_KINDS)
        self.unix.bind(str(folder / "s"))
        self.datagrams.bind(str(folder / "d"))
        self.abstract.bind(f"\0redwell-{os.getpid()}-{folder.name}")
        self.unix.listen()
        self.abstract.listen()

    def reached(self) -> list[str]:
        """Connections, datagrams and signals that arrived."""
        arrived = [] if self.victim.poll() is None else ["victim"]
        for name in ("tcp", "udp", "unix", "datagrams", "abstract"):
            waiting = getattr(self, name)
            waiting.setblocking(False)
            try:
                waiting.recv(100) if name in ("udp", "datagrams") else waiting.accept()
            except BlockingIOError:
                continue
            arrived.append(name)
        return arrived

    def close(self) -> None:
        self.victim.communicate(b"\n")
        for name in ("tcp", "udp", "unix", "datagrams", "abstract"):
            getattr(self, name).close()
