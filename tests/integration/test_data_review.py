"""A person decides about data: over the API, in a real browser, and found by a search at once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from tests.support.product import ask, redwell
from tests.support.web import Api, add_page, import_into, served_api

from redwell.core.access.rights import Role
from redwell.core.page_words import PageWords, Word, encode

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("B7")]
CHROMIUM = "/usr/bin/chromium-headless-shell"
REPO = Path(__file__).parents[2]
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005fe02fe"
    "dccc59e70000000049454e44ae426082"
)
INVOICE = (
    "INVOICE\nInvoice no: {}\nInvoice date: 3 April 2023\n"
    "Bill to: <script>window.hacked=1</script>\nTotal due: EUR {}\n"
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "evidence").mkdir()
    for number, total in (("INV-1", "2000.50"), ("INV-2", "80.00")):
        (folder / "evidence" / f"{number}.txt").write_text(INVOICE.format(number, total))
    import_into(folder / "home", "A", folder / "evidence")
    words = PageWords(
        width=600, height=800, words=[Word("INV-1", 0.5, 0.1, 0.6, 0.15), Word("Invoice", 0.1, 0.1, 0.2, 0.15)]
    )
    add_page(folder / "home", "A", 2, PNG, encode(words))
    schema = str(REPO / "examples" / "schemas" / "invoice.json")
    for command in (["schema", "add", schema], ["understand"]):
        run = redwell(folder / "home", *command, "--case", "A")
        assert run.returncode == 0, run.stderr
    return folder / "home"


@pytest.fixture(scope="module")
def api(home: Path) -> Iterator[Api]:
    with served_api(home) as api:
        api.person("ada", A=Role.ADMIN)
        api.person("rita", A=Role.REVIEWER)
        api.person("rob", A=Role.READ_ONLY)
        yield api


def test_reviewers_get_different_documents_and_whoever_only_reads_gets_none(api: Api) -> None:
    assert api.get("rob", "/cases/1/data").json()["documents"] == {"needs review": 2}
    assert api.ask("rob", "POST", "/cases/1/data/next").status_code == 403
    ada, rita = (api.ask(who, "POST", "/cases/1/data/next").json()["ingestion"] for who in ("ada", "rita"))
    assert ada["document"] != rita["document"]
    said = {"decisions": [{"path": "total", "decision": "accepted"}]}
    assert api.ask("rita", "POST", f"/cases/1/data/{ada['ingestion']}/decisions", json=said).status_code == 409
    for who, each in (("ada", ada), ("rita", rita)):
        api.home.case(1).understanding.release(each["ingestion"], who)


def test_data_are_found_and_a_correction_is_found_at_once(api: Api) -> None:
    def found(query: str) -> list[str]:
        hits = api.get("rita", "/cases/1/search", params={"q": query}).json()["hits"]
        return sorted(hit["document"]["name"] for hit in hits)

    assert found("data.invoice.total:>1000 data.invoice.date:2023") == ["INV-1.txt"]
    assert found("data.invoice.total:<=80") == ["INV-2.txt"] and found("data.invoice.total:>9000") == []
    document = api.get("rita", "/cases/1/search", params={"q": "name:INV-2"}).json()["hits"][0]["document"]["id"]
    told = api.get("rita", f"/cases/1/documents/{document}/data").json()
    assert told["state"] == "needs review"
    ingestion = told["ingestions"][-1]["ingestion"]
    said = {"decisions": [{"path": "total", "decision": "corrected", "value": "9080.00 EUR"}]}
    answer = api.ask("rita", "POST", f"/cases/1/data/{ingestion}/decisions", json=said)
    assert answer.status_code == 200 and answer.json()["data"]["total"] == "9080.00 EUR"
    assert found("data.invoice.total:>9000") == ["INV-2.txt"]
    (decided,) = [each["decided"] for each in answer.json()["fields"] if each["decided"]]
    assert (decided["who"], decided["before"], decided["after"]) == ("rita", "80.00 EUR", "9080.00 EUR")
    audit = api.get("ada", "/cases/1/audit").json()["entries"]
    assert [entry["action"] for entry in audit].count("data decided") == 1


def test_a_correction_is_kept_in_the_form_of_its_field_or_refused_and_empty_fields_can_be_filled(api: Api) -> None:
    document = api.get("rita", "/cases/1/search", params={"q": "name:INV-2"}).json()["hits"][0]["document"]["id"]
    ingestion = api.get("rita", f"/cases/1/documents/{document}/data").json()["ingestions"][-1]
    empty = {each["path"] for each in ingestion["fields"] if not each["now"]}
    assert {"due", "seller"} <= empty, "a person may know what nobody found"

    def corrected(path: str, value: str) -> tuple[int, str]:
        said = {"decisions": [{"path": path, "decision": "corrected", "value": value}]}
        answer = api.ask("rita", "POST", f"/cases/1/data/{ingestion['ingestion']}/decisions", json=said)
        return answer.status_code, answer.json().get("data", {}).get(path, "")

    assert corrected("due", "3 May 2023") == (200, "2023-05-03")
    assert [corrected("due", value)[0] for value in ("by hand", "3/4/2023")] == [400, 400]
    told = api.get("rita", f"/cases/1/documents/{document}/data").json()["ingestions"][-1]["data"]
    assert told["due"] == "2023-05-03", "what was refused has changed nothing"


@pytest.fixture
def page(api: Api) -> Iterator[Page]:
    address = str(api.client.base_url).rstrip("/")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = browser.new_page(base_url=address, viewport={"width": 1440, "height": 900})
        made.set_default_timeout(60_000)
        link = api.home.credentials.new_link(api.home.accounts.find("ada").id, 600)  # type: ignore[union-attr]
        made.goto(f"/welcome/{link}")
        made.get_by_label("Password").fill("three words in a row")
        made.get_by_role("button", name="Begin").click()
        made.wait_for_url("**/")
        yield made
        browser.close()


def test_a_person_decides_by_keyboard_with_the_evidence_beside_it(api: Api, page: Page, home: Path) -> None:
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto("/cases/1/data")
    page.get_by_role("button", name="Look at the most doubtful").click()
    first = page.locator("li.field.on")
    expect(first).to_have_count(1)
    path = first.get_attribute("data-path")
    page.keyboard.press("a")
    expect(page.locator(f'li.field[data-path="{path}"]')).not_to_have_class("field doubtful on")
    expect(page.locator(f'li.field[data-path="{path}"] .state')).to_have_text("accepted")
    date = page.locator('li.field[data-path="date"]')
    date.click()
    expect(page.locator("mark.on")).to_contain_text("3 April 2023")
    page.locator("h1").click()
    page.keyboard.press("e")
    page.keyboard.type("2023-04-04")
    page.keyboard.press("Enter")
    expect(date.locator(".state")).to_contain_text("corrected; it was “2023-04-03”")
    date.click()
    page.locator("h1").click()
    page.keyboard.press("e")
    page.keyboard.type("by hand")
    page.keyboard.press("Enter")
    expect(date.locator(".state")).to_contain_text("can't be taken for one value")
    assert wrong == [] and page.evaluate("window.hacked") is None
    before = page.url
    page.keyboard.press("x")
    page.wait_for_url(lambda url: url != before)
    exported = ask(home, "review", "export", "--case", "A", "--format", "jsonl")
    rows = [json.loads(line) for line in exported.stdout.splitlines()]
    assert "2023-04-04" in {row["data"]["date"] for row in rows}
