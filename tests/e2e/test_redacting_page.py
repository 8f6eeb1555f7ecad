"""Redaction by mouse and keyboard on the image of a page, and a production from a search, in a real browser."""

import hashlib
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from tests.e2e.test_review_page import CHROMIUM
from tests.support.load_file_volume import sound_volume
from tests.support.product import ask, redwell, verified
from tests.support.production_evidence import LETTER, pdf
from tests.support.web import API, PASSWORD, running_server, served_api

from redwell.core.access.rights import Role

expect.set_options(timeout=30_000)
pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("D13", "F1")]


def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """From one place of the page image to another, in fractions of it."""
    frame = page.locator("#boxes").bounding_box()
    assert frame is not None
    for number, (x, y) in enumerate((begin, end)):
        page.mouse.move(frame["x"] + x * frame["width"], frame["y"] + y * frame["height"])
        page.mouse.down() if number == 0 else page.mouse.up()


def check_volume(archive: Path) -> None:
    """Whole by its own manifest, and without the words that were hidden."""
    with zipfile.ZipFile(archive) as volume:
        names = set(volume.namelist())
        manifest = volume.read("First/MANIFEST.sha256").decode().splitlines()
        assert {"First/VOL007/DATA/VOL007.dat", "First/REPORT.pdf"} <= names and len(manifest) == len(names) - 1
        for line in manifest:
            digest, _, name = line.partition("  ")
            assert hashlib.sha256(volume.read(f"First/{name}")).hexdigest() == digest


def test_a_volume_is_looked_at_uploaded_mapped_and_imported_at_the_page(tmp_path: Path) -> None:
    home, made = tmp_path / "home", sound_volume(tmp_path / "VOL001")
    made.header[14] = "Odd Column"
    del made.files["NATIVES/A004.doc"]
    made.write()
    with running_server(home) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=server.address)
        page.goto(server.link)
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Begin").click()
        page.get_by_label("New case").fill("c")
        page.get_by_role("button", name="Make it").click()
        expect(page).to_have_url(re.compile("cases/1"))
        page.goto("/cases/1/volumes")
        page.get_by_label("Folder or load file").fill(str(tmp_path / "nowhere"))
        page.get_by_role("button", name="Look at it").click()
        expect(page.get_by_role("alert")).to_contain_text("nowhere")
        page.get_by_label("Folder or load file").fill(str(made.root))
        page.get_by_role("button", name="Look at it").click()
        expect(page.get_by_role("row", name="file-missing")).to_contain_text("NATIVES\\A004.doc")
        page.goto("/cases/1/imports")
        page.locator("input[webkitdirectory]").set_input_files(made.root)
        page.get_by_role("link", name="Look at it as a volume", exact=True).click()
        expect(page.get_by_role("row", name="file-missing")).to_contain_text("NATIVES\\A004.doc")
        assert page.get_by_label("CUSTODIAN", exact=True).input_value() == "custodian"
        page.get_by_label("Odd Column").select_option("confidentiality")
        page.get_by_role("button", name="Import this volume").click()
        expect(page.locator("#state")).to_have_text("finished", timeout=120_000)
        browser.close()
    rows = [json.loads(line) for line in ask(home, "documents", "--case", "c", "--json").stdout.splitlines()]
    assert {row["metadata"]["record_id"] for row in rows if "record_id" in row["metadata"]} == {"A001", "A003", "A004"}
    verified(home, "c")


def test_boxes_by_terms_are_drawn_as_they_were_seen_or_not_at_all(tmp_path: Path) -> None:
    home, evidence = tmp_path / "home", tmp_path / "in"
    evidence.mkdir()
    (evidence / "letter.pdf").write_bytes(pdf(LETTER))
    assert redwell(home, "import", str(evidence), "--case", "c", "--set", "pages=eager").returncode == 0
    with served_api(home) as api:
        rita, looker = api.person("rita", c=Role.REVIEWER), api.person("lou", c=Role.READ_ONLY)
        url, asked = (
            f"{API}/cases/1/redactions/bulk",
            {"query": "florins", "terms": ["Barnaby Quill"], "reason": "Names"},
        )

        def answer(person: str = rita, **more: Any) -> Any:
            return api.client.post(url, json={**asked, **more}, headers={"Authorization": person})

        seen = answer().json()
        assert (seen["boxes"], seen["documents"], seen["change"]) == (2, 1, None)
        assert [(each["page"], each["text"]) for each in seen["places"]] == [
            (1, "Barnaby Quill."),
            (2, "Barnaby Quill"),
        ]
        assert answer(seen=1).status_code == 409
        assert answer(terms=["..."]).status_code == 400
        assert answer(looker).status_code == 403
        change = answer(seen=2).json()["change"]
        undone = api.client.post(f"{API}/cases/1/redactions/changes/{change}/undo", headers={"Authorization": rita})
        assert undone.json() == {"boxes": 2}


