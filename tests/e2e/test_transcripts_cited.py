"""Transcripts by page and line: an import of their own, hits as people cite them, a page to read them on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.pdf_files import saved, typed_pages
from tests.support.product import ask, redwell, verified
from tests.support.transcripts import page_image
from tests.support.web import Api, served_api

from redwell.core.access.rights import Role
from redwell.core.transcripts.layout import lay_out
from redwell.core.transcripts.reading_view import marked_exhibits, shown_lines
from redwell.core.transcripts.speech import utterances

pytestmark = [pytest.mark.requirement("A21"), pytest.mark.xdist_group("web")]
CASE = "A"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("transcripts")
    (folder / "in").mkdir()
    (folder / "in" / "roe.txt").write_text(page_image(44, 3))
    words = page_image(70, 2).replace("ninth", "tenth").replace("JANE Q. ROE", "JOHN A. SMITH")
    (folder / "in" / "smith.pdf").write_bytes(saved(typed_pages(words)))
    (folder / "in" / "letter.txt").write_text("Dear Ann, here is the letter.")
    (folder / "papers").mkdir()
    (folder / "papers" / "Exhibit 13-A.txt").write_text("The letter of the ninth.")
    (folder / "papers" / "Exhibit 13.txt").write_text("Another one.")
    papers = redwell(folder / "home", "import", str(folder / "papers"), "--case", CASE)
    assert papers.returncode == 0, papers.stderr
    run = redwell(folder / "home", "import", "--type", "transcript", str(folder / "in"), "--case", CASE)
    assert run.returncode == 0, run.stderr
    return folder / "home"


@pytest.fixture(scope="module")
def api(home: Path) -> Iterator[Api]:
    with served_api(home) as api:
        api.person("rita", A=Role.REVIEWER)
        yield api


def test_what_is_no_transcript_is_refused_by_name(home: Path) -> None:
    run = ask(home, "exceptions", "--case", CASE, "--json")
    [told] = [json.loads(line) for line in run.stdout.splitlines()]
    assert (told["path"], told["reason"].split(":")[0]) == (
        "letter.txt",
        "text/plain is no transcript; import it with --type files",
    )
    verified(home, CASE)


@pytest.mark.parametrize(
    ("query", "cited"),
    [
        ("q:ninth", ["44:15"]),
        ("q:tenth deponent:smith", ["70:15"]),
        ("a:letter", None),
        ('q:"letter of the ninth of May"', ["44:15-16"]),
        ('"letter of the ninth of May"', ["44:15-16"]),
        ('a:"letter of the ninth of May"', None),
        ("letter pre/5 May NOT deponent:smith", ["44:15", "44:16"]),
        ("a:yes NOT deponent:smith", ["44:22"]),
        ("objection NOT deponent:smith", ["44:18"]),
        ("deponent:roe", []),
    ],
)
def test_hits_are_cited_by_page_and_line(query: str, cited: list[str] | None, home: Path) -> None:
    run = ask(home, "search", "--case", CASE, query, "--json")
    hits = [json.loads(line) for line in run.stdout.splitlines() if '"control_number"' in line]
    assert [hit.get("citations", []) for hit in hits] == ([] if cited is None else [cited])


def test_a_hit_in_a_question_is_marked_in_its_snippet_and_at_the_page(api: Api) -> None:
    told = api.get("rita", "/cases/1/search", params={"q": "q:ninth"}).json()["hits"][0]
    assert "[[ninth]]" in told["snippet"] and told["positions"]
    headers = {"Authorization": f"Bearer {api.secrets['rita']}"}
    pane = api.client.get("/cases/1/review", params={"q": "q:ninth"}, headers=headers).text
    assert '<mark class="a" id="hit-1">ninth</mark>' in pane


def test_a_page_shows_lines_with_their_places_and_marks_what_was_asked_for(api: Api, home: Path) -> None:
    run = ask(home, "search", "--case", CASE, "q:ninth", "--json")
    hit = json.loads(run.stdout.splitlines()[0])
    address = f"/cases/1/documents/{hit['id']}/transcript"
    headers = {"Authorization": f"Bearer {api.secrets['rita']}"}
    page = api.client.get(address, params={"q": "q:letter"}, headers=headers)
    assert page.status_code == 200
    assert 'id="L44-15"' in page.text
    assert '<mark class="a">letter</mark>' in page.text
    assert '<a href="#L44-15">44:15</a>' in page.text
    review = api.client.get("/cases/1/review", params={"q": "q:letter", "doc": hit["id"]}, headers=headers)
    assert f'href="{address}?q=q%3Aletter"' in review.text
    linked = re.findall(r'Exhibit (\S+): <a class="exhibit" href="/cases/1/review\?doc=\d+">\S+ ([^<]+)</a>', page.text)
    assert ("13-A", "Exhibit 13-A.txt") in linked and ("13-A", "Exhibit 13.txt") not in linked


def test_lines_are_kept_as_they_stand_and_say_who_speaks() -> None:
    text = page_image(44, 1)
    layout = lay_out(text)
    assert layout is not None
    at = text.index("letter")
    lines = {line.place: line for line in shown_lines(text, layout, [(at, at + 6)])}
    assert lines["44:15"].pieces[1] == ("letter", True)
    assert "".join(words for words, _ in lines["44:15"].pieces).strip() == "Q.   Is this your letter of the ninth"
    assert [lines[place].speaker for place in ("44:15", "44:16", "44:19", "44:18")] == ["Q", "Q", "A", "-"]
    assert marked_exhibits(["12 at 44:17"]) == [("12", "44:17")]


def test_a_place_in_what_was_said_leads_back_to_the_text() -> None:
    text = page_image(44, 2, feeds=False)
    layout = lay_out(text)
    assert layout is not None
    for said in utterances(text, layout):
        for at, char in enumerate(said.words):
            assert char == " " or text[said.place(at)] == char
