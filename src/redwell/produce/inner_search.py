"""Looks for hidden words inside of the files of a volume: every layer of natives and PDFs, and what pictures show.

Called by `production write`, when all files are there. Natives are looked into wherever they are; pages and pictures of
those that a redacted document is in a family with are recognised, too.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Outcome
from redwell.core.production.leak_finder import Finder, Words
from redwell.core.production.orders import LAYERS_ENGINE, LayersOrder, found_inside, written
from redwell.core.production.values import Member, Treatment
from redwell.ports.printing import Answer, Asked, MadeFile, Printing
from redwell.produce.journal import MemberOut, PageOut
from redwell.produce.page_reading import PictureFile, readings
from redwell.produce.volume_writing import WORK, Plan

Hit = tuple[Member, str, Words]
_LARGE = 32 << 20
_PDF = "application/pdf"


class InnerSearch:
    def __init__(self, plan: Plan, volume: Path, words: Sequence[Words]) -> None:
        self._plan, self._volume, self._words = plan, volume, words
        self._finder = Finder(words)
        self._work = volume.parent / WORK
        redacted = plan.redacted
        self._near = {member.family for member in redacted}
        self._redacted = {member.exhibit for member in redacted}
        self.closed: list[str] = []

    def found(self, done: dict[int, MemberOut], printing: Printing) -> Iterator[Hit]:
        pictures: dict[int, list[PictureFile]] = {}
        members = {member.ordinal: member for member in self._plan.members}
        for answer in printing.each(self._asked(done)):
            member = members[answer.key[0]]
            file = self._files(member, done[member.ordinal])[answer.key[1]]
            yield from self._heard(answer, member, file)
            shown = (each for each in answer.made if each.kind == ArtifactKind.PAGE_IMAGE)
            pictures.setdefault(member.ordinal, []).extend(self._kept(each, member) for each in shown)
        yield from self._read(done, pictures, printing)

    def _asked(self, done: dict[int, MemberOut]) -> Iterator[Asked]:
        orders = {is_near: written(LayersOrder(words=list(self._words), pictures=is_near)) for is_near in (True, False)}
        for member in self._plan.members:
            for at, file in enumerate(self._files(member, done[member.ordinal])):
                is_native = file is done[member.ordinal].native
                yield Asked(
                    key=(member.ordinal, at),
                    path=self._volume / file.path,
                    length=file.size,
                    engine=LAYERS_ENGINE,
                    order=orders[is_native and member.family in self._near],
                    is_large=file.size > _LARGE,
                )

    def _files(self, member: Member, done: MemberOut) -> list[PageOut]:
        """Those that have layers: natives, and around redacted documents PDFs of pages."""
        pages = done.pages if member.family in self._near else []
        return [page for page in pages if page.media_type == _PDF] + ([done.native] if done.native else [])

    def _heard(self, answer: Answer, member: Member, file: PageOut) -> Iterator[Hit]:
        told = [each.data for each in answer.made if each.kind == ArtifactKind.STRUCTURED_DATA]
        for each in found_inside(told[0]) if told else ():
            yield member, f"{file.path}: {each.place}", each.words
        why = [problem.detail for problem in answer.problems]
        if not told or answer.outcome not in (Outcome.SUCCESS, Outcome.PARTIAL):
            why.append(answer.detail or str(answer.outcome))
        if why and member.family in self._near:
            self.closed.append(f"{file.path}: {'; '.join(why)[:200]}")

    def _kept(self, picture: MadeFile, member: Member) -> PictureFile:
        """Where a child reads it; it goes with the folder."""
        path = self._work / f"picture-{member.ordinal}-{picture.number}"
        path.write_bytes(picture.data)
        return PictureFile(path, len(picture.data), picture.media_type)

    def _read(
        self, done: dict[int, MemberOut], pictures: dict[int, list[PictureFile]], printing: Printing
    ) -> Iterator[Hit]:
        """Texts of an earlier run are there still, and are not read again."""
        todo = list[tuple[Member, list[PictureFile]]]()
        for member in self._plan.members:
            files = self._shown(member, done[member.ordinal]) + pictures.get(member.ordinal, [])
            if files and not self._note(member).exists():
                todo.append((member, files))
        for member, reading in readings(printing, todo):
            self._note(member).write_bytes(msgspec.json.encode([reading.texts[page] for page in sorted(reading.texts)]))
        for member in self._plan.members:
            if self._note(member).exists():
                for text in msgspec.json.decode(self._note(member).read_bytes(), type=list[str]):
                    yield from ((member, "page image", words) for words in self._finder.found_in(text))

    def _shown(self, member: Member, done: MemberOut) -> list[PictureFile]:
        """Pages around redacted documents; a sheet that stands for a document shows nothing of it."""
        is_wanted = member.family in self._near and member.exhibit not in self._redacted
        if not is_wanted or member.treatment is not Treatment.PRODUCED:
            return []
        return [PictureFile(self._volume / page.path, page.size, page.media_type) for page in done.pages]

    def _note(self, member: Member) -> Path:
        return self._work / f"read-{member.ordinal}.json"
