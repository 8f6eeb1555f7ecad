"""Every renderer in a real child of its profile: it asks nobody, and what kills its program costs one document."""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.faults.test_profiles import ENGINES, letter, listener
from tests.support import children
from tests.support.office_files import row, xlsx
from tests.support.pdf_files import document_of, saved
from tests.support.rendered import text_of

from redwell.core import wire
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.profiles import RIGHTS
from redwell.processing.children.limits import ChildConfig
from redwell.runtime.bootstrap.handler_modules import discover

pytestmark = pytest.mark.requirement("A6", "A7", "A17")
PDF, XLSX = TaskType.RENDER_PDF, TaskType.RENDER_XLSX


def render(folder: Path, profile: Profile, files: dict[str, bytes], task: TaskType = PDF) -> children.Run:
    (folder / "in").mkdir(exist_ok=True)
    tasks = []
    for number, (name, data) in enumerate(files.items()):
        path = folder / "in" / f"{number}"
        path.write_bytes(data)
        tasks.append(wire.Task(id=number, path=str(path), offset=0, length=len(data), name=name, as_task=task))
    return children.run(tasks, config(folder, profile))


def config(folder: Path, profile: Profile) -> ChildConfig:
    limits = {"small": ENGINES, "large": ENGINES, "spool_mb": 2_000}
    return children.config(folder, profile=profile, rights=RIGHTS[profile], handlers=discover()[profile], **limits)


def shown(run: children.Run, number: int) -> str:
    assert number in run.pdfs, run.ends[number]
    return text_of(run.pdfs[number])


def nothing_is_left(folder: Path) -> bool:
    return not children.processes_of(folder) and not list((folder / "scratch").iterdir())


def hostile_page(there: str) -> str:
    """Everything by which a page reaches out."""
    return (
        f'<html><head><meta http-equiv="refresh" content="0;url={there}/refresh">'
        f'<link rel=stylesheet href="{there}/css"><link rel=preload as=image href="{there}/preload">'
        f'<link rel=dns-prefetch href="{there}"><style>@import "{there}/import";'
        f"@font-face{{font-family:x;src:url({there}/font)}} p{{font-family:x;background:url({there}/bg)}}</style>"
        f'<body background="{there}/back"><p style="background:u\\72l({there}/escaped)">the valve'
        f'<img src="{there}/pixel" width=1><img srcset="{there}/set 2x"><iframe src="{there}/frame"></iframe>'
        f'<object data="{there}/object"></object><embed src="{there}/embed"><video poster="{there}/poster"></video>'
        f'<svg><image href="{there}/image"/><use href="{there}/use#a"/></svg><script>fetch("{there}/script")</script>'
        f'<form action="{there}/form"><input type=image src="{there}/input"></form></body></html>'
    )


def hostile_mail(there: str) -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.com", "look here"
    message.set_content(hostile_page(there), subtype="html")
    return message.as_bytes()


def test_mail_and_pages_are_printed_and_nobody_is_asked(folder: Path) -> None:
    with listener() as (port, hits):
        there = f"http://127.0.0.1:{port}"
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><image href="{there}/a"/><style>@import '
            f'"{there}/b";</style><text x="9" y="9">drawn</text><script href="{there}/c"/></svg>'
        )
        saved_page = (
            "From: <Saved>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=B\n\n--B\n"
            f"Content-Type: text/html\nContent-Location: {there}/page\n\n{hostile_page(there)}\n--B--\n"
        )
        files = {
            "a.eml": hostile_mail(there),
            "b.html": hostile_page(there).encode(),
            "c.svg": svg.encode(),
            "d.mht": saved_page.encode(),
            "e.eml": b"From: a@example.com\nSubject: plain\nDate: Tue, 01 May 2001 22:30 +0000\n\nwithout a browser\n",
        }
        run = render(folder, Profile.BROWSER, files)
        assert [run.ends[number].outcome for number in run.ends] == ["SUCCESS"] * 5, run.ends
        assert ["the valve" in shown(run, number) for number in (0, 1, 3)] == [True] * 3
        assert "without a browser" in shown(run, 4)
        assert hits == []
    assert nothing_is_left(folder)


