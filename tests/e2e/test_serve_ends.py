"""Ctrl-C while people are at it: streams of events and a file that is being sent."""

import re
import socket
import threading
from pathlib import Path

import httpx
import pytest
from tests.support.product import redwell
from tests.support.web import API, running_server

from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.serving.imports import Imports, NewImport

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("F1")]
MB = 1 << 20
TUS = {"Tus-Resumable": "1.0.0", "Upload-Length": str(50 * MB), "Upload-Metadata": "relativePath YS5iaW4="}


def a_waiting_import(home: Path, folder: Path) -> None:
    """Nobody works on it."""
    folder.mkdir()
    (folder / "a.txt").write_text("coating")
    imports = Imports(home, load_settings(environ={}))
    imports.make_case("A")
    imports.begin("A", NewImport(sources=[str(folder)]))


def begun_upload(server: httpx.Client, token: str) -> socket.socket:
    """A third of its bytes have been sent, and no more are."""
    upload = server.post(f"{API}/cases/1/uploads").json()["upload"]
    place = server.post(f"{API}/cases/1/uploads/{upload}/files", headers=TUS).headers["Location"]
    line = socket.create_connection((str(server.base_url.host), int(server.base_url.port or 80)))
    head = f"PATCH {place} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
    head += f"Authorization: Bearer {token}\r\nContent-Length: {50 * MB}\r\n"
    line.sendall((head + "Content-Type: application/offset+octet-stream\r\n\r\n").encode() + bytes(3 * MB))
    while int(server.head(place, headers=TUS).headers["Upload-Offset"]) < 2 * MB:
        pass
    return line


def test_streams_end_a_file_that_is_being_sent_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    home, heard = tmp_path / "home", list[str]()
    a_waiting_import(home, tmp_path / "in")
    with running_server(home, "--no-worker") as server:
        redwell(home, "user", "add", "ada", "--admin")
        told = redwell(home, "token", "new", "t", "--user", "ada", "--right", "read", "--right", "import").stdout
        [token] = re.findall(r"rw_\S+", told)
        headers = {"Authorization": f"Bearer {token}"}
        first = threading.Event()

        def listen() -> None:
            with httpx.stream("GET", f"{server.address}{API}/cases/1/batches/1/events", headers=headers) as stream:
                for line in stream.iter_lines():
                    heard.append(line)
                    first.set()
            heard.append("ended in order")

        listener = threading.Thread(target=listen)
        listener.start()
        with httpx.Client(base_url=server.address, headers=headers) as client, begun_upload(client, token):
            assert first.wait(60)
            code, said = server.stop()
        listener.join(60)
    assert (code, "Traceback" in said, heard[-1]) == (0, False, "ended in order")
    [part] = (home / "uploads").rglob("*.part")
    assert part.stat().st_size >= 2 * MB
