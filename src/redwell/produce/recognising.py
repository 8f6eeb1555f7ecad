"""The text of redacted documents, recognised on the very pages that go out: what is hidden can't be in it.

Called by `production write`, when the pages are there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import UserError
from redwell.core.outcomes import Outcome
from redwell.core.page_words import PageWords
from redwell.core.production.leaks import still_read
from redwell.core.production.redactions import by_page
from redwell.core.production.values import Member
from redwell.core.work.kinds import Profile, TaskType
from redwell.ports.printing import Answer, Asked, Printing
from redwell.produce.journal import Journal
from redwell.produce.volume_writing import Plan, VolumeWriter

_ENGINES = {
    "image/tiff": ("ocr-image-list", TaskType.TEXT_FROM_IMAGE_LIST),
    "image/jpeg": ("ocr-image", TaskType.TEXT_FROM_IMAGE),
    "application/pdf": ("ocr-pages", TaskType.OCR_PAGE_IMAGES),
}
_MARGIN_POINTS = 0.36 * 72  # that the page was made higher by (handlers.produce.stamping)
_READ = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


@dataclass
class _Reading:
    left: int
    texts: dict[int, str] = field(default_factory=dict)
    words: dict[int, PageWords] = field(default_factory=dict)


class Recognising:
    def __init__(self, plan: Plan, writer: VolumeWriter, root: Path) -> None:
        self._plan, self._writer, self._root = plan, writer, root

    def read(self, journal: Journal, printing: Printing) -> None:
        """Each redacted document gets its text. UserError where nothing here can read pages."""
        todo = {each.ordinal: each for each in self._plan.redacted if not journal.done[each.ordinal].is_read}
        open_: dict[int, _Reading] = {}
        for answer in printing.each(self._asked(list(todo.values()), journal, open_)):
            ordinal, file = answer.key
            reading = open_[ordinal]
            self._take(answer, file, reading, todo[ordinal])
            if not reading.left:
                self._finish(todo[ordinal], open_.pop(ordinal), journal)

    def _asked(self, members: Sequence[Member], journal: Journal, open_: dict[int, _Reading]) -> Iterator[Asked]:
        for member in members:
            pages = journal.done[member.ordinal].pages
            open_[member.ordinal] = _Reading(len(pages))
            for at, page in enumerate(pages, 1):
                engine, task = _ENGINES[page.media_type]
                yield Asked(
                    key=(member.ordinal, at),
                    path=self._root / page.path,
                    length=page.size,
                    engine=engine,
                    task=task,
                    profile=Profile.OCR,
                )

    def _take(self, answer: Answer, file: int, reading: _Reading, member: Member) -> None:
        if answer.outcome not in _READ:
            raise UserError(
                f"the redacted pages of {member.control} could not be read anew, so nobody can say that nothing of "
                f"what was hidden is left: {answer.detail or answer.outcome}; `redwell doctor` says what is missing"
            )
        reading.left -= 1
        whole = self._plan.options.images == "pdf"
        for made in answer.made:
            page = made.number if whole else file
            if made.kind == ArtifactKind.OCR_TEXT:
                reading.texts[page] = made.data.decode("utf-8", "replace")
            elif made.kind == ArtifactKind.WORD_BOXES:
                reading.words[page] = page_words.decode(made.data)

    def _finish(self, member: Member, reading: _Reading, journal: Journal) -> None:
        text = "\f".join(reading.texts.get(page, "") for page in range(1, member.pages + 1))
        hidden, found = by_page(self._plan.redactions[member.exhibit]), list[str]()
        for page, words in reading.words.items():
            share = max(0.0, 1 - _MARGIN_POINTS / words.height) if words.height else 1.0
            boxes = [
                msgspec.structs.replace(box, top=box.top * share, bottom=box.bottom * share)
                for box in hidden.get(page, ())
            ]
            found += still_read(words.words, boxes)
        out = self._writer.put_text(member, text) if text.strip() else None
        done = journal.done[member.ordinal]
        journal.add(msgspec.structs.replace(done, text=out, still_read=found, is_read=True))
