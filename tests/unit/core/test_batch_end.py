"""The chunks in which the end of a batch is looked through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.errors import Permanent
from redwell.core.events.event import EventType
from redwell.core.jobs.batch_end import BatchChunk, BatchEnd, chunks_of, told
from redwell.core.work.message_ranges import MOST
from redwell.core.work.page_ranges import PageRange


@pytest.mark.requirement("C1", "D10")
def test_d10_members_and_pages_travel_by_the_hundred_and_short_documents_do_not() -> None:
    pages = [(7, PageRange(101, 150)), (7, PageRange(1, 100)), (9, PageRange()), (7, PageRange(1, 100))]
    families, first, second = chunks_of([3, 4, 8], pages)
    assert (families.kind, families.start, families.end) == (EventType.BATCH_DOCUMENT_RELATIONS, 3, 9)
    assert [first, second] == [BatchChunk(1, 101, 7), BatchChunk(101, 151, 7)]
    assert first.kind is EventType.BATCH_ATTACHMENTS
    assert [told(each.detail) for each in (families, first, second)] == [families, first, second]


def test_an_event_that_speaks_of_no_chunk_is_refused() -> None:
    with pytest.raises(Permanent):
        told({"outcome": "SUCCESS"})


@pytest.mark.requirement("C3")
def test_c3_pages_rise_to_what_was_asked_for_and_families_fall_to_nothing() -> None:
    assert not BatchChunk(1, 101, 7).is_complete(99) and BatchChunk(1, 101, 7).is_complete(100)
    assert not BatchChunk(1, 101).is_complete(1) and BatchChunk(1, 101).is_complete(0)


@pytest.mark.requirement("C2")
@given(st.integers(0, 3 * MOST))
def test_c2_a_thousand_chunks_leave_at_most_and_the_rest_follows_and_none_is_dropped(count: int) -> None:
    chunks = [BatchChunk(n, n + 1) for n in range(1, count + 1)]
    end, seen = BatchEnd().following(chunks), list[BatchChunk]()
    while end.open:
        assert len(end.open) <= MOST and end.left == count - len(seen)
        seen += end.open
        end = end.without(end.open).following(chunks)
    assert seen == chunks and end.left == 0
