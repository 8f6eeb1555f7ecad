"""A home with two cases that is served, in this process or by the real `redwell serve`."""

import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from sqlalchemy import Connection, insert, select
from tests.support.product import Process, redwell, start

from redwell.adapters.sql.tables import derivation, ingestion
from redwell.adapters.sql_ledger.artifacts import add_artifacts
from redwell.core.access.rights import Right, Role, Scope
from redwell.core.artifacts import ArtifactKind
from redwell.core.work.kinds import Purpose, TaskType
from redwell.core.work.records import Artifact
from redwell.entrypoints.http.app import make_app
from redwell.entrypoints.http.sessions import Sessions
from redwell.ports.accounts import NewToken
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.settings import Settings, load_settings
from redwell.runtime.serving.served_home import ServedHome

PASSWORD = "three words in a row"
EVERY = Scope(rights=frozenset(Right))
API = "/api/v1"


def hostile_evidence(folder: Path) -> Path:
    """Names, subjects, HTML and text that want to be run or to fetch something."""
    folder.mkdir(parents=True)
    attack = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>"
    (folder / "<img src=x onerror=window.hacked=1>.txt").write_text(f"coating {attack} damage\n")
    (folder / "page.html").write_text(
        f"<html><head><base href='http://127.0.0.1:9/'></head><body>coating {attack}"
        "<img src='http://127.0.0.1:9/pixel.png'><iframe src='javascript:parent.hacked=1'></iframe></body></html>"
    )
    (folder / "picture.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' onload='window.hacked=1'><script>window.hacked=1</script>"
        "<text>coating</text></svg>"
    )
    mail = EmailMessage()
    mail["From"], mail["To"] = f'"{attack}" <a@example.org>', "b@example.org"
    mail["Subject"] = f"Order {attack}"
    mail["Date"] = "Mon, 03 Apr 2023 10:00:00 +0000"
    mail.set_content("the coating shows damage")
    mail.add_alternative(f"<p>the coating shows damage {attack}</p>", subtype="html")
    mail.add_attachment(b"coating of the flange", maintype="text", subtype="plain", filename='a"; <b>.txt')
    (folder / "mail.eml").write_bytes(mail.as_bytes())
    return folder


@dataclass
class Api:
    """A served home, and a client for each person."""

    home: ServedHome
    client: httpx.Client
    sessions: Sessions
    secrets: dict[str, str] = field(default_factory=dict)

    def person(self, name: str, *, admin: bool = False, scope: Scope = EVERY, **roles: Role) -> str:
        """The header of a token of a person; roles by the names of cases."""
        account = self.home.accounts.find(name) or self.home.accounts.add(name, admin=admin)
        numbers = {place.name: number for number, place in self.home.places().items()}
        for case, role in roles.items():
            self.home.accounts.set_role(account.id, numbers[case], role)
        _, secret = self.home.credentials.new_token(NewToken(account=account.id, name="test", scope=scope))
        self.secrets[name] = secret
        return f"Bearer {secret}"

    def ask(self, who: str, method: str, path: str, **kw: Any) -> Any:
        return self.client.request(method, API + path, headers={"Authorization": f"Bearer {self.secrets[who]}"}, **kw)

    def get(self, who: str, path: str, **kw: Any) -> Any:
        return self.ask(who, "GET", path, **kw)


@contextmanager
def served_api(home: Path) -> Iterator[Api]:
    """In this process, over a socket of its own."""
    served = ServedHome(home, load_settings(environ={}))
    door = socket.create_server(("127.0.0.1", 0))
    app = make_app(served)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
    thread.start()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{door.getsockname()[1]}", timeout=60) as client:
            yield Api(served, client, app.state.sessions)
    finally:
        server.should_exit = True
        thread.join()
        door.close()
        served.close()


def import_into(home: Path, case: str, evidence: Path) -> None:
    run = redwell(home, "import", str(evidence), "--case", case, "--custodian", f"Custodian of {case}")
    assert run.returncode == 0, run.stderr


def add_page(home: Path, case: str, exhibit: int, image: bytes, words: bytes) -> None:
    """Page 1 of a document, as work on its content leaves it."""
    with open_case(home, case, load_settings(environ={})) as opened:
        stored = [opened.blobs.spill([data]) for data in (image, words)]
        opened.blobs.sync()
        database = open_ledger(opened.folder, Settings())
    made = [
        Artifact(kind=ArtifactKind.PAGE_IMAGE, number=1, media_type="image/png", stored=stored[0]),
        Artifact(kind=ArtifactKind.WORD_BOXES, number=1, media_type="application/json", stored=stored[1]),
    ]

    def work(tx: Connection) -> None:
        of_it = ingestion.c.derivation == derivation.c.id
        reading = (
            tx.execute(select(derivation).join(ingestion, of_it).where(ingestion.c.id == exhibit)).mappings().one()
        )
        pages = {**reading, "purpose": str(Purpose.PAGES), "task": str(TaskType.RENDER_PAGE_IMAGES)}
        del pages["id"]
        key = tx.execute(insert(derivation).values(pages).returning(derivation.c.id)).scalar_one()
        add_artifacts(tx, [(key, each) for each in made])

    with closing(database):
        database.write(work)


@dataclass
class RunningServer:
    address: str
    link: str
    process: Process

    def stop(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        _, told = self.process.communicate(timeout=60)
        return self.process.wait(), told


@contextmanager
def running_server(home: Path, *args: str, **env: Any) -> Iterator[RunningServer]:
    """`redwell serve` on a free port, until the end."""
    process = start(home, "serve", "--port", "0", *args, **env)
    try:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        address = re.search(r"http://\S+", lines[0])
        assert address, lines
        lines += [process.stdout.readline(), process.stdout.readline()]
        link = re.search(r"http://\S+/welcome/\S+", lines[-1])
        yield RunningServer(address[0], link[0] if link else "", process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
