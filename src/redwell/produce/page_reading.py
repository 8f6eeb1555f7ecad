"""Recognises the very files that go out, page by page. Called by `production write`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import UserError
from redwell.core.outcomes import Outcome
from redwell.core.page_words import PageWords
from redwell.core.production.values import Member
from redwell.core.work.kinds import Profile, TaskType
from redwell.ports.printing import Answer, Asked, Printing

_ENGINES = {
    "image/tiff": ("ocr-image-list", TaskType.TEXT_FROM_IMAGE_LIST),
    "image/jpeg": ("ocr-image", TaskType.TEXT_FROM_IMAGE),
    "image/png": ("ocr-image", TaskType.TEXT_FROM_IMAGE),
    "application/pdf": ("ocr-pages", TaskType.OCR_PAGE_IMAGES),
}
_READ = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


class PictureFile(NamedTuple):
    path: Path
    size: int
    media_type: str


@dataclass
class Reading:
    """What was read of a document's files, by page."""

    left: int
    texts: dict[int, str] = field(default_factory=dict)
    words: dict[int, PageWords] = field(default_factory=dict)
    searchable: bytes = b""  # of a PDF: the same with what was read behind its pages


def readings(
    printing: Printing, documents: Iterable[tuple[Member, Sequence[PictureFile]]]
) -> Iterator[tuple[Member, Reading]]:
    """Each document when all its files were read. UserError where nothing here can read pages."""
    open_: dict[int, tuple[Member, Reading]] = {}
    for answer in printing.each(_asked(documents, open_)):
        ordinal, file = answer.key
        member, reading = open_[ordinal]
        _take(answer, file, reading, member)
        if not reading.left:
            del open_[ordinal]
            yield member, reading


def _asked(
    documents: Iterable[tuple[Member, Sequence[PictureFile]]], open_: dict[int, tuple[Member, Reading]]
) -> Iterator[Asked]:
    for member, files in documents:
        open_[member.ordinal] = member, Reading(len(files))
        for at, file in enumerate(files, 1):
            engine, task = _ENGINES[file.media_type]
            yield Asked(
                key=(member.ordinal, at),
                path=file.path,
                length=file.size,
                engine=engine,
                task=task,
                profile=Profile.OCR,
            )


def _take(answer: Answer, file: int, reading: Reading, member: Member) -> None:
    if answer.outcome not in _READ:
        raise UserError(
            f"the pages of {member.control} could not be read anew, so nobody can say that nothing of what was hidden "
            f"is left: {answer.detail or answer.outcome}; `redwell doctor` says what is missing"
        )
    reading.left -= 1
    for made in answer.made:
        page = file + max(0, made.number - 1)  # a PDF is one file with all of them
        if made.kind == ArtifactKind.OCR_TEXT:
            reading.texts[page] = made.data.decode("utf-8", "replace")
        elif made.kind == ArtifactKind.WORD_BOXES:
            reading.words[page] = page_words.decode(made.data)
        elif made.kind == ArtifactKind.SEARCHABLE_PDF:
            reading.searchable = made.data
