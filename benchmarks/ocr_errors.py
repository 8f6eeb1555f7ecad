"""How far a text that was read is from the true one. Pure; used by benchmarks.ocr."""

import re
import unicodedata

import numpy as np


def folded(text: str) -> str:
    """Quotes, dashes, ligatures and white space are told apart by no reader."""
    plain = unicodedata.normalize("NFKC", text)
    plain = plain.translate(str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\"--"))
    return re.sub(r"\s+", " ", plain).strip()


def character_errors(read: str, truth: str) -> float:
    """Letters to be changed, added and taken away, for each letter of the truth."""
    wanted = folded(truth)
    return _last_row(folded(read), wanted, anywhere=False)[-1] / max(1, len(wanted))


def holds(read: str, string: str) -> bool:
    """Whether the string is there but for a tenth of its characters, in letters of any size."""
    text, wanted = folded(read).lower(), folded(string).lower()
    return wanted in text or min(_last_row(wanted, text, anywhere=True)) <= max(1, len(wanted) // 10)


def _last_row(one: str, other: str, *, anywhere: bool) -> list[int]:
    """Of the table of distances, row by row as a whole; `anywhere`: the first text may begin at any place."""
    letters = np.array(list(other))
    places = np.arange(len(other) + 1)
    row = np.zeros_like(places) if anywhere else places.copy()
    for number, char in enumerate(one, 1):
        made = np.empty_like(row)
        made[0] = number
        made[1:] = np.minimum(row[1:] + 1, row[:-1] + (letters != char))
        row = np.minimum.accumulate(made - places) + places  # letters that are added
    return [int(distance) for distance in row]
