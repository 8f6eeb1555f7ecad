"""Uploads at the page when the connection goes away in their middle: a real browser, a real server."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from tests.support.product import documents, verified
from tests.support.web import PASSWORD, running_server

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("B1")]
CHROMIUM = "/usr/bin/chromium-headless-shell"
SLOW = {"offline": False, "latency": 5, "downloadThroughput": -1, "uploadThroughput": 6 << 20}


def evidence(folder: Path) -> Path:
    folder.mkdir()
    for number in range(3):
        (folder / f"large {number}.bin").write_bytes(os.urandom(5 << 20))
    for number in range(40):
        (folder / f"small {number}.txt").write_text(f"coating number {number}")
    return folder


def with_a_case(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Begin").click()
    page.get_by_label("New case").fill("Valves")
    page.get_by_role("button", name="Make it").click()
    page.locator("#drop").wait_for()
    page.wait_for_load_state("load")


def test_an_upload_whose_connection_goes_away_goes_on_and_every_file_is_there_once(tmp_path: Path) -> None:
    source = evidence(tmp_path / "evidence")
    with running_server(tmp_path / "home", "--set", "pages=none") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(base_url=server.address)
        page = context.new_page()
        page.set_default_timeout(60_000)
        with_a_case(page, server.link)
        line = context.new_cdp_session(page)
        line.send("Network.emulateNetworkConditions", SLOW)
        page.locator("#drop input[webkitdirectory]").set_input_files(source)
        said = page.locator("#sent-said")
        expect(page.locator("#sent-open")).to_contain_text("%")
        line.send("Network.emulateNetworkConditions", {**SLOW, "offline": True})
        expect(said).to_have_text("The connection is away; this goes on when it is back.")
        page.wait_for_timeout(500)
        line.send("Network.emulateNetworkConditions", SLOW)
        expect(said).to_have_text("All of it is here, and was checked by its hash.", timeout=120_000)
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.locator("#state")).to_have_text("finished", timeout=120_000)
        browser.close()
    paths = sorted(each["path"] for each in documents(tmp_path / "home", "Valves"))
    assert paths == sorted(f"evidence/{path.name}" for path in source.iterdir())
    verified(tmp_path / "home", "Valves")
