"""Names of glyphs and the characters they stand for."""

import pytest

from redwell.handlers.pdf.glyph_names import characters


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *[("A", "A"), ("space", " "), ("bar", "|"), ("backslash", "\\"), ("ffi", "ffi"), ("quoteright", "\u2019")],
        *[("Scaron", "Š"), ("uogonek", "ų"), ("a.sc", "a"), ("uni20AC", "€"), ("u1F600", "\U0001f600")],
        *[("beta", "β"), ("Sigma", "Σ"), ("uniD83DDE00", "\U0001f600")],
    ],
)
def test_a_name_tells_its_characters(name: str, shown: str) -> None:
    assert characters(name) == shown


@pytest.mark.parametrize("name", ["", ".notdef", "g258", "C0023", "uD800", "u110000", "wdspc", "näme"])
def test_a_name_that_says_nothing_gives_nothing(name: str) -> None:
    assert characters(name) == ""
