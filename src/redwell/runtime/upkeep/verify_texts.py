"""The part of verify that reads texts again: are the mails that a reader may skip held by others, and are documents as
near to each other as their rows say? `verify --deep` alone does it: it costs what the load and `near` cost."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from redwell.core.case.findings import Check, Finding
from redwell.core.case.near import LEAST, Neighbour, percent, runs
from redwell.core.case.threads import MOST_JUDGED, Judged, inclusive
from redwell.core.errors import RedwellError
from redwell.core.search.words import words_of
from redwell.load.texts import WithText, one_text
from redwell.ports.audit import Audit
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader

SketchOf = Callable[[frozenset[str]], bytes]


class StoredTexts:
    def __init__(self, audit: Audit, rows: CaseReader, blobs: BlobReader) -> None:
        self._audit, self._rows, self._blobs = audit, rows, blobs

    def findings(self, sketch_of: SketchOf) -> Iterator[Finding]:
        for _, mails in groupby(self._audit.judged_mails(), key=lambda judged: judged.mail.thread):
            yield from self._judged_wrongly(list(mails))
        for _, group in groupby(self._audit.neighbours(), key=lambda each: each[1].near or each[1].id):
            yield from self._grouped_wrongly(group, sketch_of)

    def _judged_wrongly(self, thread: Sequence[Judged]) -> Iterator[Finding]:
        """Longer threads are not judged, and one that is still being loaded is not yet."""
        if len(thread) > MOST_JUDGED or not all(each.is_loaded for each in thread):
            return
        texts = {each.mail.id: self._text(each.mail) for each in thread}
        known = {key: text for key, text in texts.items() if text is not None}
        if len(known) < len(texts):
            return  # bytes that are gone have a finding of their own
        right = inclusive(known, frozenset(each.mail.id for each in thread if each.mail.has_members))
        for each in thread:
            if each.is_inclusive != (each.mail.id in right):
                said = "it need not be read in its thread, but no other mail holds its text"
                what = "it has to be read in its thread, but another mail holds its text"
                yield self._finding(each.mail.id, what if each.is_inclusive else said)

    def _grouped_wrongly(self, group: Iterator[tuple[WithText, Neighbour]], sketch_of: SketchOf) -> Iterator[Finding]:
        master = frozenset[str]()
        for exhibit, noted in group:
            if (text := self._text(exhibit)) is None:
                continue
            mine = runs(list(words_of(text)))
            if sketch_of(mine) != noted.sketch:
                yield self._finding(
                    noted.id, "its text was compared as another one; `redwell near --anew` compares all"
                )
            elif noted.near is None:
                master = mine
            elif (score := percent(mine, master)) != noted.score:
                least = f"less than {LEAST}%" if score < LEAST else f"{score}%"
                yield self._finding(noted.id, f"it is said to be near to another by {noted.score}%, it is {least}")

    def _text(self, exhibit: WithText) -> str | None:
        try:
            return one_text(exhibit, self._rows, self._blobs)
        except (RedwellError, OSError, LookupError):
            return None

    def _finding(self, exhibit: int, detail: str) -> Finding:
        return Finding(Check.TEXTS, self._audit.name_of(exhibit) or f"exhibit {exhibit}", detail)
