"""Who speaks on each line of a transcript: a question, an answer, or somebody else. Pure."""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
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


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one speaker says in a run of lines, without their numbers and breaks; `starts` leads back to the text."""

    speaker: Speaker
    words: str
    starts: tuple[tuple[int, int], ...]  # in `words`, and in the text

    def place(self, at: int) -> int:
        """Where in the text a character of the words stands."""
        before, start = self.starts[bisect_right(self.starts, (at, sys.maxsize)) - 1]
        return start + at - before


def utterances(text: str, layout: Layout) -> Iterator[Utterance]:
    """Questions and answers in order, as `q:` and `a:` find them."""
    for speaker, lines in groupby(spoken(text, layout), key=lambda each: each.speaker):
        if speaker == "-":
            continue
        words, starts = "", list[tuple[int, int]]()
        for each in lines:
            line = text[each.line.words : each.line.end]
            if said := line.strip():
                words += " " if words else ""
                starts.append((len(words), each.line.words + line.index(said)))
                words += said
        if words:
            yield Utterance(speaker, words, tuple(starts))
