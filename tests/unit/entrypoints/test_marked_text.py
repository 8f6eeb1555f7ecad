"""The list of hits beside a document, and where they stand on its pages."""

from redwell.core.search.matches import Span
from redwell.core.search.query import Words
from redwell.entrypoints.web.marked_text import MOST_LINES, Mark, hit_lines, marks, pieces, places

COATING = Words(("coating",), "", column=1)


def mark(number: int, start: int, end: int) -> Mark:
    return Mark(number=number, start=start, end=end, colour="a")


def test_each_hit_is_a_line_with_what_stands_around_it() -> None:
    text = "The coating\n of the flange and the coating of the valve"
    lines = hit_lines(text, [mark(1, 4, 11), mark(2, 20, 26), mark(3, 35, 42)])
    assert [(line.text, line.hit.number) for line in lines] == [("coating", 1), ("flange", 2), ("coating", 3)]
    assert (lines[0].before, lines[0].after) == ("The", "of the flange and the coating of the v")


def test_a_document_of_a_thousand_hits_lists_the_first_and_marks_all() -> None:
    text = "x " * 1_000
    marked = [mark(n + 1, 2 * n, 2 * n + 1) for n in range(1_000)]
    assert len(hit_lines(text, marked)) == MOST_LINES
    assert sum(bool(piece.colour) for piece in pieces(text, marked)) == 1_000


def test_a_hit_knows_its_page_and_which_one_of_its_colour_it_is_there() -> None:
    spans = [Span(0, 7, 1, 1), Span(9, 16, 1, 1), Span(30, 37, 1, 2)]
    marked = marks(COATING, spans, [("b", [Span(20, 25, 10_001, 2)])])
    assert places(marked) == "1,a,0;1,a,1;2,set b,0;2,a,0"
    assert [each.number for each in marked] == [1, 2, 3, 4]


def test_of_hits_that_overlap_the_first_is_marked() -> None:
    marked = marks(COATING, [Span(0, 7, 1)], [("b", [Span(3, 9, 10_001)])])
    assert [(each.start, each.colour, each.page) for each in marked] == [(0, "a", 0)] and places(marked) == ""
