"""`make bench PART=serving`: the review page and the API under load, and how soon a page of a PDF is seen.

python -m benchmarks.serving [--documents N] [--readers N] [--seconds S] [--think S] [--servers N] [--pages 500,10000]
writes docs/serving-benchmarks.md. Servers as `redwell serve` starts them, over real sockets; with --servers N the
readers share N of one home, as behind a proxy. Readers are connections of this process that search, open a document
and read its text, one after the other: as people do, who look at what they got (--think), and without a pause, which
no person does. An import that is too long to end before them goes on all the while. Each reader has a token and an
address of its own (127.0.0.2 and so on), as people behind different machines have. What a person feels is measured in
a real browser (benchmarks.serving_browser).
"""

import argparse
import asyncio
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import httpx
import psutil
from tests.support.pdf_files import document_of, saved
from tests.support.product import redwell
from tests.support.web import RunningServer, running_server

from benchmarks.serving_browser import felt
from benchmarks.serving_page import Crowd, Times, page
from redwell.runtime.bootstrap.open_accounts import open_people
from redwell.runtime.bootstrap.settings import load_settings

PAGE = Path(__file__).resolve().parents[1] / "docs" / "serving-benchmarks.md"
WORDS, LENGTH = 5_000, 80
QUERIES = ("w30", "w40 w50", '"w2 w1"', "w12*", "w20 NOT w3", "name:mail*")
API = "/api/v1/cases/1"
MAILS_PER_S = 3_000  # no import beside readers takes in as many


def mails(folder: Path, count: int, seed: int) -> Path:
    """In mailboxes of 5,000, whose words are as frequent as those of a language."""
    folder.mkdir(parents=True)
    made, words = random.Random(seed), [f"w{n}" for n in range(1, WORDS + 1)]
    weights = list(accumulate(1 / n for n in range(1, WORDS + 1)))
    for first in range(0, count, 5_000):
        out = io.StringIO()
        for number in range(first, min(count, first + 5_000)):
            head = f"From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nTo: c@d.example\nSubject: mail {number}\n"
            text = " ".join(made.choices(words, cum_weights=weights, k=LENGTH))
            out.write(f"{head}Date: Mon, 1 Jan 2024 00:00:00 +0000\nMessage-ID: <{seed}-{number}@b>\n\n{text}\n\n")
        (folder / f"box {first}.mbox").write_text(out.getvalue())
    return folder


class Served:
    def __init__(self, address: str, tokens: list[str]) -> None:
        self.address, self.tokens = address, tokens

    def client(self, number: int = 0) -> httpx.AsyncClient:
        # without what TLS would need: to read the list of authorities 200 times takes longer than all the searches
        place = f"127.0.{1 + number // 200}.{1 + number % 200}"
        transport = httpx.AsyncHTTPTransport(local_address=place, verify=False)
        headers = {"Authorization": f"Bearer {self.tokens[number % len(self.tokens)]}"}
        return httpx.AsyncClient(base_url=self.address, headers=headers, timeout=60, transport=transport, verify=False)


async def asked(client: httpx.AsyncClient, times: Times, path: str, **kw: Any) -> httpx.Response | None:
    began = time.perf_counter()
    try:
        answer = await client.request(kw.pop("method", "GET"), path, **kw)
    except httpx.HTTPError:
        times.errors += 1
        return None
    times.took.append((time.perf_counter() - began) * 1000)
    if answer.status_code >= 400:
        times.errors += 1
        return None
    return answer


async def reader(served: Served, number: int, ends: float, think: float, times: list[Times]) -> None:
    search, opened, text = times
    made = random.Random(number)

    async def looks() -> None:
        if think:
            await asyncio.sleep(min(made.expovariate(1 / think), max(0.0, ends - time.monotonic())))

    async with served.client(number) as client:
        await looks()  # they don't all begin at once
        while time.monotonic() < ends:
            found = await asked(client, search, f"{API}/search", params={"q": made.choice(QUERIES), "limit": 50})
            for hit in found.json()["hits"][:3] if found else ():
                key = hit["document"]["id"]
                await asked(client, opened, f"{API}/documents/{key}")
                await asked(client, text, f"{API}/documents/{key}/text")
                await looks()
            await looks()


async def crowd(servers: list[Served], args: argparse.Namespace, think: float) -> list[Times]:
    times = [Times("search, 50 hits with snippets and facets"), Times("a document"), Times("its text")]
    ends = time.monotonic() + args.seconds
    one = [servers[number % len(servers)] for number in range(args.readers)]
    await asyncio.gather(*(reader(served, number, ends, think, times) for number, served in enumerate(one)))
    return times


