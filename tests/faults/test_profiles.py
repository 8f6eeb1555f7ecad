"""Children of other profiles than the parsers': what they may and may not, and documents given together."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.faults.test_sandbox import WORLDS, _refused, escapes
from tests.support import children
from tests.support.children import AFTER, BEFORE, HASTY, between, config, elsewhere, plan, write_tasks
from tests.support.http_server import LocalServer, Quiet
from tests.support.outside import Outside

from redwell.core import wire
from redwell.core.work.kinds import Profile
from redwell.core.work.lanes import Lane
from redwell.core.work.profiles import RIGHTS, Rights
from redwell.processing.children.limits import ChildConfig, LaneLimits
from redwell.processing.children.pool import Pool
from redwell.processing.results import Event, Finished, Returned

OTHERS = (Profile.OFFICE, Profile.BROWSER, Profile.OCR, Profile.MODEL)
ENGINES = LaneLimits(wall_s=300, rss_mb=4_000)
# What a right allows, or what meets only folders of the child's own: the checks below see that nothing got out by it.
PRIVATE = ("list_outside", "write_outside")
BY_RIGHT = {
    "start_a_program": "processes",
    "leave_a_link_in_scratch": "sockets",
    "raise_own_limits": "any_address_space",
}


@pytest.fixture
def outside(folder: Path) -> Iterator[Outside]:
    there = Outside(folder)
    yield there
    there.close()


@pytest.mark.parametrize(
    ("profile", "world"),
    [*((profile, "as we are") for profile in OTHERS), (Profile.OFFICE, "as a normal user")],
)
def test_no_way_out_of_any_profile(
    folder: Path, outside: Outside, profile: Profile, world: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No network, no socket and no file of others: as for parsers, but for the rights of the profile."""
    monkeypatch.setenv("REDWELL_TEST_SECRET", "x")
    prefix = WORLDS[world][0] if os.geteuid() == 0 else ()
    tried = escapes(folder, outside)
    tasks = write_tasks(folder, [BEFORE, *(f"FAULT {escape}" for escape in tried), AFTER])
    before = (folder / "in" / "pack").read_bytes()
    found = elsewhere(plan(folder, tasks, profile=profile), prefix)
    ends = [found["ends"][str(task.id)] for task in tasks]
    assert [end["text"] for end in (ends[0], ends[-1])] == ["before", "after"], ends
    got_out = {escape for escape, end in zip(tried, ends[1:-1], strict=True) if not _refused(end)}
    assert {escape for escape in got_out if not _is_allowed(escape, RIGHTS[profile])} == set()
    assert outside.reached() == []
    assert (folder / "in" / "pack").read_bytes() == before
    assert sorted(entry.name for entry in folder.iterdir()) == ["d", "in", "s", "scratch", "secret"]
    assert not any(Path(place, "planted").exists() for place in ("/tmp", "/dev/shm", folder))
    assert found["layers"].get("folders", "on") == "on"


def _is_allowed(escape: str, rights: Rights) -> bool:
    name = escape.split()[0]
    return (rights.folders and name in PRIVATE) or (name in BY_RIGHT and getattr(rights, BY_RIGHT[name]))


def test_parsers_have_no_right_at_all() -> None:
    assert RIGHTS[Profile.PARSER] == Rights()


def test_a_profile_that_needs_folders_of_its_own_refuses_to_start_without_them(folder: Path) -> None:
    with pytest.raises(RuntimeError, match=r"SandboxUnavailable: .*folders"):
        elsewhere(plan(folder, write_tasks(folder, [BEFORE]), ["mount"], profile=Profile.OFFICE))


def test_memory_is_that_of_all_processes_and_temporary_files_are_counted(folder: Path) -> None:
    office = {"profile": Profile.OFFICE, "rights": RIGHTS[Profile.OFFICE]}
    assert between(folder, "eat_memory", **office).ends[1].outcome == "OUT_OF_MEMORY"
    filled = between(folder, "fill_the_temporary_folder", **office).ends[1]
    assert (filled.outcome, "temporary files" in filled.detail) == ("CRASHED", True)


# documents given together


