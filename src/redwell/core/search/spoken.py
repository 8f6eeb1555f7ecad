"""Where parts of a query stand in what is said in a transcript, over the breaks and numbers of its lines. Pure.

Asked by whoever marks a text; an index has questions and answers as fields of their own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from redwell.core.search.fields import SPOKEN
from redwell.core.search.positions import Positions, Wording
from redwell.core.search.query import Near, Words, field_of
from redwell.core.search.words import tokens
from redwell.core.transcripts.layout import lay_out
from redwell.core.transcripts.probe import may_be_transcript
from redwell.core.transcripts.speech import Utterance, utterances

_HEAD = 4096  # characters that tell whether a text may be a transcript


class Said(NamedTuple):
    """A part of a query, and whose words it is looked for in."""

    speakers: Sequence[str]
    part: Words | Near


def said_parts(parts: Iterable[Words | Near]) -> list[Said]:
    """Those of `q:` and `a:`, and those of several words that are asked for without a field."""
    found = list[Said]()
    for part in parts:
        field = field_of(part)
        if field in SPOKEN:
            found.append(Said((field.upper(),), part))
        elif not field and (isinstance(part, Near) or len(part.words) > 1):
            found.append(Said([name.upper() for name in SPOKEN], part))
    return found


def places(text: str, wanted: Sequence[Said], positions: Positions) -> Iterator[tuple[int, int, int]]:
    """Start, end and column of each match in a cleaned text; nothing in what is no transcript."""
    layout = lay_out(text) if wanted and may_be_transcript(text[:_HEAD].encode("utf-8", "replace")) else None
    for said in utterances(text, layout) if layout else ():
        yield from _of_one(said, [each.part for each in wanted if said.speaker in each.speakers], positions)


def _of_one(said: Utterance, parts: Sequence[Words | Near], positions: Positions) -> Iterator[tuple[int, int, int]]:
    words = list(tokens(said.words)) if parts else []
    wording = Wording(word for word, _, _ in words)
    for part in parts:
        for spot in positions.spots(part, wording):
            for first, last, column in spot.marks:
                yield said.place(words[first][1]), said.place(words[last][2] - 1) + 1, column
