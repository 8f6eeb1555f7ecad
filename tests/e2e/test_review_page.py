"""The whole way of a reviewer in a real browser, over a real server: one of each for all tests of this file."""

import re
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright
from tests.support.product import redwell, verified
from tests.support.web import PASSWORD, RunningServer, hostile_evidence, running_server

from redwell.runtime.serving.gathered_entries import EVERY_S

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("F1")]
CHROMIUM = "/usr/bin/chromium-headless-shell"
SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    evidence = hostile_evidence(folder / "evidence")
    (evidence / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing behind it")
    with ZipFile(evidence / "letters.zip", "w") as archive:
        archive.writestr("letter.txt", "the salt water came later")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[RunningServer]:
    with running_server(folder / "home", "--set", "pages=none") as server:
        yield server


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    yield browser
    browser.close()


class Desk:
    """A person at the page; what goes wrong in it is kept."""

    def __init__(self, browser: Browser, server: RunningServer) -> None:
        self.page = browser.new_page(base_url=server.address, viewport={"width": 1440, "height": 900})
        self.page.set_default_timeout(60_000)
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda m: self.wrong.append(m.text) if m.type == "error" else None)
        self.page.on("request", lambda request: self.asked.append(request.url))


@pytest.fixture(scope="module")
def desk(browser: Browser, server: RunningServer, folder: Path) -> Desk:
    """Signed in, with a case that has been imported at the page."""
    desk = Desk(browser, server)
    page = desk.page
    page.goto(server.link)
    page.get_by_label("Your name").fill("Ada <b>")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("New case").fill("Valves <script>window.hacked=1</script>")
    page.get_by_role("button", name="Make it").click()
    page.locator("#drop").wait_for()
    page.wait_for_load_state("load")  # its script listens then; nobody chooses files before
    page.locator("#drop input[webkitdirectory]").set_input_files(folder / "evidence")
    expect(page.locator("#sent-said")).to_have_text("All of it is here, and was checked by its hash.")
    page.get_by_label("Custodian").fill("Archer")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#state")).to_have_text("finished", timeout=120_000)
    page.get_by_role("link", name="Case", exact=True).click()
    for name in ("Responsive", "Privileged <i>"):
        page.get_by_label("New tag").fill(name)
        page.get_by_role("button", name="Add").click()
    return desk


def search(page: Page, query: str) -> None:
    page.goto("/cases/1/review")
    page.get_by_role("searchbox").fill(query)
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url("**/review?q=*")
    page.locator("#reader").wait_for()
    page.keyboard.press("Escape")


def all_that_was_read(page: Page, place: str) -> int:
    """How many there are, once what this and other tests have looked at is noted: views are gathered for a second."""
    before = 0
    for _ in range(20):
        page.goto(place)
        total = int(page.locator("#facts").get_attribute("data-total") or 0)
        if total and total == before:
            return total
        before = total
        page.wait_for_timeout(2_000 * EVERY_S)
    raise AssertionError(f"{place} never comes to rest")


def test_search_open_decide_undo_and_find_by_tag_with_the_keyboard_alone(desk: Desk) -> None:
    page = desk.page
    search(page, "coating AND damage*")
    expect(page.locator(".understood")).to_contain_text("Understood: (coating AND damage*)")
    count = page.locator("#hits .hit").count()
    assert count >= 2
    expect(page.locator("#reader mark").first).to_have_text("coating")
    page.keyboard.press("1")
    expect(page.locator("#said")).to_contain_text("U undoes it")
    expect(page.locator("#hits .hit.on .tag")).to_have_text("Responsive")
    page.keyboard.press("s")
    expect(page.locator("#where")).to_have_text(f"2 of {count}")
    page.keyboard.press("1")
    expect(page.locator("#said")).to_contain_text("U undoes it")
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("Undone")
    expect(page.locator('.code[data-key="1"]')).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("k")
    expect(page.locator("#where")).to_have_text(f"1 of {count}")
    page.goto("/cases/1/review")
    page.locator(".facets .tag", has_text="Responsive 1").click()
    expect(page.locator(".understood")).to_contain_text("1 document")
    assert desk.wrong == []


def test_the_list_of_hits_leads_to_each_of_them(desk: Desk) -> None:
    page = desk.page
    search(page, "coating OR flange")
    lines, marks = page.locator(".hit-line"), page.locator("#reader mark")
    expect(lines).to_have_count(marks.count())
    last = lines.count() - 1
    lines.nth(last).click()
    expect(marks.nth(last)).to_have_class(re.compile("here"))
    expect(page.locator("#reader mark.here")).to_have_count(1)
    assert desk.wrong == []


def test_the_family_is_always_in_view_and_walked_with_a_key(desk: Desk) -> None:
    page = desk.page
    search(page, "flange")
    expect(page.locator(".family .member")).to_have_count(2)
    expect(page.locator(".family .member").nth(1)).to_have_attribute("aria-current", "true")
    page.keyboard.press("f")
    expect(page.locator(".family .member").first).to_have_attribute("aria-current", "true")


