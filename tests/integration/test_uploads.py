"""Files sent to the server by the tus protocol: whole, in pieces, interrupted, hostile; and imports made of them."""

import base64
import hashlib
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.support.product import documents, redwell, verified
from tests.support.web import API, Api, served_api

from redwell.adapters.files.upload_store import FileUploads
from redwell.client import ApiError, Client
from redwell.core.access.rights import Role
from redwell.core.uploads.arrivals import NewFile
from redwell.entrypoints.http import upload_routes
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.serving.imports import Imports

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("B1")]
OFFSET = {"Content-Type": "application/offset+octet-stream"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    home = tmp_path_factory.mktemp("uploads") / "home"
    Imports(home, load_settings(environ={})).make_case("A")
    Imports(home, load_settings(environ={})).make_case("B")
    with served_api(home) as api:
        api.person("ada", A=Role.ADMIN)
        api.person("rita", A=Role.REVIEWER)
        api.person("bob", B=Role.ADMIN)
        yield api


def packed(**pairs: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())


class Sender:
    def __init__(self, api: Api, who: str = "ada", case: int = 1) -> None:
        self.api, self.who, self.base = api, who, f"/cases/{case}/uploads"
        self.upload = api.ask(who, "POST", self.base).json()["upload"]
        self.files = f"{self.base}/{self.upload}/files"

    def tus(self, method: str, path: str, body: bytes = b"", **headers: str) -> httpx.Response:
        told = {"Tus-Resumable": "1.0.0", "Authorization": f"Bearer {self.api.secrets[self.who]}"}
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.api.client.request(method, API + path, content=body, headers=told)

    def create(self, name: str, length: int, **more: str) -> httpx.Response:
        return self.tus(
            "POST", self.files, Upload_Length=str(length), Upload_Metadata=packed(relativePath=name, **more)
        )

    def place(self, name: str, length: int, **more: str) -> str:
        answer = self.create(name, length, **more)
        assert answer.status_code == 201, answer.text
        return answer.headers["Location"].removeprefix(API)

    def patch(self, place: str, offset: int, body: bytes, **headers: str) -> httpx.Response:
        return self.tus("PATCH", place, body, **OFFSET, Upload_Offset=str(offset), **headers)

    def state(self) -> dict[str, Any]:
        return {each["path"]: each for each in self.api.get(self.who, f"{self.base}/{self.upload}").json()["files"]}


def checksum(body: bytes) -> str:
    return "sha256 " + base64.b64encode(hashlib.sha256(body).digest()).decode()


def test_a_file_comes_in_pieces_and_is_hashed_on_arrival(api: Api) -> None:
    sender, body = Sender(api), os.urandom(3_000_000)
    place = sender.place("mail/inbox.bin", len(body))
    assert sender.patch(place, 0, body[:2_000_000], Upload_Checksum=checksum(body[:2_000_000])).status_code == 204
    told = sender.tus("HEAD", place)
    assert (told.headers["Upload-Offset"], told.headers["Upload-Length"]) == ("2000000", "3000000")
    assert sender.patch(place, 2_000_000, body[2_000_000:]).headers["Upload-Offset"] == "3000000"
    assert sender.state()["mail/inbox.bin"]["sha256"] == hashlib.sha256(body).hexdigest()


def test_what_arrived_before_the_line_broke_is_kept_and_the_rest_follows(api: Api) -> None:
    sender, body = Sender(api), os.urandom(6_000_000)
    place = sender.place("big.bin", len(body))
    host, port = str(api.client.base_url.host), int(api.client.base_url.port or 80)
    with socket.create_connection((host, port)) as line:
        head = f"PATCH {API}{place} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
        head += f"Authorization: Bearer {api.secrets['ada']}\r\nContent-Length: {len(body)}\r\n"
        line.sendall((head + f"Content-Type: {OFFSET['Content-Type']}\r\n\r\n").encode() + body[:4_000_000])
    while (answer := sender.tus("HEAD", place)).headers["Upload-Offset"] == "0":
        pass
    offset = int(answer.headers["Upload-Offset"])
    assert 0 < offset <= 4_000_000
    rest = sender.patch(place, offset, body[offset:])
    while rest.status_code in (409, 423):  # the server was still taking in what came first
        offset = int(sender.tus("HEAD", place).headers["Upload-Offset"])
        rest = sender.patch(place, offset, body[offset:])
    assert rest.status_code == 204
    assert sender.state()["big.bin"]["sha256"] == hashlib.sha256(body).hexdigest()


def test_a_file_whose_creation_was_not_answered_is_asked_for_again_and_is_one_file(api: Api) -> None:
    sender, body, key = Sender(api), b"salt water", "0123456789abcdef" * 2
    told = {"Upload_Length": "10", "Upload_Metadata": packed(relativePath="a.txt", key=key)}
    host, port = str(api.client.base_url.host), int(api.client.base_url.port or 80)
    with socket.create_connection((host, port)) as line:  # it breaks while the first bytes come along
        head = f"POST {API}{sender.files} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nContent-Length: 10\r\n"
        head += f"Authorization: Bearer {api.secrets['ada']}\r\nContent-Type: {OFFSET['Content-Type']}\r\n"
        head += "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in told.items())
        line.sendall(f"{head}Upload-Checksum: {checksum(body)}\r\n\r\nsalt".encode())
        while not sender.state():
            pass
    again = sender.tus("POST", sender.files, **told)
    while (rest := sender.patch(again.headers["Location"].removeprefix(API), 0, body)).status_code == 423:
        pass  # the server was still taking in what came first
    assert (again.status_code, again.headers["Upload-Offset"], rest.status_code) == (201, "0", 204)
    late = sender.tus("POST", sender.files, body, **OFFSET, **told)
    assert (late.status_code, late.headers["Upload-Offset"]) == (201, "10")
    assert list(sender.state()) == ["a.txt"]
    refused = sender.create("b.txt", 1, key="../../escape")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-request")


def test_a_line_that_died_in_silence_does_not_keep_its_file(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_routes, "SILENT_S", 0.2)
    sender, body = Sender(api), os.urandom(3_000_000)
    place = sender.place("big.bin", len(body))
    host, port = str(api.client.base_url.host), int(api.client.base_url.port or 80)
    with socket.create_connection((host, port)) as line:  # stays open, as one whose other end has gone
        head = f"PATCH {API}{place} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
        head += f"Authorization: Bearer {api.secrets['ada']}\r\nContent-Length: {len(body)}\r\n"
        line.sendall((head + f"Content-Type: {OFFSET['Content-Type']}\r\n\r\n").encode() + body[:2_000_000])
        while not (offset := int(sender.tus("HEAD", place).headers["Upload-Offset"])):
            pass
        while (rest := sender.patch(place, offset, body[offset:])).status_code == 423:
            pass
    assert rest.status_code == 204
    assert sender.state()["big.bin"]["sha256"] == hashlib.sha256(body).hexdigest()


def test_bytes_that_are_not_those_of_their_checksum_are_not_kept(api: Api) -> None:
    sender = Sender(api)
    place = sender.place("a.txt", 10)
    wrong = sender.patch(place, 0, b"0123456789", Upload_Checksum=checksum(b"other"))
    assert (wrong.status_code, wrong.json()["code"]) == (460, "wrong-checksum")
    assert sender.tus("HEAD", place).headers["Upload-Offset"] == "0"
    told = sender.place("b.txt", 3, sha256=hashlib.sha256(b"abc").hexdigest())
    assert sender.patch(told, 0, b"abd").status_code == 460
    assert sender.patch(told, 0, b"abc").status_code == 204


def test_the_sender_is_told_what_is_wrong(api: Api) -> None:
    sender = Sender(api)
    place = sender.place("a.txt", 10)
    assert sender.patch(place, 3, b"x").status_code == 409
    assert sender.patch(place, 0, b"x" * 11).status_code == 413
    assert sender.tus("PATCH", place, b"x", Upload_Offset="0").status_code == 415
    assert sender.create("huge", 10**14).status_code == 413
    assert sender.create("../escape", 1).status_code == 400
    assert sender.create("/etc/passwd", 1).status_code == 400
    other = api.ask("ada", "POST", sender.files)
    assert (other.status_code, other.json()["code"]) == (412, "wrong-protocol")
    told = sender.tus("OPTIONS", sender.files)
    assert told.headers["Tus-Version"] == "1.0.0"
    assert "checksum" in told.headers["Tus-Extension"]
    assert sender.tus("DELETE", place).status_code == 204
    assert sender.tus("HEAD", place).status_code == 404


def test_nobody_but_who_may_import_uploads_and_no_other_case_sees_it(api: Api) -> None:
    sender = Sender(api)
    place = sender.place("a.txt", 1)
    assert api.ask("rita", "POST", "/cases/1/uploads").status_code == 403
    assert api.ask("bob", "POST", "/cases/1/uploads").status_code == 404
    in_b = place.replace("/cases/1/", "/cases/2/")
    assert Sender(api, "bob", 2).tus("HEAD", in_b).status_code == 404


def test_what_was_uploaded_becomes_an_import_once_and_every_file_comes_out(api: Api, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence"
    (evidence / "deep" / "er").mkdir(parents=True)
    (evidence / "deep" / "er" / "letter.txt").write_text("the valve leaks")
    (evidence / "empty.txt").touch()
    (evidence / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing behind it")
    os.utime(evidence / "deep" / "er" / "letter.txt", (1_680_516_000, 1_680_516_000))
    with Client(str(api.client.base_url), token=api.secrets["ada"]) as client:
        case = client.case("A")
        upload = case.begin_upload()
        with pytest.raises(ApiError, match="nothing was uploaded"):
            case.import_upload(upload)
        batch = case.upload(evidence, custodian="Archer", upload=upload, ocr="none")
        assert case.import_upload(upload) == batch
        with pytest.raises(ApiError, match="no option"):
            case.post("/batches", {"sources": [str(evidence)], "options": {"slots": "9"}})
        ran = redwell(api.home.home, "resume", "--case", "A")
        assert ran.returncode == 0, ran.stderr
        found = {each["path"]: each for each in documents(api.home.home, "A")}
        assert set(found) >= {"evidence/deep/er/letter.txt", "evidence/empty.txt", "evidence/broken.pdf"}
        letter = found["evidence/deep/er/letter.txt"]
        assert (letter["custodian"], letter["source_dates"]["modified"][:10]) == ("Archer", "2023-04-03")
        assert case.batch(batch)["sources"][0]["path"] == "uploaded"
        api.home.sweep_uploads()
        assert all(each.batch != batch for each in api.home.uploads.all())
        broken = next(e for e in case.documents() if e["path"] == "evidence/broken.pdf")
        whole = tmp_path / "whole.txt"
        whole.write_text("what the broken one should have said")
        replaced = case.replace_file(broken["id"], whole)
        assert redwell(api.home.home, "resume", "--case", "A").returncode == 0
        told = case.get(f"/documents/{broken['id']}")
        assert told["replaced_by"][0]["batch"] == replaced["batch"]
        new = next(e for e in case.documents() if e["path"] == "whole.txt")
        assert (new["custodian"], case.get(f"/documents/{new['id']}")["replaces"]) == ("Archer", [broken["id"]])
        rows = case.get("/exceptions", outcome="INVALID_FILE")
        assert (rows["outcomes"]["INVALID_FILE"], rows["next"]) == (1, None)
        assert rows["exceptions"][0]["path"] == "evidence/broken.pdf"
    verified(api.home.home, "A")


def test_a_server_that_was_killed_goes_on_from_what_is_on_the_disk(tmp_path: Path) -> None:
    body = os.urandom(100_000)
    before = FileUploads(tmp_path, 1 << 30, 0)
    upload = before.begin(1, "ada").id
    file = before.add(1, upload, NewFile(path="a/b.bin", length=len(body))).id
    arrival = before.arrive(1, upload, file, 0, None)
    arrival.write(body[:60_000])
    arrival.break_off()
    after = FileUploads(tmp_path, 1 << 30, 0)
    assert after.file(1, upload, file).offset == 60_000
    arrival = after.arrive(1, upload, file, 60_000, None)
    arrival.write(body[60_000:])
    assert arrival.finish().sha256 == hashlib.sha256(body).hexdigest()
    folder = after.laid_out(1, upload)
    assert (folder / "a" / "b.bin").read_bytes() == body
    assert FileUploads(tmp_path, 1 << 30, 0).laid_out(1, upload) == folder  # a kill between, and once more
    assert json.loads((folder.parent / f"{file}.json").read_text())["path"] == "a/b.bin"


def test_a_file_and_a_folder_of_one_name_are_both_kept(tmp_path: Path) -> None:
    uploads = FileUploads(tmp_path, 1 << 30, 0)
    upload = uploads.begin(1, "ada").id
    for path in ("a/b", "a", "a/b"):
        file = uploads.add(1, upload, NewFile(path=path, length=1)).id
        arrival = uploads.arrive(1, upload, file, 0, None)
        arrival.write(b"x")
        arrival.finish()
    folder = uploads.laid_out(1, upload)
    assert sum(len(files) for _, _, files in os.walk(folder)) == 3
