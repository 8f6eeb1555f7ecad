"""A local AWS server for the tests, over HTTP with the real client libraries; tests/conftest.py stops it.

It comes from PyPI and lives in a virtual environment of its own (make setup). It listens on a free port of 127.0.0.1,
dies with the process that started it, and keeps what it knows in its own folder when it is stopped in order.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from pathlib import Path
from typing import Any

import boto3
from tests.support.processes import die_with_parent

PROGRAM = Path(sys.prefix) / "aws-server" / "bin" / "ministack"
REGION = "eu-central-1"


class Server:
    def __init__(self) -> None:
        assert PROGRAM.exists(), "the AWS server of the tests is missing: make setup"
        self.folder = Path(tempfile.mkdtemp(prefix="redwell-aws-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def pid(self) -> int:
        assert self._process, "it is stopped"
        return self._process.pid

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def environment(self, port: int | None = None) -> dict[str, str]:
        """What a client has to find in its environment."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_REGION": REGION,
            "AWS_ALLOW_HTTP": "true",
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [PROGRAM],
                env={**os.environ, **self._settings()},
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
                start_new_session=True,
            )
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.02)

    def stop(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder)

    def new_bucket(self) -> str:
        name = f"b{uuid.uuid4().hex}"
        s3 = client("s3")
        s3.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
        s3.close()
        return name

    def _settings(self) -> dict[str, str]:
        state = str(self.folder / "state")
        return {
            "GATEWAY_PORT": str(self.port),
            "BIND_HOST": "127.0.0.1",
            "IOT_MTLS_ENABLED": "0",
            "PERSIST_STATE": "1",
            "STATE_DIR": state,
            "S3_PERSIST": "1",
            "S3_DATA_DIR": f"{state}/s3",
            "LOG_LEVEL": "WARNING",
        }

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_ministack/health", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


_KEYS = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}


def client(service: str) -> Any:
    """For what a test does behind Redwell's back."""
    return boto3.client(service, endpoint_url=server().url, region_name=REGION, **_KEYS)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


_servers: list[Server] = []


def server() -> Server:
    if not _servers:
        _servers.append(_chosen())
    return _servers[0]


def _chosen() -> Server:
    """`make test-engines` asks others for their opinion."""
    if os.environ.get("REDWELL_TEST_AWS") != "second":
        return Server()
    from tests.support.second_opinions import SecondOpinions  # which is such a server

    return SecondOpinions()


def stop_server() -> None:
    while _servers:
        _servers.pop().remove()
