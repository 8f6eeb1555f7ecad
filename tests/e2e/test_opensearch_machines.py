"""With OpenSearch every machine searches every case: one imports, another with a home of its own finds and shows."""

import json
from pathlib import Path

import httpx
import pytest
from tests.support import opensearch
from tests.support.case_homes import HOMES
from tests.support.machines import QUEUES, Machines
from tests.support.product import redwell
from tests.support.web import API, running_server

pytestmark = pytest.mark.xdist_group("databases")
CASE = "Smith v Jones"


@pytest.fixture
def machines(tmp_path: Path) -> Machines:
    evidence = tmp_path / "in"
    evidence.mkdir()
    for number in range(5):
        (evidence / f"{number}.txt").write_text(f"the breach of contract number {number} was serious")
    engine = {"REDWELL_SEARCH": "opensearch", "REDWELL_OPENSEARCH": opensearch.url()}
    made = Machines(tmp_path / "a", evidence, tmp_path / "b", {**HOMES["aws"](), **QUEUES["ledger"], **engine})
    run = redwell(made.home, "import", str(evidence), "--case", CASE, **made.env)
    assert run.returncode == 0, run.stderr
    return made


def there(machines: Machines, *args: str) -> str:
    run = redwell(machines.other, *args, through=machines.through, **machines.env)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.requirement("F2", "D8")
def test_a_machine_that_keeps_nothing_of_a_case_searches_and_serves_it(machines: Machines) -> None:
    asked = ("search", "--case", CASE, "breach w/3 contract NOT 3", "--json", "--sort", "control_number")
    found = there(machines, *asked)
    assert found == redwell(machines.home, *asked, **machines.env).stdout
    assert [json.loads(line)["path"] for line in found.splitlines()[:-1]] == ["0.txt", "1.txt", "2.txt", "4.txt"]
    (machines.other.parent / "terms").write_text("breach\nnumber AND 2\n")
    assert "breach" in there(machines, "terms", "--case", CASE, str(machines.other.parent / "terms"))
    with running_server(machines.other, "--no-worker", through=machines.through, **machines.env) as served:
        there(machines, "user", "add", "ada", "--admin")
        rights = ("--right", "export", "--right", "read", "--right", "manage")
        secret = json.loads(there(machines, "token", "new", "t", "--user", "ada", *rights, "--json"))["secret"]
        with httpx.Client(base_url=served.address + API, headers={"Authorization": f"Bearer {secret}"}) as client:
            answer = client.get("/cases")
            assert answer.status_code == 200, answer.text
            [case] = answer.json()["cases"]
            base = f"/cases/{case['case']}"
            assert client.put(f"{base}/members/ada", json={"role": "admin"}).status_code == 200
            hits = client.get(f"{base}/search", params={"q": "breach w/3 contract"}).json()
            assert hits["total"] == 5
            document = hits["hits"][0]["document"]["id"]
            assert client.get(f"{base}/documents/{document}/native").content.startswith(b"the breach of contract")
            shown = client.get(f"{base}/documents/{document}/text", params={"q": "breach"})
            assert shown.status_code == 200 and "breach" in shown.text
    assert not list(machines.other.glob("cases/*/index/**/*"))
