"""A scan on its way to a reviewer's eyes: recognised, found, opened at its page, the word marked on the image."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import expect, sync_playwright
from tests.e2e.test_review_page import CHROMIUM
from tests.support.product import redwell, verified
from tests.support.web import PASSWORD, running_server

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("A7", "B5", "F1")]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
PLACE = (0.1, 0.4)  # of the word, as fractions of the page


def scan(path: Path) -> Path:
    """A page of 200 dots per inch, as a machine at the office makes it."""
    page = Image.new("L", (1654, 2339), 255)
    draw, font = ImageDraw.Draw(page), ImageFont.truetype(FONT, 48)
    for number, line in enumerate(("Notice of termination", "The lease ends in December", "Signed at Hamburg")):
        draw.text((165, 300 + 90 * number), line, 0, font=font)
    draw.text((int(PLACE[0] * page.width), int(PLACE[1] * page.height)), "Wharfage", 0, font=font)
    path.parent.mkdir(parents=True)
    page.save(path, "PDF", resolution=200)
    return path


def test_a_word_of_a_scan_is_found_and_marked_on_the_image_of_its_page(tmp_path: Path) -> None:
    home = tmp_path / "home"
    run = redwell(
        home, "import", str(scan(tmp_path / "in" / "notice.pdf")), "--case", "c", timeout=300, REDWELL_OCR="auto"
    )
    assert run.returncode == 0 and "1 SUCCESS" in run.stdout, run.stdout + run.stderr
    with running_server(home) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=server.address, viewport={"width": 1440, "height": 900})
        page.goto(server.link)
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Begin").click()
        page.goto("/cases/1/review?q=wharfage")
        expect(page.locator("#reader mark")).to_have_text("Wharfage")
        expect(page.locator(".page-image img")).to_have_count(1, timeout=120_000)
        page.locator('[data-view="pages"]').click()
        marked = page.locator(".page-image rect")
        expect(marked).to_have_count(1)
        left, top = (float(marked.get_attribute(name) or 0) for name in ("x", "y"))
        assert abs(left - PLACE[0]) < 0.02 and abs(top - PLACE[1]) < 0.02
        got = page.request.get("/api/v1/cases/1/documents/2/pdf")
        assert got.body().startswith(b"%PDF") and "attachment" in got.headers["content-disposition"]
        browser.close()
    verified(home, "c")