def test_a_query_that_cannot_be_read_says_where(desk: Desk) -> None:
    desk.page.goto("/cases/1/review?q=coating+AND+AND")
    expect(desk.page.locator("#wrong")).to_contain_text("column")


def test_terms_are_counted_at_the_page_beside_each_other(desk: Desk) -> None:
    page = desk.page
    page.goto("/cases/1/terms")
    page.get_by_label("Terms, one a line").fill("coating\nflange")
    page.get_by_role("button", name="Count them").click()
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.locator("tbody tr").last).to_contain_text("all terms together")
    assert desk.wrong == []


def test_all_of_a_list_of_what_was_read_is_tagged_after_a_preview_and_taken_back_as_one(desk: Desk) -> None:
    page = desk.page
    search(page, "coating")
    total = all_that_was_read(page, "/cases/1/review?seen=read&q=coating")
    form = page.locator("#bulk")
    form.locator("summary").click()
    form.get_by_role("combobox").select_option("Privileged <i>")
    form.get_by_role("button", name="Preview").click()
    expect(page.locator("#bulk-said")).to_contain_text(f"{total} of {total} documents change")
    form.get_by_role("button", name=f"Tag {total}").click()
    expect(page.locator("#bulk-said")).to_contain_text(f"{total} tagged")
    form.locator("summary").click()
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("Undone")
    page.goto("/cases/1/review")
    expect(page.locator(".facets .tag", has_text="Privileged")).to_have_count(0)
    assert desk.wrong == []


def test_an_exception_has_a_reason_a_remedy_and_a_retry(desk: Desk) -> None:
    page = desk.page
    page.goto("/cases/1/exceptions?outcome=INVALID_FILE")
    expect(page.locator("tbody tr").first).to_contain_text("broken.pdf")
    page.get_by_role("button", name="Retry INVALID_FILE").click()
    expect(page.get_by_role("status")).to_contain_text("1 to be read again")
    page.goto("/cases/1/operations")
    expect(page.locator("table", has_text="Jobs")).to_contain_text("retry")


def test_nothing_of_the_evidence_runs_or_is_fetched(desk: Desk, server: RunningServer) -> None:
    """Names, subjects, senders, HTML, tags, the case's and the reader's name, and what was searched for."""
    page = desk.page
    page.goto("/cases/1/review?q=%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E+OR+coating")
    for _ in range(page.locator("#hits .hit").count()):
        page.keyboard.press("j")
        page.wait_for_load_state("networkidle")
    for path in ("", "/imports", "/imports/1", "/exceptions", "/operations", "/settings"):
        page.goto(f"/cases/1{path}")
    assert page.evaluate("window.hacked") is None
    assert {url for url in desk.asked if not url.startswith(server.address)} == set()
    assert desk.wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    [
        "",
        "/review?q=coating",
        "/review?q=(",
        "/imports",
        "/imports/1",
        "/exceptions?outcome=INVALID_FILE",
        "/operations",
        "/settings",
        "/rounds",
        "/data",
        "/productions",
        "/volumes",
    ],
)
def test_no_page_has_a_serious_finding_of_accessibility(desk: Desk, path: str, scheme: str) -> None:
    page = desk.page
    page.emulate_media(color_scheme=scheme)
    page.goto(f"/cases/1{path}" if path else "/")
    page.wait_for_load_state("networkidle")
    found = [each for each in Axe().run(page).response["violations"] if each["impact"] in SERIOUS]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []
    page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("width", [720, 1024])
def test_at_twice_the_size_and_on_a_tablet_nothing_is_cut_off(desk: Desk, width: int) -> None:
    """720 wide is what 1440 are at 200%."""
    page = desk.page
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/", "/cases/1/review?q=coating", "/cases/1/imports/1", "/cases/1/exceptions"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_person_of_another_case_gets_nothing_and_signs_out(
    desk: Desk, browser: Browser, server: RunningServer, folder: Path
) -> None:
    added = redwell(folder / "home", "user", "add", "Bob")
    other = Desk(browser, server)
    page = other.page
    page.goto(added.stdout.strip())
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("You are a member of none")).to_be_visible()
    for path in ("/cases/1/review", "/cases/1/settings", "/api/v1/cases/1", "/api/v1/cases/1/documents/1/native"):
        answer = page.request.get(path)
        assert answer.status == 404
        assert "Valves" not in answer.text()
    page.get_by_role("button", name="Sign out").click()
    page.goto("/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.close()


def test_at_the_end_the_case_is_in_order_and_the_server_ends_by_itself(
    desk: Desk, server: RunningServer, folder: Path
) -> None:
    desk.page.close()
    code, told = server.stop()
    assert code == 0, told
    assert "Traceback" not in told
    verified(folder / "home", "Valves <script>window.hacked=1</script>")
