"""A hit deep in a long PDF: the document opens at its page, drawn and marked, with nothing made of it before."""

from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright
from tests.e2e.test_review_page import CHROMIUM
from tests.support.pdf_files import document_of, saved
from tests.support.product import redwell
from tests.support.web import PASSWORD, running_server

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("A7", "F1")]
PAGES = 400


def test_a_click_on_a_hit_lands_on_its_page_with_the_word_marked(tmp_path: Path) -> None:
    home, source = tmp_path / "home", tmp_path / "in"
    source.mkdir()
    leaves = [f"leaf {number}" for number in range(1, PAGES + 1)]
    leaves[310] = leaves[388] = "the flange leaks"
    (source / "long.pdf").write_bytes(saved(document_of(*leaves)))
    assert redwell(home, "import", str(source), "--case", "c").returncode == 0
    with running_server(home) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=server.address, viewport={"width": 1440, "height": 900})
        page.goto(server.link)
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Begin").click()
        page.goto("/cases/1/review?q=flange")
        expect(page.locator("#hits .snippet")).to_contain_text("p. 311")
        here = page.locator('.page-image[data-page="311"] rect.here')
        expect(here).to_be_in_viewport(timeout=60_000)
        expect(page.locator("#to-page")).to_have_value("311")
        page.keyboard.press("n")
        expect(page.locator("#said")).to_have_text("hit 2 of 2, page 389")
        expect(page.locator('.page-image[data-page="389"] rect.here')).to_be_in_viewport(timeout=60_000)
        assert page.locator(".page-image").count() < PAGES  # frames are made as they come near
        assert page.evaluate("() => document.scrollingElement.scrollTop") == 0
        browser.close()
