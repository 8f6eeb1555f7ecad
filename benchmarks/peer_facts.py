"""Strings that a corpus's manifest says are in its files, and whether a text has them. Used by benchmarks.peers."""

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# soft hyphens, zero-width and direction marks: extractors keep or drop them at will
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class Facts:
    path: Path
    name: str  # relative to the corpus
    family: str
    strings: tuple[str, ...]

    def found_in(self, text: str) -> int:
        plain = comparable(text)
        return sum(comparable(string) in plain for string in self.strings)


def comparable(text: str) -> str:
    """Compatible characters made one, white space folded; case counts."""
    return " ".join(_UNSEEN.sub("", unicodedata.normalize("NFKC", text)).split())


def facts_of(corpus: Path) -> list[Facts]:
    """Of every file in its manifest; those without strings too, as they take time and may do harm."""
    lines = (corpus / "manifest.jsonl").read_text().splitlines()
    return [_facts(corpus, json.loads(line)) for line in lines if line]


def _facts(corpus: Path, entry: dict[str, object]) -> Facts:
    strings = [*_strings(entry.get("text_contains")), *_strings(entry.get("notes_contains"))]
    name = str(entry["path"])
    return Facts(corpus / name, name, str(entry["family"]), tuple(strings))


def _strings(value: object) -> Iterable[str]:
    return map(str, value) if isinstance(value, list) else ()
