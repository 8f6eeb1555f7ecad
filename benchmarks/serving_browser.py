"""What a person at the review page feels, in a real browser: part of benchmarks.serving.

From a click on a hit until the page with its mark is drawn, for the document that was fetched ahead and for one that
was not; and interaction to next paint, as the browser itself measures it (PerformanceObserver, `event`).
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, sync_playwright

from redwell.entrypoints.http.sessions import COOKIE, Sessions

CHROMIUM = "/usr/bin/chromium-headless-shell"
DESK = "/cases/1/review"
_WATCH = """() => {
  window.paints = [];
  const keep = (each) => { if (each.interactionId) window.paints.push(each.duration); };
  new PerformanceObserver((list) => list.getEntries().forEach(keep))
    .observe({ type: "event", durationThreshold: 16, buffered: true });
}"""
_DRAWN = """() => {
  const image = document.querySelector(".page-image img");
  return image && image.complete && image.naturalWidth > 0 && document.querySelector(".page-image rect.here");
}"""


@dataclass(frozen=True)
class Felt:
    searched: float  # ms from Enter to the list
    marked: float  # ms from a search to the marked page of the largest PDF
    clicked: list[float]  # ms from a click on a hit to its marked page
    paints: list[float]  # ms from each key to the next paint
    keys: int

    def table(self) -> list[str]:
        worst = max(self.paints, default=0.0)
        return [
            "| | ms |",
            "| --- | ---: |",
            f"| Enter in the search box until the list is there | {self.searched:,.0f} |",
            f"| from a query until its hit is marked, in the middle of the largest PDF | {self.marked:,.0f} |",
            f"| click on a hit until its page is drawn and marked, median of {len(self.clicked)} "
            f"| {statistics.median(self.clicked):,.0f} |",
            f"| interaction to next paint, the worst of {self.keys} keys (J, K, N, T) | {worst:,.0f} |",
            "",
            "The browser counts in steps of 8 ms, from 16 on. Up to 200 is what Core Web Vitals call good.",
        ]


def felt(address: str, secret: str, key: bytes, pages: int) -> Felt:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
        context.add_cookies([{"name": COOKIE, "value": Sessions(key).signed(secret), "url": address}])
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(DESK)
        found = Felt(_searched(page), _marked(page, pages), _clicked(page), *_keys(page))
        browser.close()
        return found


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _searched(page: Page) -> float:
    page.locator("#q").fill("w30 w40")

    def search() -> None:
        page.locator("#q").press("Enter")
        page.wait_for_url("**q=w30*")
        page.locator("#hits .hit").first.wait_for()

    return _timed(search)


def _marked(page: Page, pages: int) -> float:
    return _timed(lambda: (page.goto(f'{DESK}?q="page {pages // 2}" name:pages'), page.wait_for_function(_DRAWN)))


def _clicked(page: Page) -> list[float]:
    """The two documents in turn, at other pages each time."""
    took = []
    for number in (77, 123, 211, 301):
        page.goto(f'{DESK}?q="page {number}" name:pages')
        page.wait_for_function(_DRAWN)
        page.wait_for_timeout(500)

        def click() -> None:
            page.locator("#hits .hit:not(.on)").first.click()
            page.wait_for_function(f"() => document.querySelector('#hits .hit.on:not(:first-child)') && ({_DRAWN})()")

        took.append(_timed(click))
    return took


def _keys(page: Page) -> tuple[list[float], int]:
    page.goto(f"{DESK}?q=w30")
    page.locator("#reader").wait_for()
    page.evaluate(_WATCH)
    keys = "jjnjk" * 6 + "tt"
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    page.wait_for_timeout(1_000)
    paints: list[float] = page.evaluate("() => window.paints")
    return paints, len(keys)