def test_office_documents_are_converted_and_nobody_is_asked(folder: Path) -> None:
    with listener() as (port, hits):
        there = f"http://127.0.0.1:{port}"
        flat = (
            '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
            'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
            'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:version="1.2" '
            'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>flat<draw:frame>'
            f'<draw:image xlink:href="{there}/odf.png"/></draw:frame></text:p><text:section text:name="s">'
            f'<text:section-source xlink:href="{there}/section.odt"/><text:p>old</text:p></text:section>'
            "</office:text></office:body></office:document>"
        )
        rtf = (
            rb"{\rtf1 before {\field{\*\fldinst INCLUDEPICTURE \"%s/rtf.png\" \\d}{\fldrslt }} after}" % there.encode()
        )
        files = {
            "a.docx": letter("first valve", f"{there}/ooxml.png"),
            "b.fodt": flat.encode(),
            "c.rtf": rtf,
            "d.docx": letter("last valve"),
        }
        run = render(folder, Profile.OFFICE, files)
        assert ["valve" in shown(run, 0), "flat" in shown(run, 1), "after" in shown(run, 2)] == [True] * 3
        assert "last valve" in shown(run, 3) and hits == []
    assert nothing_is_left(folder)


def test_spreadsheets_are_laid_out_and_nobody_is_asked(folder: Path) -> None:
    with listener() as (port, hits):
        asks = f'<row r="2"><c r="A2" t="str"><f>WEBSERVICE("http://127.0.0.1:{port}/x")</f></c></row>'
        book = xlsx({"One": "<sheetData>" + row(1, "in a cell") + asks + "</sheetData>"})
        run = render(folder, Profile.OFFICE, {"a.xlsx": book}, XLSX)
        assert "in a cell" in shown(run, 0) and hits == []
    assert nothing_is_left(folder)


def test_parsers_make_pdfs_of_pdfs_pictures_and_text(folder: Path) -> None:
    from tests.handlers.render.test_picture_pdf import half_red
    from tests.handlers.render.test_picture_pdf import saved as picture

    files = {
        "a.pdf": saved(document_of("native words")),
        "b.png": picture(half_red(), "PNG"),
        "c.txt": "漢字 text".encode(),
    }
    run = render(folder, Profile.PARSER, files)
    assert [run.ends[number].outcome for number in range(3)] == ["SUCCESS"] * 3, run.ends
    assert "native words" in shown(run, 0) and "漢字 text" in shown(run, 2)
    assert nothing_is_left(folder)


def when_seen(folder: Path, program: str, do: Callable[[int], None], times: int) -> threading.Thread:
    """Do something to the first processes of this name that the children below the folder start."""

    def watch() -> None:
        done: set[int] = set()
        deadline = time.monotonic() + 120
        while len(done) < times and time.monotonic() < deadline:
            for pid in set(children.processes_of(folder)) - done:
                if _is(pid, program):
                    time.sleep(0.5)  # it is at work by then
                    done.add(pid)
                    do(pid)
            time.sleep(0.05)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def _is(pid: int, program: str) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return program.encode() in words[0] and b"--type=" not in b" ".join(words)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@pytest.mark.parametrize(
    ("profile", "program", "files"),
    [
        (Profile.OFFICE, "soffice", {f"{n}.docx": letter(f"valve {n}") for n in range(3)}),
        (Profile.BROWSER, "chrom", {f"{n}.html": f"<html><p>valve {n}".encode() for n in range(3)}),
    ],
)
def test_a_program_that_is_killed_in_the_middle_is_started_again(
    folder: Path, profile: Profile, program: str, files: dict[str, bytes]
) -> None:
    watcher = when_seen(folder, program, _kill, times=1)
    run = render(folder, profile, files)
    watcher.join(10)
    said: Sequence[str] = [shown(run, number) for number in range(3)]
    assert [f"valve {number}" in each for number, each in enumerate(said)] == [True] * 3
    assert nothing_is_left(folder)
