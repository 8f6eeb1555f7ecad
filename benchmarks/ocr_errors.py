"""How far a text that was read is from the true one. Pure; used by benchmarks.ocr."""

import re
import unicodedata


def folded(text: str) -> str:
    """Quotes, dashes, ligatures and white space are told apart by no reader."""
    plain = unicodedata.normalize("NFKC", text)
    plain = plain.translate(str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\"--"))
    return re.sub(r"\s+", " ", plain).strip()


def character_errors(read: str, truth: str) -> float:
    """Letters to be changed, added and taken away, for each letter of the truth."""
    wanted = folded(truth)
    return _distance(folded(read), wanted) / max(1, len(wanted))


def holds(read: str, string: str) -> bool:
    """Whether the string is there but for a tenth of its characters, in letters of any size."""
    text, wanted = folded(read).lower(), folded(string).lower()
    if wanted in text:
        return True
    row = [0] * (len(text) + 1)
    for number, char in enumerate(wanted, 1):
        row = _next_row(row, char, text, number)
    return min(row) <= max(1, len(wanted) // 10)


def _distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for number, char in enumerate(one, 1):
        row = _next_row(row, char, other, number)
    return row[-1]


def _next_row(row: list[int], char: str, text: str, first: int) -> list[int]:
    made = [first]
    for at, other in enumerate(text, 1):
        made.append(min(row[at] + 1, made[-1] + 1, row[at - 1] + (char != other)))
    return made
