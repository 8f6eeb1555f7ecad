"""The rules for words are the same in our code as in the index's own analyser."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from redwell.adapters.tantivy.words import words
from redwell.core.search.words import spaced, words_of

_BLOCK = 4096
# letters whose small ones Unicode named after Python's table was made
_NEWER = {chr(code) for code in (0x1C89, 0xA7CB, 0xA7CC, 0xA7CE, 0xA7D2, 0xA7D4, 0xA7DA, 0xA7DC)}


def test_every_character_separates_words_or_belongs_to_one_as_in_the_index() -> None:
    """Nearly a hundred and fifty thousand characters that Unicode has assigned, each between two letters."""
    analyser = words()
    known = [char for char in map(chr, range(0x110000)) if unicodedata.category(char) not in {"Cn", "Cs", "Co"}]
    for start in range(0, len(known), _BLOCK):
        text = " ".join(f"a{char}b" for char in known[start : start + _BLOCK] if char not in _NEWER)
        assert list(words_of(text)) == analyser.analyze(spaced(text))


@given(st.text())
def test_any_text_is_cut_as_in_the_index(text: str) -> None:
    readable = "".join(char for char in text if unicodedata.category(char) != "Cn" and char not in _NEWER)
    assert list(words_of(readable)) == words().analyze(spaced(readable))
