"""Writes the files of a production's documents: pages from children, texts, natives. Called by `production write`.

A document is written when its line is in the journal; a run that was killed goes on behind it.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import msgspec

from redwell.core.case.native_bytes import native_sha256, native_size
from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.production.orders import PAGES_ENGINE, PrintOrder, written
from redwell.core.production.redactions import Redaction, by_page
from redwell.core.production.selection import closed_above
from redwell.core.production.sheets import sheet_of
from redwell.core.production.values import Member, Production, Treatment, page_numbers
from redwell.core.production.volume_options import VolumeOptions
from redwell.core.trip import trip
from redwell.ports.materials import Materials
from redwell.ports.printing import Answer, Asked, Printing
from redwell.produce.journal import Journal, MemberOut, PageOut
from redwell.produce.out_folder import OutFolder
from redwell.produce.volume_paths import VolumePaths

_RANGE = 25  # pages that a child is asked for at once
_CHUNK = 200  # documents whose rows are held
_LARGE = 100
_PDF = "application/pdf"
WORK = ".work"
Sheet = Callable[[str, Sequence[tuple[str, str]]], bytes]
Rows = Callable[[Sequence[int]], Iterator[Exhibit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is written; the same plan gives the same bytes."""

    production: Production
    members: Sequence[Member]
    redactions: Mapping[int, Sequence[Redaction]]
    options: VolumeOptions
    closed_too: Collection[int] = ()  # exhibits that hold what is hidden and not in the set

    @property
    def redacted(self) -> list[Member]:
        hiding = (member for member in self.members if self.redactions.get(member.exhibit))
        return [member for member in hiding if member.treatment is not Treatment.WITHHELD]

    @property
    def closed(self) -> set[int]:
        """Exhibits whose own bytes stay here."""
        withheld = [member.exhibit for member in self.members if member.treatment is Treatment.WITHHELD]
        hidden = {*withheld, *(key for key, boxes in self.redactions.items() if boxes)}
        return closed_above(self.members, hidden | set(self.closed_too))


