"""LibreOffice and the browser stand still or fill the disk in the middle of a batch: only the file that did it pays."""

import io
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from tests.faults.test_profiles import letter
from tests.faults.test_real_engines import left_behind
from tests.support import children
from tests.support.illustrated import letter_with
from tests.support.rendered import text_of

from redwell.core import wire
from redwell.core.compression import PdfCompression
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.profiles import RIGHTS
from redwell.processing.children.limits import ChildConfig, LaneLimits

pytestmark = pytest.mark.requirement("A11", "A17")
OFFICE = ("soffice", "office-pdf", "redwell.handlers.render.office.office_pdf")
BROWSER = ("chrom", "web-pdf", "redwell.handlers.render.web_pdf")
MODULES = {Profile.OFFICE: OFFICE, Profile.BROWSER: BROWSER}
SPOOL_MB = 48
DISK = 'mount -t tmpfs -o size=40m none $0; exec "$@"'


def tasks_of(folder: Path, profile: Profile, files: dict[str, bytes]) -> list[wire.Task]:
    (folder / "in").mkdir()
    tasks = []
    for number, (name, data) in enumerate(files.items()):
        path = folder / "in" / f"{number}"
        path.write_bytes(data)
        about = {"name": name, "as_task": TaskType.RENDER_PDF, "engine": MODULES[profile][1]}
        tasks.append(wire.Task(id=number, path=str(path), offset=0, length=len(data), **about))
    return tasks


def config(folder: Path, profile: Profile, wall_s: float) -> ChildConfig:
    limits = LaneLimits(wall_s=wall_s, rss_mb=3_000)
    about = {"profile": profile, "rights": RIGHTS[profile], "handlers": MODULES[profile][2:], "spool_mb": SPOOL_MB}
    return children.config(folder, small=limits, large=limits, **about)


class Disturbed:
    """Whoever is at the bad document stands still, and before that does something worse if there is anything."""

    def __init__(self, folder: Path, program: str, worse: Callable[[Path], None] | None) -> None:
        self._folder, self._program, self._worse = folder, program, worse
        self._done: set[int] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Disturbed":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        assert self._done, "nothing was disturbed"

    def _watch(self) -> None:
        while not self._over.wait(0.02):
            for pid in set(children.processes_of(self._folder)) - self._done:
                if self._is_at_it(pid):
                    self._done.add(pid)
                    os.kill(pid, signal.SIGSTOP)
                    if self._worse:
                        self._worse(next((self._folder / "scratch").glob("pool-*/child-*/tmp")))

    def _is_at_it(self, pid: int) -> bool:
        """The browser is, the first time; LibreOffice where the document is among those that it was given."""
        try:
            program, *words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if self._program.encode() not in program or b"--type=" in b" ".join(words):
                return False  # another program, or what the browser has started
            if self._program == BROWSER[0]:
                return not self._done and b"about:blank" in words
            inputs = [word for word in words if word.endswith(b".docx")]
            return any(b"the bad one" in Path(os.fsdecode(path)).read_bytes() for path in inputs)
        except OSError:
            return False


def fill(temporary: Path) -> None:
    with (temporary / "filled").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, (SPOOL_MB + 16) << 20)


@pytest.mark.parametrize("profile", MODULES)
@pytest.mark.parametrize(
    ("worse", "wall_s", "outcome"), [(None, 15, "TIMED_OUT"), (fill, 120, "CRASHED")], ids=["frozen", "filling"]
)
def test_an_engine_that_is_disturbed_costs_the_document_that_it_was_at(
    folder: Path, profile: Profile, worse: Callable[[Path], None] | None, wall_s: float, outcome: str
) -> None:
    files = {
        Profile.OFFICE: {"0.docx": letter("the bad one"), "1.docx": letter("a valve"), "2.docx": letter("a valve")},
        Profile.BROWSER: {f"{n}.html": b"<html><p>a valve" for n in range(3)},
    }[profile]
    with Disturbed(folder, MODULES[profile][0], worse):
        run = children.run(tasks_of(folder, profile, files), config(folder, profile, wall_s))
    assert [run.ends[number].outcome for number in range(3)] == [outcome, "SUCCESS", "SUCCESS"], run.ends
    assert ["a valve" in text_of(run.pdfs[number]) for number in (1, 2)] == [True, True]
    assert left_behind() == []


def test_a_document_of_which_an_engine_fills_the_disk_is_named_and_no_other_is_called_damaged(folder: Path) -> None:
    # What LibreOffice unpacks of it is more than the disk holds.
    noise = io.BytesIO()
    Image.frombytes("RGB", (4400, 4400), os.urandom(3 * 4400**2)).save(noise, "PNG", compress_level=0)
    files = {"0.docx": letter("a valve"), "1.docx": letter_with(noise.getvalue()), "2.docx": letter("a valve")}
    tasks = tasks_of(folder, Profile.OFFICE, files)
    (folder / "scratch").mkdir()
    told = children.plan(
        folder,
        tasks,
        profile=Profile.OFFICE,
        handlers=MODULES[Profile.OFFICE][2:],
        small={"wall_s": 120, "rss_mb": 3_000},
        spool_mb=2_000,
        options={"pdf_compression": PdfCompression.LOSSLESS},
    )
    mapped = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    ends = children.elsewhere(told, ["unshare", *mapped, "--mount", "sh", "-c", DISK, str(folder / "scratch")])["ends"]
    assert [ends[number]["outcome"] for number in "012"] == ["SUCCESS", "CRASHED", "SUCCESS"], ends
    assert "filled the disk" in ends["1"]["detail"]
