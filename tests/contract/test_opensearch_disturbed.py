"""Documents on their way to a real OpenSearch node, through a proxy that refuses, delays, cuts and takes only some."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.support import opensearch
from tests.support.faulty_http import BUSY, CUT, LATE, LOST, PARTLY, FaultyProxy
from tests.support.search_indexes import ask

from redwell.adapters.opensearch.client import Client
from redwell.adapters.opensearch.index import OpenSearchIndex
from redwell.core.errors import Permanent, Recoverable
from redwell.core.ids import uuid7
from redwell.ports.search_index import Entry

COUNT = 60


@pytest.fixture
def proxy() -> Iterator[FaultyProxy]:
    with FaultyProxy(int(opensearch.url().rpartition(":")[2])) as opened:
        yield opened


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def index(proxy: FaultyProxy, waits: list[float]) -> Iterator[OpenSearchIndex]:
    made = OpenSearchIndex(Client(proxy.url, waits.append), "test", uuid7().hex, lambda _: ())
    with closing(made):
        yield made
        proxy.faults.clear()
        made.forget()


def fill(index: OpenSearchIndex, count: int = COUNT) -> None:
    index.replace(Entry(exhibit=n, digest=f"d{n}", text=f"word n{n}") for n in range(count))
    index.commit()


def complete(index: OpenSearchIndex, count: int = COUNT) -> bool:
    return list(index.entries()) == [(n, f"d{n}") for n in range(count)] and ask(index, "word").total == count


@pytest.mark.requirement("D8")
def test_documents_travel_fifty_at_once(proxy: FaultyProxy, index: OpenSearchIndex, waits: list[float]) -> None:
    fill(index, 120)
    assert complete(index, 120)
    assert (proxy.sent, waits) == ([50, 50, 20], [])


@pytest.mark.requirement("D8")
@pytest.mark.parametrize(
    ("faults", "sent", "waited"),
    [
        ([BUSY], [50, 50, 10], [2]),
        ([LOST], [50, 50, 10], [2]),
        ([LATE], [50, 10], []),  # all had arrived: nothing is sent twice
        ([CUT], [50, 10], []),
        ([PARTLY], [50, 25, 10], [2]),
        ([BUSY, BUSY, LATE], [50, 50, 50, 10], [2, 4]),
        ([PARTLY, LOST], [50, 25, 25, 10], [2, 4]),
        ([BUSY] * 3, [50] * 3 + [1] * 50 + [10], [2, 4, 8]),
        ([PARTLY] * 3, [50, 25, 12] + [1] * 6 + [10], [2, 4, 8]),
    ],
)
def test_whatever_befalls_them_each_document_is_there_once(
    proxy: FaultyProxy,
    index: OpenSearchIndex,
    waits: list[float],
    faults: list[str],
    sent: list[int],
    waited: list[float],
) -> None:
    fill(index, 0)
    proxy.faults += faults
    fill(index)
    assert complete(index)
    assert (proxy.sent, waits) == (sent, waited)


@pytest.mark.requirement("D8")
def test_an_index_that_takes_nothing_is_asked_again_later(proxy: FaultyProxy, index: OpenSearchIndex) -> None:
    proxy.faults += [BUSY] * 6
    with pytest.raises(Recoverable, match="did not take exhibit 0"):
        fill(index)
    fill(index)
    assert complete(index)


def test_a_cluster_that_is_away_is_recoverable(waits: list[float]) -> None:
    away = OpenSearchIndex(Client("http://127.0.0.1:9", waits.append), "test", "c", lambda _: ())
    with closing(away), pytest.raises(Recoverable, match="did not answer"):
        ask(away, "word")
    assert waits == [2, 4, 8]


def test_what_the_cluster_refuses_for_good_names_the_exhibit(index: OpenSearchIndex) -> None:
    with pytest.raises(Permanent, match="refused exhibit 7"):
        index.replace([Entry(exhibit=7, digest="", text="", fields={"size": 2**70})])
        index.commit()


def test_the_next_version_of_a_document_is_sent_although_one_is_there(
    proxy: FaultyProxy, index: OpenSearchIndex
) -> None:
    fill(index)
    proxy.faults.append(LATE)
    index.replace([Entry(exhibit=3, digest="new", text="other")])
    index.commit()
    assert dict(index.entries())[3] == "new"
    assert ask(index, "word").total == COUNT - 1
