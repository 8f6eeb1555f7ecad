"""Recognition and page images in real sandboxed children: nothing that they need is out of their reach."""

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.support.children import config
from tests.support.pdf_files import document_of, saved
from tests.support.scans import as_file, noisy, page_of, pdf_of

from redwell.core import wire
from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.profiles import RIGHTS
from redwell.processing.children.limits import LaneLimits
from redwell.processing.children.pool import Pool
from redwell.processing.results import Finished
from redwell.runtime.bootstrap.handler_modules import BUILT_IN_OF

pytestmark = pytest.mark.requirement("A7", "A6", "A11")

PATIENT = LaneLimits(wall_s=300, rss_mb=2_048)


class Ended(NamedTuple):
    done: wire.Done
    made: list[bytes]


def done_in(profile: Profile, folder: Path, as_task: TaskType, *documents: bytes) -> list[Ended]:
    (folder / "in").mkdir()
    tasks = []
    for number, data in enumerate(documents):
        path = folder / "in" / str(number)
        path.write_bytes(data)
        tasks.append(wire.Task(id=number, path=str(path), offset=0, length=len(data), name=path.name, as_task=as_task))
    how = {"profile": profile, "rights": RIGHTS[profile], "small": PATIENT, "large": PATIENT, "spool_mb": 200}
    found: list[Ended] = []
    with Pool(config(folder, handlers=BUILT_IN_OF[profile], **how), 1) as pool:
        pool.submit(tasks, Lane.SMALL, profile)
        while len(found) < len(tasks):
            for event in pool.wait(5):
                assert isinstance(event, Finished), event
                found.append(Ended(event.done, [made.read() for made in event.made]))
    return found


def kinds(finished: Ended) -> list[ArtifactKind]:
    return [made.kind for made in finished.done.made]


def test_scans_are_read_in_a_child_and_cleaned_there(folder: Path) -> None:
    good, turned = page_of().picture, noisy(page_of().picture.rotate(180))
    one, two = done_in(Profile.OCR, folder, TaskType.OCR_PAGE_IMAGES, *(saved(pdf_of(p)) for p in (good, turned)))
    expected = [ArtifactKind.OCR_TEXT, ArtifactKind.WORD_BOXES, ArtifactKind.SEARCHABLE_PDF]
    assert (one.done.outcome, two.done.outcome) == (Outcome.SUCCESS, Outcome.SUCCESS), (one.done, two.done)
    assert kinds(one) == expected
    assert sorted(kinds(two)) == sorted([*expected, ArtifactKind.OCR_CLEANED, ArtifactKind.OCR_OTHER])
    assert two.done.made[0].figures["rotation"] == 180 and two.done.made[0].figures["preprocessed"]
    assert b"insurance company" in one.made[0] and one.made[2].startswith(b"%PDF")


def test_a_fax_is_read_in_a_child(folder: Path) -> None:
    fax = as_file(page_of().picture.convert("1"), "TIFF", compression="group4")
    [one] = done_in(Profile.OCR, folder, TaskType.TEXT_FROM_IMAGE_LIST, fax)
    assert (one.done.outcome, kinds(one)[0]) == (Outcome.SUCCESS, ArtifactKind.OCR_TEXT)


def test_page_images_are_made_in_a_parser(folder: Path) -> None:
    [one] = done_in(Profile.PARSER, folder, TaskType.RENDER_PAGE_IMAGES, saved(document_of("First", "Second")))
    page = [ArtifactKind.PAGE_IMAGE, ArtifactKind.THUMBNAIL, ArtifactKind.PAGE_TEXT, ArtifactKind.WORD_BOXES]
    assert (one.done.outcome, one.done.pages, kinds(one)) == (Outcome.SUCCESS, 2, page * 2)
    assert one.made[0].startswith(b"\x89PNG")
