"""How people see an exhibit, where that is not as the ledger says: by what was made of its content since. Pure.

The ledger is sealed, so this stands in the case's own row of the exhibit. The load writes it, verify compares it.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from redwell.core.case.exhibit_outcome import Part, shown_with_parts
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.case.seals import seal
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import TaskType
from redwell.core.work.page_ranges import range_in, reading_in
from redwell.core.work.renderers import Goal, goal_of, is_rendition, stands_in
from redwell.core.work.transitions import Work

_JUNK = '"lack":"junk"'
MADE = frozenset({Outcome.SUCCESS, Outcome.PARTIAL, Outcome.EMPTY})
_problems = msgspec.json.Decoder(list[Problem]).decode


class Look(msgspec.Struct, frozen=True, gc=False):
    """The columns of the exhibit's row; nothing: as the ledger says."""

    outcome: str | None = None
    problems: str | None = None  # all of them, as JSON
    recognised: int | None = None  # pages
    text_chars: int | None = None
    ocr: bytes | None = None  # a digest of the recognised texts


AS_READ = Look()
COLUMNS = Look.__struct_fields__


class ReadExhibit(msgspec.Struct, frozen=True, gc=False):
    """An exhibit and the reading of its content, as the ledger has them."""

    id: int
    document: int
    outcome: str
    own: str  # its problems, as JSON
    context: str
    read: str  # the outcome of its content
    problems: str
    text_chars: int


class MadePart(msgspec.Struct, frozen=True, gc=False):
    """Work on a content besides its reading."""

    document: int
    id: int
    context: str
    task: str
    state: str
    outcome: str | None
    detail: str
    problems: str
    engine: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """Of those with the same one a single one counts."""
        return goal_of(TaskType(self.task)), range_in(self.context).first

    @property
    def is_made(self) -> bool:
        return self.state == Work.DONE and self.outcome in MADE

    @property
    def worth(self) -> tuple[int, bool, int]:
        """Of two with the same key the worthier counts. Of PDFs one that was made, as the document looks if there is
        one, then what is still open; else the later: it was made with other settings, or of a newer input."""
        is_done = self.state == Work.DONE
        if goal_of(TaskType(self.task)) is Goal.PDF:
            return 2 if self.is_made else int(not is_done), not stands_in(self.engine), self.id
        return int(is_done), True, self.id


class PageText(msgspec.Struct, frozen=True, gc=False):
    """What was recognised on a page."""

    document: int
    id: int  # of the work
    context: str
    page: int
    sha256: bytes
    chars: int
    figures: str = "{}"  # as JSON

    @property
    def replaces(self) -> bool:
        """What the page said of itself is junk."""
        return _JUNK in self.figures


def look_of(exhibit: ReadExhibit, parts: Iterable[MadePart], texts: Mapping[int, PageText]) -> Look:
    """How it is shown with these parts, which are those of its own reading, and these recognised pages."""
    if exhibit.outcome == Outcome.CANCELLED:
        return AS_READ
    read, own = _problems(exhibit.problems), _problems(exhibit.own)
    shown = shown_with_parts(Outcome(exhibit.read), read, own, [_part(part) for part in parts])
    return Look(
        outcome=shown.outcome.value if shown.outcome != exhibit.outcome else None,
        problems=msgspec.json.encode(shown.problems).decode() if shown.problems != [*read, *own] else None,
        recognised=len(texts) or None,
        text_chars=exhibit.text_chars + sum(text.chars for text in texts.values()) if texts else None,
        ocr=digest_of(texts) if texts else None,
    )


def digest_of(texts: Mapping[int, PageText]) -> bytes:
    """Of pages that stand beside their own words as it always was; indexes of older releases know it so."""
    return seal(tuple(tuple(page) if page.replaces else page[:2] for page in in_order(texts)))


def in_order(texts: Mapping[int, PageText]) -> list[RecognisedPage]:
    return [RecognisedPage(page, texts[page].sha256, texts[page].replaces) for page in sorted(texts)]


def parts_for(exhibit: ReadExhibit, parts: Sequence[MadePart]) -> list[MadePart]:
    """Of the works on its content those that follow from its own reading, one of each goal and range.

    What is done counts until something newer is.
    """
    mine = [part for part in parts if reading_in(part.context) == exhibit.context and is_rendition(part.task)]
    chosen = {part.key: part for part in sorted(mine, key=lambda part: part.worth)}
    return [_with_reason(part, mine) if stands_in(part.engine) else part for part in chosen.values()]


def _with_reason(part: MadePart, others: Iterable[MadePart]) -> MadePart:
    """What stands in for another says why that failed."""
    if not part.is_made:
        return part
    failed = (other for other in others if other.key == part.key and not stands_in(other.engine))
    reasons = [other.detail or str(other.outcome) for other in failed if other.state == Work.DONE]
    told = Problem(code=Code.HANDLER_ERROR, detail=f"its PDF shows its text alone: {'; '.join(reasons)}")
    return msgspec.structs.replace(part, problems=msgspec.json.encode([*_problems(part.problems), told]).decode())


def texts_for(exhibit: ReadExhibit, texts: Sequence[PageText]) -> dict[int, PageText]:
    mine = (text for text in texts if reading_in(text.context) == exhibit.context)
    return {text.page: text for text in sorted(mine, key=lambda text: text.id)}


def _part(part: MadePart) -> Part:
    outcome = Outcome(part.outcome) if part.outcome and part.state == Work.DONE else None
    return Part(TaskType(part.task), outcome, part.detail, tuple(_problems(part.problems)) if outcome else ())
