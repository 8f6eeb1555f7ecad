"""How finished a case is, in words."""

import pytest

from redwell.core.case.completeness import Completeness, OpenBatch
from redwell.core.jobs.job import STOPPED


def _batch(state: str = "running", documents: int = 0, sources: int = 0) -> OpenBatch:
    return OpenBatch(batch=1, state=state, open=documents, sources=sources)


def test_a_batch_of_which_only_pages_are_being_made_is_no_part_of_an_answer() -> None:
    standing = Completeness(searchable=7, batches=(_batch(),))
    assert (standing.is_read, standing.is_complete) == (True, False)
    assert list(standing.in_words("c")) == ["batch 1 is read; recognition, PDFs or pages of it are being made"]


@pytest.mark.parametrize(
    ("batch", "unindexed"),
    [
        (_batch(documents=1), 0),
        (_batch(sources=1), 0),
        (_batch(state=STOPPED), 0),
        (_batch(state="queued"), 0),
        (_batch(), 1),
    ],
)
def test_whatever_is_open_unread_or_waits_for_the_index_makes_it_a_part(batch: OpenBatch, unindexed: int) -> None:
    standing = Completeness(searchable=7, unindexed=unindexed, batches=(batch,))
    assert not standing.is_read
    assert next(standing.in_words("c")).startswith("this is a part: 7 documents are searchable")
