"""The real LibreOffice and the real browser, when they take too long or too much: ended as a tree, nothing is left."""

import os
from pathlib import Path

import msgspec
import pytest
from tests.faults.test_profiles import letter
from tests.support import children
from tests.support.children import config

from redwell.core import wire
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.profiles import RIGHTS
from redwell.processing.children.limits import LaneLimits

pytestmark = pytest.mark.requirement("A11")
# long enough that even a quick machine looks at the browser while it is at work
LONG_PAGE = (
    b"<html><body><table>" + b"<tr><td>a valve</td><td>salt water</td></tr>" * 40_000 + b"</table></body></html>"
)
ENGINES = {
    Profile.OFFICE: ("office-pdf", "redwell.handlers.render.office.office_pdf", letter("a valve")),
    Profile.BROWSER: ("web-pdf", "redwell.handlers.render.web_pdf", LONG_PAGE),
}


def rendered(folder: Path, profile: Profile, small: LaneLimits) -> children.Run:
    engine, module, data = ENGINES[profile]
    (folder / "in").mkdir()
    (folder / "in" / "0").write_bytes(data)
    about = {"name": "document.html", "as_task": TaskType.RENDER_PDF, "engine": engine}
    task = wire.Task(id=0, path=str(folder / "in" / "0"), offset=0, length=len(data), **about)
    rights = msgspec.structs.replace(RIGHTS[profile], least_rss_mb=0)
    limits = {"small": small, "large": small, "render_wall_s": small.wall_s, "spool_mb": 2_000}
    return children.run([task], config(folder, profile=profile, rights=rights, handlers=(module,), **limits))


def left_behind() -> list[str]:
    """Processes below this one, by name."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (entry / "stat").read_text().partition(") ")
        except OSError:
            continue
        parents[int(entry.name)] = int(rest.split()[1]), name.partition("(")[2]
    mine, found = {os.getpid()}, []
    while more := {pid for pid, (parent, _) in parents.items() if parent in mine and pid not in mine}:
        mine |= more
        found += [parents[pid][1] for pid in more]
    return [name for name in found if "soffice" in name or "chrom" in name or "headless" in name]


@pytest.mark.parametrize("profile", ENGINES)
@pytest.mark.parametrize(
    ("limits", "outcome"),
    [
        (LaneLimits(wall_s=0.3, rss_mb=4_000), "TIMED_OUT"),
        (LaneLimits(wall_s=60, rss_mb=110), "OUT_OF_MEMORY"),
    ],
)
def test_an_engine_that_takes_too_much_ends_with_its_document(
    folder: Path, profile: Profile, limits: LaneLimits, outcome: str
) -> None:
    assert rendered(folder, profile, limits).ends[0].outcome == outcome
    assert left_behind() == []
    scratch = config(folder).scratch
    assert [path for path in scratch.rglob("*") if path.is_file()] == []