def test_boxes_are_drawn_undone_and_removed_and_a_search_becomes_a_production(tmp_path: Path) -> None:
    home, evidence = tmp_path / "home", tmp_path / "in"
    evidence.mkdir()
    (evidence / "letter.pdf").write_bytes(pdf(LETTER))
    run = redwell(home, "import", str(evidence), "--case", "c", "--set", "pages=eager")
    assert run.returncode == 0, run.stderr
    with running_server(home) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=server.address, viewport={"width": 1200, "height": 1400})
        page.goto(server.link)
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Begin").click()
        page.goto("/cases/1/review?q=florins")
        page.get_by_role("link", name="Redact").click()
        boxes = page.locator("rect.box")
        expect(page.locator(".page-image img")).to_have_js_property("complete", True)
        page.get_by_label("Reason").fill("Privileged")
        drag(page, (0.1, 0.2), (0.6, 0.25))
        expect(page.locator("#said")).to_have_text("Redacted.")
        expect(boxes).to_have_count(1)
        assert abs(float(boxes.first.get_attribute("width") or 0) - 0.5) < 0.01
        page.locator("#boxes").focus()
        for key in ("n", "ArrowDown", "Shift+ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(boxes).to_have_count(2)
        assert abs(float(boxes.last.get_attribute("width") or 0) - 0.21) < 0.001
        page.keyboard.press("u")
        expect(page.locator("#said")).to_have_text("Undone.")
        expect(boxes).to_have_count(1)
        boxes.first.focus()
        page.keyboard.press("Delete")
        expect(boxes).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(boxes).to_have_count(1)
        page.reload()
        expect(page.get_by_role("button", name="Redaction, Privileged")).to_have_count(1)
        page.screenshot(path=tmp_path / "redact.png")
        page.goto("/cases/1/productions")
        page.get_by_role("link", name="Redactions by terms").click()
        page.get_by_label("Terms").fill("barnaby quill\nflorins")
        page.get_by_label("Reason").fill("Names")
        page.get_by_role("button", name="Show what would be hidden").click()
        expect(page.get_by_role("table", name="3 boxes on 1 document").get_by_role("row")).to_have_count(4)
        page.get_by_role("button", name="Draw 3 boxes").click()
        expect(page.get_by_role("row", name="barnaby quill, florins")).to_contain_text("Ada")
        page.get_by_role("row", name="barnaby quill, florins").get_by_role("button", name="Undo").click()
        expect(page.get_by_role("row", name="barnaby quill, florins")).to_contain_text("undone")
        page.goto("/cases/1/productions?q=florins")
        expect(page.get_by_text("1 document found")).to_be_visible()
        page.get_by_label("Name").fill("First")
        page.get_by_label("Prefix of numbers").fill("BAD1")
        page.get_by_role("button", name="Freeze").click()
        expect(page.get_by_role("alert")).to_contain_text("no prefix")
        page.get_by_label("Prefix of numbers").fill("LET-")
        page.get_by_role("button", name="Freeze").click()
        expect(page.get_by_text("LET-000001 - LET-000002")).to_be_visible()
        page.get_by_label("Name of the volume").fill("VOL 1")
        page.get_by_label("Name of the volume").evaluate("each => each.removeAttribute('pattern')")
        page.get_by_role("button", name="Write the volume").click()
        expect(page.get_by_role("alert")).to_contain_text("volume")
        page.get_by_label("Name of the volume").fill("VOL007")
        page.get_by_role("button", name="Write the volume").click()
        with page.expect_download() as arriving:
            page.get_by_role("link", name="Download the volume").click(timeout=120_000)
        check_volume(arriving.value.path())
        browser.close()
    verified(home, "c")
