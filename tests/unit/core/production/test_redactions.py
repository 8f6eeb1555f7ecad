"""Boxes from files, terms and patterns."""

import json
import re

import pytest

from redwell.core.errors import UserError
from redwell.core.page_words import PageWords, Word
from redwell.core.production.redactions import found_pattern, found_terms, read_file

PAGE = PageWords(
    600,
    800,
    [
        Word("Mr", 0.1, 0.1, 0.14, 0.12),
        Word("Barnaby", 0.8, 0.1, 0.9, 0.12),
        Word("Quill,", 0.1, 0.13, 0.2, 0.15),
        Word("123-45-6789", 0.3, 0.13, 0.5, 0.15),
    ],
)


def test_a_term_over_the_end_of_a_line_gets_two_boxes() -> None:
    [found] = found_terms(3, PAGE, [("barnaby", "quill")])
    assert (found.page, found.text, len(found.boxes)) == (3, "Barnaby Quill,", 2)
    assert found.boxes[0].left < 0.8 and found.boxes[0].right > 0.9
    assert list(found_terms(3, PAGE, [("quill", "barnaby")])) == []


def test_a_pattern_hides_the_words_that_it_touches() -> None:
    [found] = found_pattern(1, PAGE, re.compile(r"\d{3}-\d\d-\d{4}"))
    assert found.text == "123-45-6789" and len(found.boxes) == 1
    assert list(found_pattern(1, PAGE, re.compile(r"x*"))) == []


def test_a_file_of_boxes_is_read_and_each_mistake_names_its_place() -> None:
    row = {"document": "RW1", "page": 2, "left": 0, "top": 0.1, "right": 0.5, "bottom": 0.2, "reason": "Privileged"}
    [box] = read_file(json.dumps([row]).encode(), {"RW1": 5})
    assert (box.exhibit, box.page, box.box.label) == (5, 2, "REDACTED - Privileged")
    for wrong in ({"document": "RW2"}, {"left": 0.6}, {"page": 0}, {"top": "x"}, {"reason": "a\nb"}):
        with pytest.raises(UserError, match="redaction 2"):
            read_file(json.dumps([row, {**row, **wrong}]).encode(), {"RW1": 5})
    with pytest.raises(UserError, match="JSON list"):
        read_file(b"{}", {})
