"""The text of redacted documents, recognised on the very pages that go out: what is hidden can't be in it.

Called by `production write`, when the pages are there.
"""

from pathlib import Path

import msgspec

from redwell.core.production.leaks import still_read
from redwell.core.production.redactions import by_page
from redwell.core.production.values import Member
from redwell.core.trip import trip
from redwell.ports.printing import Printing
from redwell.produce.journal import Journal
from redwell.produce.page_reading import PictureFile, Reading, readings
from redwell.produce.volume_writing import Plan, VolumeWriter

_MARGIN_POINTS = 0.36 * 72  # that the page was made higher by (handlers.produce.stamping)


class Recognising:
    def __init__(self, plan: Plan, writer: VolumeWriter, root: Path) -> None:
        self._plan, self._writer, self._root = plan, writer, root

    def read(self, journal: Journal, printing: Printing) -> None:
        """Each redacted document gets its text. UserError where nothing here can read pages."""
        for member in self._plan.redacted:
            self._writer.place_layered(member, journal.done[member.ordinal])
        todo = [each for each in self._plan.redacted if not journal.done[each.ordinal].is_read]
        files = (
            (
                member,
                [
                    PictureFile(self._root / page.path, page.size, page.media_type)
                    for page in journal.done[member.ordinal].pages
                ],
            )
            for member in todo
        )
        for member, reading in readings(printing, files):
            self._finish(member, reading, journal)

    def _finish(self, member: Member, reading: Reading, journal: Journal) -> None:
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
        has_layer = self._plan.options.images == "pdf" and reading.searchable
        pages = [self._writer.put_layered(member, reading.searchable)] if has_layer else done.pages
        journal.add(msgspec.structs.replace(done, pages=pages, text=out, still_read=found, is_read=True))
        trip("production.before_layer")
        self._writer.place_layered(member, journal.done[member.ordinal])
