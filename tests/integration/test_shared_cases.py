"""Cases that several homes know through the database (case_directory), and workers of a case in two of them."""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.case_homes import HOMES
from tests.support.cases import LETTER, NAME, PAIR, Driver, Item, imported
from tests.support.engine import PATIENCE_S, until

from redwell.adapters.s3.store import S3Blobs
from redwell.adapters.sql.job_tables import job
from redwell.adapters.sql.tables import metadata
from redwell.core.blobs import Location
from redwell.core.case.checkpoints import Checkpoint
from redwell.core.errors import KeptElsewhere, NotFound, Recoverable, UserError
from redwell.core.events.event import Filter
from redwell.core.events.joined import events_in
from redwell.core.jobs.job import NewJob
from redwell.core.names import quoted
from redwell.ports.messaging.queue import QueueSpec
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.cases.case_notes import keeper_of
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.services.open_services import open_services
from redwell.runtime.bootstrap.settings import Settings, load_settings
from redwell.runtime.monitor.publisher import Publisher
from redwell.runtime.monitor.teller import Teller
from redwell.runtime.upkeep.batches import begin, check_reach
from redwell.runtime.upkeep.gc import Presence, collect_garbage
from redwell.runtime.upkeep.reindex import reindex
from redwell.runtime.upkeep.verify import verify
from redwell.runtime.worker.other_workers import Heartbeat, OtherWorkers
from redwell.runtime.worker.storing import seen_storing

LARGE = Item("large.bin", b"large " * 100_000)


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    for key, value in {**HOMES["aws"](), "REDWELL_QUEUE": "ledger", "REDWELL_BUS": "sql"}.items():
        monkeypatch.setenv(key, value)
    return load_settings(["lease_s=2"])


@contextmanager
def cases(home: Path, settings: Settings) -> Iterator[Cases]:
    with closing(Cases(home, settings)) as opened:
        yield opened


@pytest.fixture
def kept(settings: Settings, tmp_path: Path) -> Iterator[Case]:
    with open_case(tmp_path / "a", NAME, settings, create=True) as case:
        case.announce()
        yield case


