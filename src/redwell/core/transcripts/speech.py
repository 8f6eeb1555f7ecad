"""Who speaks on each line of a transcript: a question, an answer, or somebody else. Pure."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from redwell.core.transcripts.layout import Layout, TranscriptLine

Speaker = Literal["Q", "A", "-"]
_MARKED = re.compile(r"^\s*([QA])(?:[.:]|(?=\s))(?=\s)")
_ANSWER = re.compile(r"^\s*THE (?:WITNESS|DEPONENT):")
_OTHER = re.compile(
    r"^\s*(?:BY )?(?:(?:MR|MS|MRS|DR|MISS)\.? [A-Z'\- ]+|THE [A-Z ]+):|^\s*(?:\(|BY M|[A-Z \-]*EXAMINATION\b)"
)


class Spoken(NamedTuple):
    line: TranscriptLine
    speaker: Speaker


def spoken(text: str, layout: Layout) -> Iterator[Spoken]:
    """Each line with its speaker; one without a mark goes on with who spoke before."""
    speaker: Speaker = "-"
    for line in layout.lines:
        words = text[line.words : line.end]
        if marked := _MARKED.match(words):
            speaker = "Q" if marked[1] == "Q" else "A"
        elif _ANSWER.match(words):
            speaker = "A"
        elif _OTHER.match(words):
            speaker = "-"
        yield Spoken(line, speaker)
