"""`redwell serve`: the review page, the API, a worker beside them; `redwell uploader files`: files alone."""

import argparse
import contextlib
import ipaddress
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.serving.served_home import ServedHome
from redwell.runtime.serving.worker_process import WorkerProcess

if TYPE_CHECKING:
    import uvicorn

LINK_S = 24 * 3600
BACKLOG = 512
KEEP_ALIVE_S = 75  # longer than proxies keep one: who closes first while the other asks breaks a request


def run_serve(args: argparse.Namespace) -> int:
    settings, home = load_settings(args.set), home_folder()
    if not _is_loopback(args.host) and not settings.serve_sources:
        raise UserError(
            f"on {args.host} others can reach this server: say which folders may be imported from with "
            "--set serve_sources=FOLDER, and put a proxy with TLS in front of it"
        )
    with (
        closing(_listening(args.host, args.port)) as door,
        closing(ServedHome(home, settings, tuple(args.set))) as served,
    ):
        address = f"http://{args.host}:{door.getsockname()[1]}"
        with _worker(served, args) as worker, contextlib.suppress(KeyboardInterrupt):  # also while it begins
            _announce(served, address)
            _serve(served, door, worker)
    print("ended; nothing is lost", file=sys.stderr)
    return ExitCode.OK


def run_files(args: argparse.Namespace) -> int:
    settings, home = load_settings(args.set), home_folder()
    with (
        closing(_listening(args.host, args.port)) as door,
        closing(ServedHome(home, settings, tuple(args.set))) as served,
    ):
        from redwell.entrypoints.http.app import make_file_service

        print(f"files are at http://{args.host}:{door.getsockname()[1]}", flush=True)
        _run(_server(make_file_service(served)), door)
    return ExitCode.OK


def _serve(served: ServedHome, door: socket.socket, worker: WorkerProcess | None) -> None:
    from redwell.entrypoints.http.app import make_app

    app = make_app(served, lambda: worker is not None and worker.is_alive)
    server = _server(app)
    app.state.is_ending = lambda: server.should_exit
    _run(server, door)


def _server(app: Any) -> "uvicorn.Server":
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=5,
        lifespan="off",
    )
    return uvicorn.Server(config)


def _run(server: "uvicorn.Server", door: socket.socket) -> None:
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn has ended in order, and tells whoever started it
        server.run(sockets=[door])


@contextmanager
def _worker(served: ServedHome, args: argparse.Namespace) -> Iterator[WorkerProcess | None]:
    if args.no_worker:
        yield None
        return
    worker = WorkerProcess(served.home, args.set)
    try:
        yield worker
    finally:
        print("finishing what is in work", file=sys.stderr)
        worker.stop()


def _announce(served: ServedHome, address: str) -> None:
    print(f"Redwell is at {address}", flush=True)
    if not served.accounts.all():
        link = served.credentials.new_link(None, LINK_S)
        print(f"Nobody can sign in yet. The first administrator opens, once:\n  {address}/welcome/{link}", flush=True)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
    except OSError as error:
        door.close()
        raise UserError(f"can't listen on {host} port {port}: {error.strerror}; --port names another") from None
    door.listen(BACKLOG)
    return door


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
