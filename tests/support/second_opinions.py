"""Servers of others in the place of the AWS server of the tests: ElasticMQ, DynamoDB Local, versitygw for S3.

For `make test-engines` (REDWELL_TEST_AWS=second), which fetches and builds them first. They listen on free ports of
127.0.0.1; DynamoDB Local, which would listen everywhere, has a network of its own, and a socket in a folder leads
there. What they don't have (topics) is not asked of them.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.support.aws import REGION, Server, free_port
from tests.support.processes import die_with_parent
from tests.support.proxy import Proxy

_TABLES_PORT = 8000  # in a network that nobody else has
_BRIDGE = f"""
import socket, subprocess, sys, threading
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
subprocess.Popen(sys.argv[2:])
def passed_on(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for each in (source, target):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
door = socket.socket(socket.AF_UNIX)
door.bind(sys.argv[1])
door.listen()
while True:
    client = door.accept()[0]
    try:
        server = socket.create_connection(("127.0.0.1", {_TABLES_PORT}))
    except OSError:
        client.close()
        continue
    for pair in ((client, server), (server, client)):
        threading.Thread(target=passed_on, args=pair, daemon=True).start()
"""
ENGINES = Path(sys.prefix) / "engines"


class SecondOpinions(Server):
    """As much of the AWS server as the contract suites of queue and blob store ask for."""

    def __init__(self) -> None:
        assert (ENGINES / "versitygw").exists(), "second opinions are missing: make test-engines"
        self.folder = Path(tempfile.mkdtemp(prefix="redwell-engines-"))
        self.port, self._queues = free_port(), free_port()
        self._processes: list[subprocess.Popen[bytes]] = []
        self.start()

    def environment(self, port: int | None = None) -> dict[str, str]:
        ports = {"SQS": self._queues, "DYNAMODB": self._tables.port}
        others = {f"AWS_ENDPOINT_URL_{name}": f"http://127.0.0.1:{each}" for name, each in ports.items()}
        return {**super().environment(port), **others}

    def start(self) -> None:
        objects = self.folder / "objects"
        objects.mkdir(exist_ok=True)
        keys = {"ROOT_ACCESS_KEY": "test", "ROOT_SECRET_KEY": "test"}
        self._run(
            [str(ENGINES / "versitygw"), "--port", f"127.0.0.1:{self.port}", "--region", REGION, "posix", str(objects)],
            keys,
        )
        classes = (ENGINES / "elasticmq.cp").read_text().strip()
        where = [f"-Drest-sqs.bind-port={self._queues}", "-Drest-sqs.bind-hostname=127.0.0.1"]
        address = [f"-Dnode-address.port={self._queues}", "-Dnode-address.host=127.0.0.1", "-Drest-stats.enabled=false"]
        self._run(["java", "-Xmx256m", *where, *address, "-cp", classes, "org.elasticmq.server.Main"], {})
        self._start_tables()
        for port in (self.port, self._queues):
            self._wait_for(port)

    def _start_tables(self) -> None:
        door = self.folder / "tables"
        classes = (ENGINES / "dynamodb.cp").read_text().strip()
        main = "software.amazon.dynamodb.services.local.main.ServerRunner"
        options = ["-inMemory", "-sharedDb", "-port", str(_TABLES_PORT), "-disableTelemetry"]
        java = ["java", "-Xmx256m", "-cp", classes, main, *options]
        self._run(
            [
                "unshare",
                "--user",
                "--map-root-user",
                "--net",
                "--pid",
                "--fork",
                "--kill-child",
                sys.executable,
                "-c",
                _BRIDGE,
                str(door),
                *java,
            ],
            {},
        )
        while not door.exists():
            time.sleep(0.1)
        self._tables = Proxy(door)
        self._wait_for_tables()

    def _wait_for_tables(self) -> None:
        """An answer of any kind: that somebody takes a connection says nothing of who is behind the door."""
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self._tables.port}", timeout=5):
                    return
            except urllib.error.HTTPError:
                return
            except OSError:
                assert all(each.poll() is None for each in self._processes), (self.folder / "log").read_text()
                time.sleep(0.2)

    def stop(self) -> None:
        self._tables.close()
        while self._processes:
            process = self._processes.pop()
            process.kill()  # one of them is the first of its own processes, which hears nothing else
            process.wait()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _run(self, command: list[str], env: dict[str, str]) -> None:
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                command,
                env={**os.environ, **env},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
                start_new_session=True,
            )
        self._processes.append(process)

    def _wait_for(self, port: int) -> None:
        while True:
            assert all(each.poll() is None for each in self._processes), (self.folder / "log").read_text()
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
