"""Programs send files by a token or signed; people upload: each arrival is an ingestion that says where it is from."""

import base64
import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.product import ask, redwell
from tests.support.web import API, Api, served_api

from redwell.core.access.rights import Role
from redwell.core.ids import uuid7
from redwell.core.uploads.signed_posts import SignedPost, is_recent, is_signed, signature

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("B1", "B2")]
SECRET = "a secret of the tests"
INVOICE = b"INVOICE\nInvoice no: INV-%d\nTotal due: EUR 2.50\n"
SCHEMA = str(Path(__file__).parents[2] / "examples" / "schemas" / "invoice.json")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("posts")
    (folder / "evidence").mkdir()
    (folder / "evidence" / "first.txt").write_bytes(INVOICE % 1)
    for command in (
        ["import", str(folder / "evidence")],
        ["schema", "add", SCHEMA],
        ["source", "add", "webhook", "scanner", "--secret-variable", "SCANNER_SECRET"],
    ):
        run = redwell(folder / "home", *command, "--case", "A")
        assert run.returncode == 0, run.stderr
    return folder / "home"


@pytest.fixture(scope="module")
def api(home: Path) -> Iterator[Api]:
    with pytest.MonkeyPatch.context() as patched, served_api(home) as api:
        patched.setenv("SCANNER_SECRET", SECRET)
        api.person("ada", A=Role.ADMIN)
        api.person("rob", A=Role.READ_ONLY)
        yield api


def post(api: Api, body: bytes, key: str, name: str = "a%20b.txt", **how: Any) -> Any:
    """Signed as the documentation says, but for what `how` says otherwise."""
    path = f"{API}/cases/1/sources/{how.get('source', 1)}/arrivals"
    date = how.get("date") or datetime.now(UTC).isoformat()
    sha256 = hashlib.sha256(how.get("signed", body)).hexdigest()
    said = SignedPost(method="POST", path=path, date=date, key=key, name=name, sha256=sha256)
    headers = {
        "Content-Type": how.get("kind", "application/octet-stream"),
        "X-Redwell-Key": key,
        "X-Redwell-Name": name,
        "X-Redwell-Date": date,
        "X-Redwell-Signature": signature(how.get("secret", SECRET), said),
    }
    if token := how.get("token"):
        headers["Authorization"] = f"Bearer {token}"
    return api.client.post(path, content=body, headers=headers)


def documents(home: Path) -> list[dict[str, Any]]:
    listed = ask(home, "documents", "--case", "A", "--json").stdout
    return [json.loads(line) for line in listed.splitlines()]


def test_only_who_has_the_secret_or_a_token_that_may_import_sends_files(api: Api, home: Path) -> None:
    body = INVOICE % 7
    old = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    for how in ({"secret": "another"}, {"signed": b"other bytes"}, {"date": old}, {"date": "now"}, {"source": 9}):
        assert post(api, body, "k", **how).status_code == 401, how
    assert post(api, body, "k", token=api.secrets["rob"]).status_code == 403
    assert post(api, body, "k", token="wrong").status_code == 401
    assert post(api, body, "k", kind="text/plain").status_code == 415
    assert len(documents(home)) == 1, "nothing of it has come in"


def test_what_is_sent_comes_in_once_and_its_ingestion_names_the_source(api: Api, home: Path) -> None:
    first = post(api, INVOICE % 8, "scan-1")
    assert (first.status_code, first.json()["new"]) == (202, True), first.text
    assert post(api, INVOICE % 8, "scan-1").json() == {"new": False, "batches": []}
    by_token = post(api, INVOICE % 9, "scan-2", token=api.secrets["ada"], secret="none needed")
    assert by_token.status_code == 202
    known = hashlib.sha256(INVOICE % 1).hexdigest()
    link = json.dumps({"link": f"sha256:{known}"}).encode()
    assert post(api, link, "scan-3", "again.txt", kind="application/json").status_code == 202
    for wrong, status in ((b'{"link": "sha256:00"}', 404), (b'{"link": "/etc/passwd"}', 400), (b"[]", 400)):
        assert post(api, wrong, "scan-4", kind="application/json").status_code == status
    assert redwell(home, "resume", "--case", "A").returncode == 0
    names = sorted(each["name"] for each in documents(home))
    assert names == ["a b.txt", "a b.txt", "again.txt", "first.txt"]
    (source,) = api.get("rob", "/cases/1/sources").json()["sources"]
    assert source["name"] == "scanner" and source["last_arrival_ms"] and "settings" not in source
    store = api.home.case(1).understanding
    exhibits = [each["id"] for each in documents(home) if each["name"] != "first.txt"]
    for key in exhibits:
        brought = [each for each in store.ingestions(key) if each.source == source["id"]]
        assert brought and brought[-1].uploader is None and brought[-1].source_metadata["key"].startswith("scan-")
        assert brought[-1].structured_data is not None
    shown = api.get("rob", f"/cases/1/data/{brought[-1].id}").json()
    files = [api.get("rob", f"/cases/1/views/{shown['files'][name]}").content for name in ("document", "transcription")]
    assert files[0].startswith(b"INVOICE") and files[1].strip() == files[0].strip()
    assert shown["files"]["document"].startswith("documents/")
    for nobodys in ("documents/99999.txt", f"ingestions/{uuid7()}/transcription-output.txt"):
        assert api.get("rob", f"/cases/1/views/{nobodys}").status_code == 404
    page = api.client.get("/cases/1/sources", headers={"Authorization": f"Bearer {api.secrets['rob']}"})
    assert page.status_code == 200 and "scanner" in page.text and "active" in page.text


def test_what_a_person_uploads_is_an_ingestion_with_them_as_uploader(api: Api, home: Path) -> None:
    made = api.ask("ada", "POST", "/cases/1/uploads").json()
    body = INVOICE % 1
    headers = {
        "Tus-Resumable": "1.0.0",
        "Upload-Length": str(len(body)),
        "Upload-Metadata": "filename " + base64.b64encode(b"up.txt").decode(),
        "Content-Type": "application/offset+octet-stream",
        "Authorization": f"Bearer {api.secrets['ada']}",
    }
    assert api.client.post(made["files"], content=body, headers=headers).status_code == 201
    begun = api.ask("ada", "POST", f"/cases/1/uploads/{made['upload']}/import", json={})
    assert begun.status_code == 201, begun.text
    assert redwell(home, "resume", "--case", "A").returncode == 0
    (up,) = [each["id"] for each in documents(home) if each["name"] == "up.txt"]
    uploaded = api.home.case(1).understanding.ingestions(up)[-1]
    assert (uploaded.uploader, uploaded.source) == ("ada", None), "the content was there, the arrival is its own"


def test_a_signature_holds_for_what_was_signed_and_for_five_minutes() -> None:
    said = SignedPost(method="POST", path="/p", date="2026-01-02T03:04:05+00:00", key="k", name="n", sha256="00")
    assert is_signed("s", said, signature("s", said)) and not is_signed("", said, signature("", said))
    now = datetime(2026, 1, 2, 3, 6, tzinfo=UTC)
    assert is_recent(said.date, now) and not is_recent(said.date, now + timedelta(minutes=5))
    assert not is_recent("2026-01-02T03:04:05", now), "a time without its offset says nothing"
