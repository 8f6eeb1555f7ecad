"""A real OpenSearch node for the tests: one for a whole run, shared by its workers, gone with the last of them.

`make setup` fetches it by its Maven coordinates (tools/opensearch.xml). By hand:
`.venv/bin/python -m tests.support.opensearch FOLDER` starts one, writes its address to FOLDER/url, and stops it
when nobody holds a lock on FOLDER/users (`flock -s`; to be held before it starts).
"""

import fcntl
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from tests.support.processes import die_with_parent

JARS = Path(sys.prefix) / "opensearch"
REQUIRED = os.environ.get("OPENSEARCH_TESTS") == "required"
_SETTINGS = """discovery.type: single-node
network.host: 127.0.0.1
cluster.routing.allocation.disk.threshold_enabled: false
action.destructive_requires_name: false
cluster.max_shards_per_node: 10000
"""
_START_S = 180
_locks: list[IO[str]] = []  # held as long as this process lives


def is_there() -> bool:
    return (JARS / ".coordinates").exists() and shutil.which("java") is not None


def why_not() -> str:
    """In one line; empty where the tests run."""
    return "" if is_there() else "not run: the tests on a real OpenSearch node (Java and Maven, then make setup)"


@cache
def url() -> str:
    """Of the run's node, which the first one to ask starts."""
    assert is_there(), why_not()
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = Path(tempfile.gettempdir()) / f"redwell-opensearch-{run}"
    folder.mkdir(exist_ok=True)
    users = (folder / "users").open("w")
    fcntl.flock(users, fcntl.LOCK_SH)
    _locks.append(users)
    with (folder / "starting").open("w") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        if not (folder / "url").exists():
            _start_keeper(folder)
    return (folder / "url").read_text()


def stop() -> None:
    """This process needs it no longer."""
    while _locks:
        _locks.pop().close()


def _start_keeper(folder: Path) -> None:
    command = [sys.executable, "-m", "tests.support.opensearch", str(folder)]
    with (folder / "keeper.log").open("wb") as log:
        keeper = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    until = time.monotonic() + _START_S
    while not (folder / "url").exists():
        assert keeper.poll() is None and time.monotonic() < until, (folder / "node.log").read_text(errors="replace")
        time.sleep(0.2)
    keeper.returncode = 0  # it outlives this process


def keep(folder: Path) -> None:
    """Start a node, say where it is, and stop it when nobody uses it any more."""
    node = _started(folder)
    try:
        with (folder / "users").open("w") as users:
            fcntl.flock(users, fcntl.LOCK_EX)
    finally:
        node.kill()
        node.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _started(folder: Path) -> "subprocess.Popen[bytes]":
    conf = folder / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    (conf / "opensearch.yml").write_text(_SETTINGS)
    # The runner takes ports up to 9299 only, and moves on without a word from one that is taken.
    java = ["java", "-Xms512m", "-Xmx1g", "-XX:+UseSerialGC", "-cp", f"{JARS}/*"]
    runner = ["org.codelibs.opensearch.runner.OpenSearchRunner", "-printOnFailure", "-numOfNode", "1"]
    places = ["-basePath", str(folder), "-confPath", str(conf), "-baseHttpPort", str(_free_port() - 1)]
    with (folder / "node.log").open("wb") as log:
        node = subprocess.Popen([*java, *runner, *places], stdout=log, stderr=log, preexec_fn=die_with_parent)
    while node.poll() is None:
        told = re.search(r"HTTP Port: +(\d+)", (folder / "node.log").read_text(errors="replace"))
        if told and _answers(int(told[1])):
            (folder / "url.new").write_text(f"http://127.0.0.1:{told[1]}")
            (folder / "url.new").rename(folder / "url")
            return node
        time.sleep(0.2)
    raise SystemExit((folder / "node.log").read_text(errors="replace"))


def _free_port() -> int:
    for port in range(9201, 9290):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise SystemExit("no port from 9201 to 9289 is free")


def _answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/_cluster/health", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