def test_another_home_finds_the_case_under_its_number_and_knows_who_keeps_it(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    with cases(tmp_path / "b", settings) as other:
        assert other.names() == [NAME]
        [marked] = other.marked_shared()
        assert (marked.number, marked.folder) == (kept.number, tmp_path / "b" / "cases" / str(kept.number))
    assert keeper_of(marked.folder) == machine_name()
    assert keeper_of(kept.folder) == ""
    assert (marked.folder / "blobs.json").read_text() == (kept.folder / "blobs.json").read_text()


def test_documents_of_a_case_are_the_same_from_another_home(kept: Case, settings: Settings, tmp_path: Path) -> None:
    imported(kept, [LETTER])
    with open_case(tmp_path / "b", NAME, settings, guest=True) as guest:
        assert list(guest.rows.exhibits()) == list(kept.rows.exhibits())
        assert not guest.is_kept_here
    with pytest.raises(UserError, match=f"is kept on {machine_name()}"):
        open_case(tmp_path / "b", NAME, settings, create=True)


def test_a_case_whose_bytes_are_in_a_folder_is_not_for_others(settings: Settings, tmp_path: Path) -> None:
    own = settings.with_overrides({"blobs": ""})
    with open_case(tmp_path / "a", NAME, own, create=True) as case:
        case.announce()
    with cases(tmp_path / "a", own) as first, cases(tmp_path / "b", own) as other:
        assert [marked.name for marked in first.marked_own()] == [NAME]
        assert (other.names(), other.marked_shared()) == ([], [])
        with pytest.raises(NotFound):
            other.folder_of(NAME)


def test_a_home_that_has_another_case_of_that_number_says_so_once_and_leaves_it(
    kept: Case, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_case(tmp_path / "b", "mine", settings.with_overrides({"database": "", "blobs": ""}), create=True):
        pass
    with cases(tmp_path / "b", settings) as other, caplog.at_level(logging.WARNING):
        assert [other.marked_shared() for _ in range(3)] == [[], [], []]
        assert other.names() == ["mine"]
        with pytest.raises(UserError, match="is another case in"):
            other.folder_of(NAME)
    assert len([line for line in caplog.messages if "is not served" in line]) == 1


def test_new_cases_of_two_homes_have_two_numbers(kept: Case, settings: Settings, tmp_path: Path) -> None:
    with open_case(tmp_path / "b", "another", settings, create=True) as case:
        assert case.number == kept.number + 1


def test_marks_are_taken_back_by_whoever_finds_no_job(kept: Case, settings: Settings, tmp_path: Path) -> None:
    with cases(tmp_path / "b", settings) as other, cases(tmp_path / "a", settings) as first:
        [marked] = other.marked_shared()
        other.unmark(marked)
        assert (first.marked_shared(), first.marked_own()) == ([], [])


def test_a_worker_in_another_home_of_this_machine_is_dead_only_after_its_lease(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    """Its lock is not in our folder, so a lock that is not there says nothing."""
    with open_case(tmp_path / "b", NAME, settings, guest=True) as guest:
        us, them = OtherWorkers(kept, "worker", 1), OtherWorkers(guest, "worker", 1)
        assert us.own.host != them.own.host
        us.beat()
        us.sweep()
        assert not us.alive(guest.worker)  # no row, no lock
        them.beat()
        assert us.alive(guest.worker)
        us.sweep()
        assert {row.id for row in kept.store.workers()} == {kept.worker, guest.worker}
        until(lambda: not us.alive(guest.worker))
        us.sweep()
        assert {row.id for row in kept.store.workers()} == {kept.worker}


def test_a_worker_from_before_a_restart_is_dead_at_once_where_the_case_has_one_folder(tmp_path: Path) -> None:
    with open_case(tmp_path, NAME, Settings(), create=True) as case:
        us = OtherWorkers(case, "worker", 1)
        case.store.beat(replace(us.own, id="before", host="this/other-boot"))
        us.beat()
        us.sweep()
        assert {row.id for row in case.store.workers()} == {case.worker}


@pytest.mark.requirement("A18")
def test_a18_who_listens_in_the_database_hears_of_a_case_of_any_home(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    with open_services(tmp_path / "b", settings) as services:
        listener = f"{settings.name_prefix}_listener"
        services.queue.create(QueueSpec(name=listener))
        services.bus.subscribe(listener, Filter())
        batch = imported(kept, [LETTER])
        with closing(Teller(kept.journal, Publisher(kept.journal, settings))) as teller:
            teller.tell()
        heard = [event for each in services.queue.receive(listener, 100) for event in events_in(each.body)]
    assert {(event.case_id, event.batch_id) for event in heard} == {(kept.number, batch)}


def test_what_a_worker_elsewhere_has_stored_and_not_yet_recorded_is_no_garbage(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    with open_case(tmp_path / "b", NAME, settings, guest=True) as guest:
        OtherWorkers(guest, "worker", 1).beat()
        Driver(guest).stored(LETTER)
        guest.blobs.sync()
        assert collect_garbage(kept, dry_run=True) == (0, 0)
        guest.store.remove_workers([guest.worker])
        assert collect_garbage(kept, dry_run=True) != (0, 0)


def test_what_an_overlay_elsewhere_has_stored_and_not_yet_recorded_is_no_garbage(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    with open_case(tmp_path / "b", NAME, settings, guest=True) as guest:
        with seen_storing(guest):
            Driver(guest).stored(LETTER)
            guest.blobs.sync()
            assert collect_garbage(kept, dry_run=True) == (0, 0)
        assert guest.store.workers() == []
        assert collect_garbage(kept, dry_run=True) != (0, 0)


def _orphan(case: Case) -> None:
    """A large file that no row points at; whoever stored it is gone."""
    Driver(case).stored(LARGE)
    case.blobs.sync()


def test_a_worker_elsewhere_that_begins_while_gc_deletes_waits_until_it_is_over(
    kept: Case, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would find the file there and use it."""
    _orphan(kept)
    deleting, go_on = threading.Event(), threading.Event()

    def remove(blobs: S3Blobs, orphan: str) -> None:
        deleting.set()
        assert go_on.wait(PATIENCE_S)
        blobs._objects.delete(orphan)

    monkeypatch.setattr(S3Blobs, "remove", remove)
    with open_case(tmp_path / "b", NAME, settings, guest=True) as guest, ThreadPoolExecutor() as threads:
        gc = threads.submit(collect_garbage, kept, dry_run=False)
        assert deleting.wait(PATIENCE_S)
        them = OtherWorkers(guest, "worker", 1)
        them.beat()
        waiting = threads.submit(them.wait_for_gc, threading.Event())
        with pytest.raises(TimeoutError):
            waiting.result(timeout=2 * settings.lease_s)  # it lives, and they know
        go_on.set()
        assert gc.result(PATIENCE_S)[0] == 1
        waiting.result(PATIENCE_S)
        assert {row.kind for row in guest.store.workers()} == {"worker"}
    assert collect_garbage(kept, dry_run=True) == (0, 0)


def test_a_gc_that_was_killed_keeps_workers_elsewhere_for_a_lease_and_no_longer(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    Presence(kept).beat()
    with open_case(tmp_path / "b", NAME, settings, guest=True) as guest:
        them = OtherWorkers(guest, "worker", 1)
        them.wait_for_gc(threading.Event())
        them.sweep()
        assert guest.store.workers() == []


@pytest.mark.parametrize("back", [True, False], ids=["and is there again", "and does not know it"])
def test_a_gc_that_others_took_for_dead_deletes_nothing_more(
    back: bool, kept: Case, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    _orphan(kept)
    blobs, beats = kept.rows.blobs, list[Callable[[], None]]()

    def frozen() -> Iterator[tuple[bytes, Location]]:
        yield from blobs()
        kept.store.remove_workers([kept.worker])
        for beat in beats if back else ():
            beat()

    with monkeypatch.context() as slow:
        slow.setattr(kept.rows, "blobs", frozen)
        slow.setattr(Heartbeat, "add", lambda _, beat: beats.append(beat))
        with pytest.raises(Recoverable, match="took this gc for dead"):
            collect_garbage(kept, dry_run=False)
    assert collect_garbage(kept, dry_run=True)[0] == 1


def test_a_case_whose_machine_is_gone_is_taken_over(kept: Case, settings: Settings, tmp_path: Path) -> None:
    imported(kept, [LETTER])
    with cases(tmp_path / "b", settings) as other:
        other.take_over(NAME)
    with open_case(tmp_path / "b", NAME, settings) as case:
        reindex(case, lambda _: None)
        assert list(verify(case)) == []


def _taken_over(home: Path, settings: Settings) -> None:
    with cases(home, settings) as there:
        there.take_over(NAME)


def _rows(case: Case) -> dict[str, list[object]]:
    """All that its schema holds."""
    with case.store.database.read() as tx:  # type: ignore[attr-defined]  # behind the port
        return {table.name: sorted(map(repr, tx.execute(table.select()))) for table in metadata.sorted_tables}


def test_a_keeper_that_comes_back_after_its_case_was_taken_over_writes_nothing(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    batch = imported(kept, [LETTER, PAIR])
    _taken_over(tmp_path / "b", settings)
    before, store = _rows(kept), kept.store
    for write in (
        store.begin_loading,
        lambda: store.load_again(Checkpoint.INDEX),
        lambda: store.take_to_load(5),
        lambda: store.loaded([1]),
        lambda: store.settle_some(None),
        lambda: kept.journal.log.tell_up_to("bus", 1),
        lambda: store.claim_reads(batch, 5),
        lambda: imported(kept, [LETTER]),
        OtherWorkers(kept, "worker", 1).beat,
    ):
        with pytest.raises(KeptElsewhere, match=f"{NAME}' is kept on {machine_name()} now"):
            write()
    assert _rows(kept) == before


def test_a_keeper_of_before_is_like_any_other_machine_when_it_opens_the_case_again(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    imported(kept, [LETTER])
    _taken_over(tmp_path / "b", settings)
    with pytest.raises(UserError, match=f"is kept on {machine_name()}, which has its index"):
        open_case(tmp_path / "a", NAME, settings)
    with open_case(tmp_path / "a", NAME, settings, guest=True) as guest:
        assert not guest.is_kept_here
        OtherWorkers(guest, "worker", 1).beat()  # it may work on documents
    assert keeper_of(kept.folder) == machine_name()


def test_a_case_that_is_taken_back_is_kept_by_the_last_one_who_took_it(
    kept: Case, settings: Settings, tmp_path: Path
) -> None:
    _taken_over(tmp_path / "b", settings)
    with open_case(tmp_path / "b", NAME, settings) as other:
        _taken_over(tmp_path / "a", settings)
        with pytest.raises(KeptElsewhere):
            other.store.begin_loading()
        with pytest.raises(KeptElsewhere):
            kept.store.begin_loading()  # a process from before both
    with open_case(tmp_path / "a", NAME, settings) as again:
        imported(again, [LETTER])
    _taken_over(tmp_path / "a", settings)  # who has it need not take it
    with open_case(tmp_path / "a", NAME, settings) as again:
        reindex(again, lambda _: None)
        assert list(verify(again)) == []


def test_a_keeper_that_does_not_know_yet_does_not_tell_others_that_it_keeps_the_case(
    kept: Case, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there:
        there.setattr("socket.gethostname", lambda: "machine-b")
        _taken_over(tmp_path / "b", settings)
    kept.announce()
    with cases(tmp_path / "c", settings) as other:
        assert keeper_of(other.folder_of(NAME)) == "machine-b"


def test_a_batch_whose_sources_are_on_another_machine_is_not_read_here(kept: Case, tmp_path: Path) -> None:
    """A file that is not here is no file that is missing."""
    batch = begin(kept, [quoted(os.fsencode(tmp_path / "in"))], "files", None, NewJob())
    check_reach(kept, batch)
    kept.store.database.write(  # type: ignore[attr-defined]  # behind the port
        lambda tx: tx.execute(job.update().values(host="another"))
    )
    with pytest.raises(UserError, match="are on another: go on there"):
        check_reach(kept, batch)


@pytest.mark.requirement("F2")
def test_a_batch_is_gone_on_with_where_it_was_begun_whoever_keeps_the_case_now(
    kept: Case, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = begin(kept, [quoted(os.fsencode(tmp_path / "in"))], "files", None, NewJob())
    with monkeypatch.context() as there:
        there.setattr("socket.gethostname", lambda: "machine-b")
        _taken_over(tmp_path / "b", settings)
        elsewhere = open_case(tmp_path / "b", NAME, settings, guest=True)
        with elsewhere as case, pytest.raises(UserError, match="go on there"):
            check_reach(case, batch)
    with open_case(tmp_path / "a", NAME, settings, guest=True) as here:
        assert not here.is_kept_here
        check_reach(here, batch)
