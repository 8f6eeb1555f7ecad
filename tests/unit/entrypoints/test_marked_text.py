"""The list of hits beside a document."""

from redwell.entrypoints.web.marked_text import MOST_LINES, Mark, hit_lines, hits_by_colour, pieces


def test_each_hit_is_a_line_with_what_stands_around_it_and_which_one_of_its_colour_it_is() -> None:
    text = "The coating\n of the flange and the coating of the valve"
    marked = [Mark(start=4, end=11, colour="a"), Mark(start=20, end=26, colour="b"), Mark(start=35, end=42, colour="a")]
    shown = list(pieces(text, marked))
    lines = hit_lines(shown)
    assert [(line.hit.text, line.hit.number, line.nth) for line in lines] == [
        ("coating", 1, 0),
        ("flange", 2, 0),
        ("coating", 3, 1),
    ]
    assert (lines[0].before, lines[0].after) == ("The", "of the")
    assert hits_by_colour(shown) == {"a": 2, "b": 1}


def test_a_document_of_a_thousand_hits_lists_the_first_and_counts_all() -> None:
    shown = list(pieces("x " * 1_000, [Mark(start=2 * n, end=2 * n + 1, colour="a") for n in range(1_000)]))
    assert len(hit_lines(shown)) == MOST_LINES and hits_by_colour(shown) == {"a": 1_000}