async def alone(served: Served, times: int = 30) -> list[Times]:
    """Nobody else reads: from a query to the list that a reviewer sees."""
    lists, desk = Times("search to list (API)"), Times("search to list (page of the desk, HTML)")
    async with served.client() as client:
        for n in range(times):
            query = QUERIES[n % len(QUERIES)]
            await asked(client, lists, f"{API}/search", params={"q": query, "limit": 50})
            await asked(client, desk, "/cases/1/review", params={"q": query})
    return [lists, desk]


async def first_page(served: Served, name: str) -> tuple[float, float]:
    """Seconds until the first page of a PDF that nobody has opened has come, and until one in its middle has."""
    async with served.client() as client:
        found = (await client.get(f"{API}/search", params={"q": f'name:"{name}"'})).json()["hits"]
        path = f"{API}/documents/{found[0]['document']['id']}/pages"
        took = []
        for page in (1, (await client.get(path)).json()["pages"] // 2):
            began = time.perf_counter()
            (await client.get(f"{path}/{page}/image")).raise_for_status()
            took.append(time.perf_counter() - began)
        return took[0], took[1]


@contextmanager
def importing(home: Path, source: Path) -> Any:
    """Beside the readers; whether it was still at it in the end is told. Then it is stopped: what was done stays."""
    command = [sys.executable, "-m", "redwell.entrypoints.cli.main", "import", str(source), "--case", "bench"]
    env = {**os.environ, "REDWELL_HOME": str(home), "REDWELL_OCR": "none"}
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    still_open: Callable[[], bool] = lambda: process.poll() is None  # noqa: E731
    try:
        yield still_open
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def tokens(home: Path, count: int) -> list[str]:
    redwell(home, "user", "add", "ada", "--admin")
    made = [redwell(home, "token", "new", f"t{n}", "--user", "ada", "--right", "read") for n in range(count)]
    return [each.stdout.split()[-1] for each in made]


def _signed_in(home: Path) -> tuple[str, bytes]:
    """A session of ada, and the key that signs its cookie."""
    with open_people(home, load_settings([])) as people:
        account = people.accounts.find("ada")
        assert account is not None
        return people.credentials.new_session(account.id, 3600), people.credentials.signing_key()


def _cpu_s(servers: list[RunningServer]) -> float:
    return sum(sum(psutil.Process(each.process.pid).cpu_times()[:2]) for each in servers)


def measured(folder: Path, args: argparse.Namespace) -> list[str]:
    home, source = folder / "home", mails(folder / "mails", args.documents, 1)
    for pages in args.pages:
        pdf = document_of(*(f"page {n}" for n in range(1, pages + 1)))
        (source / f"of {pages} pages.pdf").write_bytes(saved(pdf))
    began = time.monotonic()
    run = redwell(home, "import", str(source), "--case", "bench", timeout=7_200)
    assert run.returncode == 0, run.stderr
    took = time.monotonic() - began
    with ExitStack() as opened:
        kept = [opened.enter_context(running_server(home, "--no-worker")) for _ in range(args.servers)]
        secrets = tokens(home, 4)
        servers = [Served(each.address, secrets) for each in kept]
        served = servers[0]
        asyncio.run(alone(served, 1))  # what is opened at the first question of all
        firsts = [(pages, *asyncio.run(first_page(served, f"of {pages} pages.pdf"))) for pages in args.pages]
        quiet = asyncio.run(alone(served))
        person = felt(served.address, *_signed_in(home), max(args.pages))
        more = mails(folder / "more", int(2 * args.seconds * MAILS_PER_S), 2)
        with importing(home, more) as is_open:
            crowds = []
            for think in (args.think, 0.0):
                before = _cpu_s(kept)
                times = asyncio.run(crowd(servers, args, think))
                crowds.append(Crowd(think, times, _cpu_s(kept) - before))
            lasted = is_open()
    return page(args, took, firsts, quiet, person, crowds, lasted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=5, help="s that a reader looks at an answer, on average")
    parser.add_argument("--servers", type=int, default=1, help="processes that share the readers")
    parser.add_argument("--pages", type=lambda text: [int(each) for each in text.split(",")], default=[500, 10_000])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text("\n".join(measured(Path(folder), args)))
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