def together(folder: Path, documents: Sequence[str], **changes: Any) -> children.Run:
    changes = {"rights": Rights(together=True), "handlers": ("converters.many",), **changes}
    return children.run(write_tasks(folder, documents), config(folder, **changes))


def said(run: children.Run) -> list[str]:
    return [run.ends[number].text or run.ends[number].outcome for number in sorted(run.ends)]


def test_documents_given_together_have_a_result_each(folder: Path) -> None:
    run = together(folder, ["say one", "refuse this", "say three"])
    assert said(run) == ["one of 3", "INVALID_FILE", "three of 3"]
    assert run.ends[1].detail == "this"


@pytest.mark.parametrize(("fault", "outcome"), [("raise", "INVALID_FILE"), ("die", "CRASHED"), ("hang", "TIMED_OUT")])
@pytest.mark.parametrize("late", ["", " late"])
def test_what_a_call_fails_on_is_found_and_costs_no_other_document(
    folder: Path, fault: str, outcome: str, late: str
) -> None:
    documents = [f"say zero{late}", "say one", f"{fault} it", "say three", "say four"]
    run = together(folder, documents, small=HASTY if fault == "hang" else children.PATIENT)
    ends = [(run.ends[n].outcome, run.ends[n].text.split(" ")[0]) for n in range(5)]
    assert ends == [*(("SUCCESS", word) for word in ("zero", "one")), (outcome, ""),
                    *(("SUCCESS", word) for word in ("three", "four"))]  # fmt: skip


def test_only_profiles_that_take_documents_together_are_given_them_so(folder: Path) -> None:
    assert said(together(folder, ["say one", "say two"], rights=Rights())) == ["one of 1", "two of 1"]


# a pool of several profiles


def other(folder: Path, profile: Profile, module: str) -> dict[Profile, ChildConfig]:
    limits = {"small": ENGINES, "large": ENGINES, "spool_mb": 2_000}
    return {profile: config(folder, profile=profile, rights=RIGHTS[profile], handlers=(module,), **limits)}


def events_of(pool: Pool, count: int) -> list[Event]:
    found: list[Event] = []
    while len(found) < count:
        found += pool.wait(5)
    return found


def test_profiles_share_the_slots_and_an_idle_child_makes_room(folder: Path) -> None:
    tasks = write_tasks(folder, ["FAULT say parsed", "FAULT say read", "FAULT say again"])
    with Pool(config(folder), 1, other(folder, Profile.OCR, "faulty.handler")) as pool:
        pool.submit(tasks[:1], Lane.SMALL)
        assert pool.free(Profile.OCR) == 0, "the slot is taken"
        events_of(pool, 1)
        assert pool.room() == {Profile.PARSER, Profile.OCR}
        pool.submit(tasks[1:2], Lane.SMALL, Profile.OCR)
        assert len(pool.status()) == 1
        events_of(pool, 1)
        pool.submit(tasks[2:], Lane.SMALL)
        assert isinstance(events_of(pool, 1)[0], Finished)


def test_a_profile_that_can_not_be_had_stops_nobody_else(folder: Path) -> None:
    tasks = write_tasks(folder, ["FAULT say one", "FAULT say two"])
    with Pool(config(folder), 2, other(folder, Profile.OCR, "no.such.module")) as pool:
        while Profile.OCR not in pool.refusals:
            pool.submit(tasks[:1], Lane.SMALL, Profile.OCR)
            assert events_of(pool, 1) == [Returned([0])]
        assert "No module named 'no'" in pool.refusals[Profile.OCR]
        assert pool.room() == {Profile.PARSER}
        pool.submit(tasks[1:], Lane.SMALL)
        assert isinstance(events_of(pool, 1)[0], Finished)


# one real conversion each