class VolumeWriter:
    def __init__(self, plan: Plan, rows: Rows, materials: Materials, out: OutFolder, sheet: Sheet) -> None:
        self._plan, self._rows, self._materials, self._out, self._sheet = plan, rows, materials, out, sheet
        self.paths = VolumePaths(plan.production.terms, plan.members, plan.options)
        self._closed = plan.closed
        self._redacted = {member.exhibit for member in plan.redacted}
        self._open: dict[int, dict[int, PageOut]] = {}  # pages that are there, by document
        self._troubles: dict[int, list[str]] = {}

    def write(self, journal: Journal, printing: Printing, tell: Callable[[int], None]) -> None:
        """Every document that the journal does not have. What a child can't draw gets pages that say so."""
        (self._out.root / WORK).mkdir(exist_ok=True)
        todo = (member for member in self._plan.members if member.ordinal not in journal.done)
        while chunk := list(islice(todo, _CHUNK)):
            exhibits = {each.id: each for each in self._rows([member.exhibit for member in chunk])}
            failed = self._print(chunk, exhibits, journal, printing, sheets=False)
            if failed:
                self._print(failed, exhibits, journal, printing, sheets=True)
            tell(len(journal.done))

    def _print(
        self,
        chunk: Sequence[Member],
        exhibits: Mapping[int, Exhibit],
        journal: Journal,
        printing: Printing,
        *,
        sheets: bool,
    ) -> list[Member]:
        """Those of which no pages could be made."""
        by_ordinal = {member.ordinal: member for member in chunk}
        failed: dict[int, Member] = {}
        asked = (each for member in chunk for each in self._asked(member, exhibits[member.exhibit], sheets=sheets))
        for answer in printing.each(asked):
            member = by_ordinal[answer.key[0]]
            self._troubles.setdefault(member.ordinal, []).extend(problem.detail for problem in answer.problems)
            if not answer.made:
                if sheets:
                    raise UserError(f"no page of {member.control} could be made: {answer.detail}")
                self._troubles[member.ordinal].append(answer.detail or answer.outcome)
                failed[member.ordinal] = member
            elif member.ordinal not in failed and self._put(member, answer):
                self._finish(member, exhibits[member.exhibit], journal)
        return list(failed.values())

    def _asked(self, member: Member, exhibit: Exhibit, *, sheets: bool) -> Iterator[Asked]:
        plan, self._open[member.ordinal] = self._plan, {}
        hidden = by_page(plan.redactions.get(member.exhibit, ())) if member.exhibit in self._redacted else {}
        path, offset, length = self._source(member, exhibit, sheets=sheets)
        numbers = page_numbers(plan.production.terms, member)
        whole = plan.options.images == "pdf"
        step = member.pages if whole else _RANGE
        words = self._recognised(member, exhibit) if whole and not sheets else ""
        for first in range(0, member.pages, step):
            order = PrintOrder(
                numbers=numbers[first : first + step],
                designation=plan.production.terms.designation,
                dpi=plan.options.dpi,
                form=plan.options.images,
                tiff=plan.options.tiff,
                shades=plan.options.shades,
                quality=plan.options.quality,
                hidden=hidden,
                layer=whole and member.exhibit not in self._redacted,  # that of others is recognised later
                words=words,
            )
            yield Asked(
                key=(member.ordinal, first),
                path=path,
                offset=offset,
                length=length,
                engine=PAGES_ENGINE,
                order=written(order),
                first_page=first + 1,
                is_large=length > 32 << 20 or step > _LARGE,
            )

    def _recognised(self, member: Member, exhibit: Exhibit) -> str:
        """The file with the words of a scan, which its PDF does not have."""
        if member.treatment is not Treatment.PRODUCED or member.exhibit in self._redacted:
            return ""
        said = {page: found.words for page, found in self._materials.words(exhibit).items() if found.words}
        if not said:
            return ""
        path = self._out.root / WORK / f"words-{member.ordinal}.json"
        path.write_bytes(msgspec.json.encode(said))
        return str(path)

    def _source(self, member: Member, exhibit: Exhibit, *, sheets: bool) -> tuple[Path, int, int]:
        if member.treatment is Treatment.PRODUCED and not sheets:
            place = self._materials.pdf(exhibit)
            if place is None:
                raise UserError(f"the PDF of {member.control} is not there any more; make it: redwell render")
            return place.path, place.offset, place.length
        native = self.paths.native(member, exhibit).rpartition("/")[2] if self._gives_native(member, exhibit) else ""
        trouble = "; ".join(self._troubles.get(member.ordinal, ()))
        number = str(self._plan.production.terms.number(member.first))
        data = self._sheet(*sheet_of(member, number, native, trouble))
        path = self._out.root / WORK / f"sheet-{member.ordinal}.pdf"
        path.write_bytes(data)
        return path, 0, len(data)

    def _put(self, member: Member, answer: Answer) -> bool:
        """Whether the document has all its pages now."""
        there = self._open[member.ordinal]
        for made in answer.made:
            path = self.paths.page(member, max(1, made.number), made.media_type)
            file = self._out.put(f"{self._plan.options.volume}/{path}", [made.data])
            there[max(1, made.number)] = PageOut(path, file.sha256, file.size, made.media_type)
        return len(there) == (1 if self._plan.options.images == "pdf" else member.pages)

    def _finish(self, member: Member, exhibit: Exhibit, journal: Journal) -> None:
        pages = self._open.pop(member.ordinal)
        problems = self._troubles.pop(member.ordinal, [])
        for name in (f"sheet-{member.ordinal}.pdf", f"words-{member.ordinal}.json"):
            (self._out.root / WORK / name).unlink(missing_ok=True)
        trip("production.before_journal")
        journal.add(
            MemberOut(
                ordinal=member.ordinal,
                pages=[pages[number] for number in sorted(pages)],
                text=self._text(member, exhibit),
                native=self._native(member, exhibit),
                problems=problems,
            )
        )

    def _text(self, member: Member, exhibit: Exhibit) -> PageOut | None:
        """That of a redacted document is recognised on its pages later."""
        if member.treatment is Treatment.WITHHELD or member.exhibit in self._redacted or not exhibit.text_chars:
            return None
        text = self._materials.text(exhibit)
        return self.put_text(member, text) if text.strip() else None

    def put_layered(self, member: Member, data: bytes) -> PageOut:
        """The PDF of a document with words behind its pages; it takes its place when the journal has it."""
        self._layered(member).write_bytes(data)
        return PageOut(self.paths.page(member, 1, _PDF), hashlib.sha256(data).hexdigest(), len(data), _PDF)

    def place_layered(self, member: Member, done: MemberOut) -> None:
        """What a run before this one did not come to is done now; what its journal does not have is void."""
        made = self._layered(member)
        if made.exists() and done.is_read:
            os.replace(made, self._out.root / self._plan.options.volume / done.pages[0].path)
        made.unlink(missing_ok=True)

    def _layered(self, member: Member) -> Path:
        return self._out.root / WORK / f"layered-{member.ordinal}.pdf"

    def put_text(self, member: Member, text: str) -> PageOut:
        path = self.paths.text(member)
        file = self._out.put(f"{self._plan.options.volume}/{path}", [text.encode("utf-8", "replace")])
        return PageOut(path, file.sha256, file.size, "text/plain")

    def _gives_native(self, member: Member, exhibit: Exhibit) -> bool:
        wanted = member.treatment is Treatment.NATIVE or (
            self._plan.production.terms.natives == "all" and member.treatment is not Treatment.WITHHELD
        )
        return wanted and bool(native_sha256(exhibit) and native_size(exhibit)) and member.exhibit not in self._closed

    def _native(self, member: Member, exhibit: Exhibit) -> PageOut | None:
        if not self._gives_native(member, exhibit):
            return None
        path = self.paths.native(member, exhibit)
        file = self._out.put(f"{self._plan.options.volume}/{path}", self._materials.native(exhibit))
        if (own := native_sha256(exhibit)) and file.sha256 != own.hex():
            raise UserError(f"the bytes of {member.control} are not those that were imported; run `redwell verify`")
        return PageOut(path, file.sha256, file.size, exhibit.media_type or "")
