"""Pictures of the review page, of sample evidence, light and dark: `make screens`.

Those of README.md and docs go to docs/screens; with a folder as the argument all of them go there, to be looked at.
With --axe each page is looked through for findings of accessibility too. It needs Chromium.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
REDWELL = Path(sys.executable).parent / "redwell"
CHROMIUM = "/usr/bin/chromium-headless-shell"
CASE = "Valves 2023"
SIZE = {"width": 1280, "height": 800}
MOST_BYTES = 150_000
KEPT = {"review": "light", "document": "dark", "import": "light", "operations": "light"}  # that the docs show
PAGES = {
    "cases": "/",
    "review": "/cases/1/review?q=coating",
    "document": "/cases/1/review?q=kind:pdf+coating&sort=date",
    "terms": "/cases/1/terms",
    "people": "/people",
    "imports": "/cases/1/imports",
    "import": "/cases/1/imports/1",
    "exceptions": "/cases/1/exceptions",
    "operations": "/cases/1/operations",
    "rounds": "/cases/1/rounds",
    "productions": "/cases/1/productions",
    "data": "/cases/1/data",
    "settings": "/cases/1/settings",
}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The link of one use, to a server over a case of sample evidence."""
    env = {**os.environ, "REDWELL_HOME": str(folder / "home")}
    subprocess.run([sys.executable, "examples/sample_evidence.py", folder / "evidence"], cwd=ROOT, check=True)
    command = ["import", folder / "evidence", "--case", CASE, "--custodian", "Archer", "--set", "pages=eager"]
    subprocess.run([REDWELL, *command], env=env, check=True, stdout=sys.stderr)
    process = subprocess.Popen([REDWELL, "serve", "--port", "0"], env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if link := re.search(r"http://\S+/welcome/\S+", line):
                yield link[0]
                return
        raise SystemExit("the server printed no link")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def signed_in(browser: Browser, link: str) -> Page:
    page = browser.new_page(base_url=link.partition("/welcome")[0], viewport=SIZE)
    page.goto(link)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Password").fill("a password of the pictures")
    page.get_by_role("button", name="Begin").click()
    page.goto("/cases/1/settings")
    for name in ("Responsive", "Privileged", "Hot"):
        page.get_by_label("New tag").fill(name)
        page.get_by_role("button", name="Add").click()
    return page


def findings(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['impact']}: {each['id']} {each['nodes'][0]['html'][:200]}" for each in found]


def pictures(page: Page, folder: Path, chosen: dict[str, str] | None, *, axe: bool) -> int:
    """How many findings there were; a picture that is too large for the repository is refused."""
    wrong = 0
    for name, path in PAGES.items():
        for scheme in ("light", "dark"):
            if chosen is not None and chosen.get(name) != scheme:
                continue
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.goto(path)
            page.wait_for_load_state("networkidle")
            if lines := page.locator(".hit-line").all():
                lines[0].click()
            target = folder / (f"{name}.png" if chosen is not None else f"{name}-{scheme}.png")
            page.screenshot(path=target)
            _lighten(target)
            if chosen is not None and target.stat().st_size > MOST_BYTES:
                raise SystemExit(f"{target} has {target.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
            for each in findings(page) if axe else ():
                wrong += each.startswith(("serious", "critical"))
                print(f"{name} {scheme}: {each}")
    return wrong


def _lighten(target: Path) -> None:
    """Few colours are enough for a page, and a repository keeps every picture it ever had."""
    with Image.open(target) as picture:
        picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(target, optimize=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="all pages, light and dark, go there")
    parser.add_argument("--axe", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        target, chosen = (args.folder, None) if args.folder else (ROOT / "docs" / "screens", KEPT)
        target.mkdir(parents=True, exist_ok=True)
        wrong = pictures(signed_in(browser, link), target, chosen, axe=args.axe)
        browser.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