@contextmanager
def listener() -> Iterator[tuple[int, list[str]]]:
    """A web server on this machine, and what it was asked for."""
    hits: list[str] = []

    class Noting(Quiet, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_error(404)

    with LocalServer(Noting) as server:
        yield server.port, hits


def converted(folder: Path, profile: Profile, files: dict[str, bytes]) -> children.Run:
    (folder / "in").mkdir()
    tasks = []
    for number, (name, data) in enumerate(files.items()):
        (folder / "in" / f"{number}").write_bytes(data)
        path = str(folder / "in" / f"{number}")
        tasks.append(wire.Task(id=number, path=path, offset=0, length=len(data), name=name))
    return children.run(tasks, other(folder, profile, f"converters.{profile}")[profile])


def pages_of(run: children.Run, task: int) -> str:
    import pypdfium2

    [(_, data)] = run.members[task]
    document = pypdfium2.PdfDocument(data)
    try:
        return "\n".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def test_libreoffice_makes_pdfs_of_many_documents_and_asks_nobody(folder: Path) -> None:
    with listener() as (port, hits):
        run = converted(
            folder,
            Profile.OFFICE,
            {"a.docx": letter("first valve"), "b.docx": letter("second valve", f"http://127.0.0.1:{port}/picture.png")},
        )
        assert [run.ends[n].outcome for n in (0, 1)] == ["SUCCESS", "SUCCESS"], run.ends
        assert [word in pages_of(run, n) for n, word in enumerate(("first valve", "second valve"))] == [True, True]
        assert hits == []


def test_a_browser_prints_pages_and_asks_nobody(folder: Path) -> None:
    with listener() as (port, hits):
        there = f"http://127.0.0.1:{port}"
        hostile = (
            f'<html><head><meta http-equiv="refresh" content="0;url={there}/refresh"><style>@import "{there}/style";'
            f"@font-face {{font-family:x;src:url({there}/font)}} body {{font-family:x}}</style></head><body>the valve"
            f'<img src="{there}/pixel"><iframe src="{there}/frame"></iframe><object data="{there}/object"></object>'
            f'<svg><image href="{there}/svg"/></svg><script>fetch("{there}/script");document.body.remove()</script>'
            f'<iframe src="file://{folder}/in/1"></iframe></body></html>'
        )
        run = converted(
            folder, Profile.BROWSER, {"a.html": hostile.encode(), "b.html": b"<html><p>another one</p></html>"}
        )
        assert [run.ends[n].outcome for n in (0, 1)] == ["SUCCESS", "SUCCESS"], run.ends
        assert "the valve" in pages_of(run, 0) and "another one" not in pages_of(run, 0)
        assert "another one" in pages_of(run, 1)
        assert run.ends[0].text == run.ends[1].text, "the browser stays warm"
        assert hits == []


def test_tesseract_reads_the_words_of_a_picture(folder: Path) -> None:
    run = converted(folder, Profile.OCR, {"a.png": picture_of("The valves were inspected")})
    assert (run.ends[0].text.strip(), run.ends[0].metadata["words"]) == ("The valves were inspected", 4)
    assert run.ends[0].metadata["surest"] > 0.8


def picture_of(words: str) -> bytes:
    import io

    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", (900, 200), 255)
    ImageDraw.Draw(picture).text((40, 60), words, font=ImageFont.load_default(48), fill=0)
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


def letter(words: str, linked: str = "") -> bytes:
    """A small DOCX, with a picture that lies elsewhere where one is `linked`."""
    import io
    import zipfile

    office = "http://schemas.openxmlformats.org/officeDocument/2006"
    package = "http://schemas.openxmlformats.org/package/2006"
    drawing = "http://schemas.openxmlformats.org/drawingml/2006"
    picture = (
        f'<w:r><w:drawing><wp:inline xmlns:wp="{drawing}/wordprocessingDrawing"><wp:extent cx="900000" cy="900000"/>'
        f'<wp:docPr id="1" name="p"/><a:graphic xmlns:a="{drawing}/main"><a:graphicData uri="{drawing}/picture">'
        f'<pic:pic xmlns:pic="{drawing}/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip xmlns:r="{office}/relationships" r:link="rId9"/><a:stretch/></pic:blipFill><pic:spPr/>'
        "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
        f'Type="{office}/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId9" '
        f'Type="{office}/relationships/image" Target="{linked}" TargetMode="External"/></Relationships>',
        "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        f"<w:p><w:r><w:t>{words}</w:t></w:r>{picture if linked else ''}</w:p></w:body></w:document>",
    }
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return data.getvalue()
