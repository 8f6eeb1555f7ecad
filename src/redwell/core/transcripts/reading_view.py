"""A transcript as a page shows it: a row for each line, with its place, its speaker and what is marked in it. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redwell.core.transcripts.layout import Layout
from redwell.core.transcripts.speech import Speaker, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    page: int
    line: int
    speaker: Speaker
    pieces: Sequence[tuple[str, bool]]  # words as they stand there, and whether they are a hit

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def shown_lines(text: str, layout: Layout, marked: Sequence[tuple[int, int]] = ()) -> Iterator[ShownLine]:
    """Blanks before the words are kept: they say who speaks. `marked` are places of the text, in order."""
    for each in spoken(text, layout):
        line = each.line
        pieces = list(_pieces(text, line.words, line.end, marked))
        yield ShownLine(page=line.page, line=line.line, speaker=each.speaker, pieces=pieces)


def _pieces(text: str, start: int, end: int, marked: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    at = start
    for first, last in marked:
        begin, stop = max(first, at), min(last, end)
        if begin < stop:
            yield text[at:begin], False
            yield text[begin:stop], True
            at = stop
    yield text[at:end], False


def marked_exhibits(told: object) -> list[tuple[str, str]]:
    """Name and place of what was marked, as core.transcripts.facts writes it: `12 at 45:12`."""
    listed = told if isinstance(told, list) else [told] if isinstance(told, str) else []
    return [(name, place) for name, at, place in (str(each).rpartition(" at ") for each in listed) if at]


def exhibit_query(name: str) -> str:
    """Finds what is called `Exhibit 12`, `Ex. 12` or `Exhibit12`, or has that number on its pages."""
    plain = "".join(char for char in name if char.isalnum() or char in "-.&").strip("-.&")
    joined = "".join(char for char in plain if char.isalnum())
    called = [f'name:"{word} {plain}"' for word in ("exhibit", "ex", "exh")]
    return " OR ".join([*called, f"name:exhibit{joined}", f"name:ex{joined}", f'bates:"{plain}"'])
