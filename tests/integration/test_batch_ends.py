"""The end of a batch in chunks, with its queue: taken as they are heard, polled where nobody hears, named, gone on."""

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from tests.support.cases import NAME
from tests.support.product import ask

from redwell.adapters.sql.case_tables import exhibit
from redwell.core.case.checkpoints import LOADED
from redwell.core.events.event import EventType
from redwell.core.jobs.batch_end import BatchChunk
from redwell.core.jobs.loader_life import Life, Phase
from redwell.core.work.polling import Pace
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.settings import load_settings

SETTINGS = load_settings(["queue=sql", "delay_percent=0"], environ={})
MEMBERS = 150
CHUNKS = (BatchChunk(3, 103), BatchChunk(103, 153))


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One mail with so many attachments, through queues."""
    mail, folder = EmailMessage(), tmp_path_factory.mktemp("in")
    mail["From"], mail["Date"], mail["Subject"] = "ann@example.com", "Fri, 17 May 2024 09:30:00 +0000", "many"
    mail.set_content("coating")
    for number in range(MEMBERS):
        mail.add_attachment(f"sheet {number}", filename=f"{number:03d}.txt")
    (folder / "many.eml").write_bytes(mail.as_bytes())
    home = tmp_path_factory.mktemp("home")
    run = ask(home, "import", str(folder), "--case", NAME, "--set", "queue=sql", "--set", "delay_percent=0")
    assert run.returncode == 0, run.stderr
    return home


@pytest.fixture
def case(imported: Path) -> Iterator[Case]:
    with open_case(imported, NAME, SETTINGS) as opened:
        yield opened


def rows(case: Case, kind: EventType) -> list[dict[str, Any]]:
    return [dict(row.packed.detail) for row in case.journal.log.rows() if row.type is kind]


@pytest.mark.requirement("D10", "D11", "C1")
def test_d11_families_are_told_by_the_hundred_between_the_start_and_the_end_of_the_batchs_end(case: Case) -> None:
    kinds = [row.type for row in case.journal.log.rows()]
    told = rows(case, EventType.BATCH_DOCUMENT_RELATIONS)
    assert [(each["startId"], each["endId"]) for each in told] == [each[:2] for each in CHUNKS]
    start, end = kinds.index(EventType.BATCH_END_START), kinds.index(EventType.BATCH_END_FINISHED)
    assert start < kinds.index(EventType.BATCH_DOCUMENT_RELATIONS) < end < kinds.index(EventType.LOADER_FINISHED)
    assert not rows(case, EventType.WARNING) and case.store.loaders()[1].phase is Phase.COMPLETE


def at_its_end(case: Case) -> None:
    """As it was when the last document was loaded."""
    from redwell.adapters.sql_jobs import loaders
    from redwell.core.jobs.loader_life import Fact

    def work(tx: Any) -> None:
        life = loaders.of(tx, 1)
        loaders.keep(tx, 1, Life(phase=Phase.ENDING, job=life.job, queue="q", attempt=life.attempt))
        loaders.say(tx, Fact.ALL_LOADED, 1, life.job)

    case.store.database.write(work)


def unload(case: Case, key: int, reached: int) -> None:
    case.store.database.write(
        lambda tx: tx.execute(update(exhibit).where(exhibit.c.id == key).values(checkpoint=reached))
    )


@pytest.mark.requirement("C5", "D7")
def test_d7_what_is_heard_is_taken_once_and_the_batch_has_ended_with_the_last_chunk(case: Case) -> None:
    at_its_end(case)
    assert case.store.loaders()[1].end.open == CHUNKS
    for _ in range(2):  # a message may come twice
        assert case.store.take_chunks(1, CHUNKS[:1]) == {}
        assert case.store.loaders()[1].end.open == CHUNKS[1:]
    finished = len(rows(case, EventType.BATCH_END_FINISHED))
    case.store.take_chunks(1, CHUNKS)
    assert case.store.loaders()[1].phase is Phase.ENDED
    assert len(rows(case, EventType.BATCH_END_FINISHED)) == finished + 1
    assert case.store.take_chunks(1, CHUNKS) == {}  # too late, which is no matter


@pytest.mark.requirement("C3", "C6")
def test_c6_what_nobody_hears_of_is_looked_at_by_the_poll_and_what_stays_short_is_named_and_gone_on_without(
    case: Case,
) -> None:
    at_its_end(case)
    unload(case, 110, LOADED - 1)
    try:
        [(chunk, names)] = case.store.take_chunks(1, CHUNKS).items()
        assert chunk == CHUNKS[1] and len(names) == 1
        before = len(rows(case, EventType.WARNING))
        pace = Pace(stalls=3)  # as `poll_stalls` has it
        for poll in range(pace.stalls + 1):
            assert case.store.loaders()[1].phase is Phase.CHECKING, poll
            case.store.poll_batch_end(1, 0, pace)
        assert case.store.loaders()[1].phase is Phase.ENDED
        [warning] = rows(case, EventType.WARNING)[before:]
        assert warning["incomplete"] == names and warning["left"] == 1
    finally:
        unload(case, 110, LOADED)
    at_its_end(case)
    for _ in range(2):  # a look, and a stall: nothing is missing
        case.store.poll_batch_end(1, 0)
    assert case.store.loaders()[1].phase is Phase.ENDED
