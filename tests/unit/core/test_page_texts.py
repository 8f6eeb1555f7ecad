"""The text of a document is what was read, with what was recognised in the place of its page."""

from redwell.core.case.page_texts import joined_text


def test_recognised_words_stand_on_their_page() -> None:
    assert joined_text("one\n\f\n\fthree\n", {2: "two\n"}) == "one\n\ftwo\n\fthree\n"


def test_a_page_with_words_of_its_own_keeps_them_before_the_recognised_ones() -> None:
    assert joined_text("l?ne 1\n\fb\n", {1: "line 1\n"}) == "l?ne 1\nline 1\n\fb\n"


def test_where_the_reading_has_no_pages_the_recognised_ones_follow_it_in_order() -> None:
    assert joined_text("a note\n", {2: "second", 1: "first"}) == "a note\n\ffirst\fsecond"
    assert joined_text("", {1: "a", 2: "b"}) == "a\fb"
    assert joined_text("", {1: "a"}) == "a"


def test_pages_that_the_reading_does_not_have_follow_it() -> None:
    assert joined_text("a\fb", {3: "c"}) == "a\fb\fc"


def test_without_recognition_the_text_is_as_it_was_read() -> None:
    assert joined_text("a\f\fb", {}) == "a\f\fb"


def test_words_in_the_place_of_junk_stand_alone() -> None:
    assert joined_text("jnk\n\fb\n", {1: "line 1\n"}, {1}) == "line 1\n\fb\n"
