"""What a broken handler does costs one document one named outcome, and leaves nothing behind.

The `folder` fixture sees to the last part in every test here.
"""

import random
from pathlib import Path

import pytest
from tests.support import children
from tests.support.children import AFTER, BEFORE, HASTY, between, config, write_tasks

from redwell.core.errors import UserError
from redwell.core.work.lanes import Lane
from redwell.processing.children.pool import Pool
from redwell.processing.results import Finished

pytestmark = pytest.mark.requirement("A20", "D2")


@pytest.mark.parametrize(
    ("fault", "outcome", "detail"),
    [
        ("eat_memory", "OUT_OF_MEMORY", "setting small_rss_mb"),
        ("eat_address_space", "OUT_OF_MEMORY", "address space"),
        ("segfault", "CRASHED", "killed by SIGSEGV"),
        ("abort", "CRASHED", "killed by SIGABRT"),
        ("exit_at_once 0", "CRASHED", "exit code 0"),
        ("exit_at_once 75", "CRASHED", "exit code 75"),
        ("exit_at_once 76", "CRASHED", "exit code 76"),
        ("close_the_pipe", "CRASHED", "could not write what it found"),
        ("write_junk_to_the_pipe", "CRASHED", "broke protocol"),
        ("announce_a_giant_frame", "CRASHED", "broke protocol: a frame of 2147483647 bytes"),
        ("finish_another_document 2", "CRASHED", "broke protocol: a frame for task 2"),
        ("finish_another_document 77", "CRASHED", "broke protocol: a frame for task 77"),
        ("name_bytes_that_are_not_there 1", "CRASHED", "broke protocol: a slice ends"),
        ("leave_a_maze_and_die", "CRASHED", "exit code 3"),
    ],
)
def test_a_fault_costs_only_its_own_document(folder: Path, fault: str, outcome: str, detail: str) -> None:
    end = between(folder, fault).ends[1]
    assert end.outcome == outcome
    assert detail in end.detail


@pytest.mark.parametrize("fault", ["hang_in_c", "hang_in_a_regex", "exit_at_once 74", "close_the_pipe_and_hang"])
def test_a_document_that_does_not_come_to_an_end_is_timed_out(folder: Path, fault: str) -> None:
    """74 asks for a fresh host, which knows nothing of the document."""
    end = between(folder, fault, small=HASTY).ends[1]
    assert (end.outcome, end.detail) == ("TIMED_OUT", "over 2 s (setting small_wall_s)")


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        ("exit_politely", "faulty: SystemExit"),
        ("panic", "faulty: PanicException: called `Option::unwrap()`"),
        ("fill_one_file", "File too large"),
    ],
)
def test_an_error_of_the_handler_is_named_and_keeps_the_child(folder: Path, fault: str, detail: str) -> None:
    run = between(folder, fault)
    assert run.ends[1].outcome == "INVALID_FILE"
    assert detail in run.ends[1].detail
    assert run.ends[1].problems[0].startswith("HANDLER_ERROR faulty: ")
    assert run.returned == 0


def test_frames_without_end_are_a_breach(folder: Path) -> None:
    end = between(folder, "send_frames_without_end 1", options={"max_members": 1_000}).ends[1]
    assert (end.outcome, end.detail) == ("CRASHED", "broke protocol: over 3000 frames for one document")


def test_temporary_files_without_end_are_stopped(folder: Path) -> None:
    end = between(folder, "fill_many_files").ends[1]
    assert (end.outcome, end.detail) == ("CRASHED", "over 8 MB of temporary files (setting spool_mb)")


def test_ten_gigabytes_on_stdout_and_stderr_change_nothing(folder: Path) -> None:
    run = between(folder, "print_ten_gigabytes")
    assert (run.ends[1].outcome, run.ends[1].text) == ("SUCCESS", "after print_ten_gigabytes")


def test_a_document_that_fills_the_spool_keeps_what_fitted(folder: Path) -> None:
    run = between(folder, "fill_the_spool")
    assert run.ends[1].outcome == "PARTIAL"
    assert "LIMIT_REACHED over 8 MB came out of this document (setting spool_mb)" in run.ends[1].problems
    assert [data for _, data in run.members[1]] == [bytes(1 << 20)] * 8


def test_two_documents_of_a_message_may_both_fill_the_spool(folder: Path) -> None:
    tasks = write_tasks(folder, ["FAULT fill_the_spool", "FAULT fill_the_spool", "FAULT fill_the_spool", AFTER])
    run = children.run(tasks, config(folder))
    assert [run.ends[n].outcome for n in range(4)] == ["PARTIAL"] * 3 + ["SUCCESS"]
    assert [len(run.members[n]) for n in range(3)] == [8, 8, 8]


def test_members_come_out_byte_for_byte(folder: Path) -> None:
    run = children.run(write_tasks(folder, [BEFORE, "FAULT give_members 60 7", AFTER]), config(folder, spool_mb=64))
    chance = random.Random(7)
    expected = [chance.randbytes(chance.choice((0, 1, 70, 5_000, 300_000))) for _ in range(60)]
    *given, lost, skipped = run.members[1]
    assert [data for _, data in given] == expected
    assert [member.locator for member, _ in given] == [str(number) for number in range(60)]
    assert [member.role for member, _ in given[:2]] == ["attachment", "member"]
    assert (lost[0].outcome, lost[0].detail, lost[1]) == ("INVALID_FILE", "torn", None)
    assert (skipped[0].outcome, skipped[0].detail, skipped[1]) == (None, "folder", None)
    end = run.ends[1]
    assert (end.outcome, end.container, end.declared) == ("SUCCESS", True, 60)
    assert end.text == "".join(f"{number} " for number in range(60)) + "after give_members"


def test_large_artifacts_ahead_of_members_keep_to_the_protocol(folder: Path) -> None:
    run = between(folder, "make_much_ahead_of_members", spool_mb=32)
    assert (run.ends[1].outcome, run.ends[1].text) == ("SUCCESS", "after make_much_ahead_of_members")
    assert [data for _, data in run.members[1]] == [b"member"]
    assert run.pdfs[1] == b"f" * (5 << 20)


def test_the_member_that_killed_the_child_is_named(folder: Path) -> None:
    run = between(folder, "hang_in_the_third_member", small=HASTY)
    assert (run.ends[1].outcome, run.ends[1].opened) == ("TIMED_OUT", ("c", "c.txt"))
    assert [(member.locator, data) for member, data in run.members[1]] == [("a", b"a"), ("b", b"b")]


@pytest.mark.parametrize(
    ("fault", "outcome", "problem"),
    [
        ("reach_a_limit", "PARTIAL", "LIMIT_REACHED max_total_mb"),
        ("need_a_password", "PASSWORD_PROTECTED", None),
        ("break_after_text", "PARTIAL", "HANDLER_ERROR faulty: RuntimeError: lost the thread"),
    ],
)
def test_what_came_out_before_an_error_is_kept(folder: Path, fault: str, outcome: str, problem: str | None) -> None:
    run = between(folder, fault)
    assert run.ends[1].outcome == outcome
    assert run.ends[1].problems == ([problem] if problem else [])
    assert run.ends[1].text or run.members[1]


def test_values_that_fit_nowhere_are_made_to_fit(folder: Path) -> None:
    end = between(folder, "give_awkward_values").ends[1]
    assert end.outcome == "SUCCESS"
    assert end.text == "lone \ufffd surrogateafter give_awkward_values"
    assert end.metadata["nul"] == "a\ufffdb"
    assert end.metadata["half"] == "\ufffd"
    assert end.metadata["giant"] == "x" * 65_536
    assert (end.metadata["big"], end.metadata["nan"], end.metadata["fine"]) == (str(1 << 70), "nan", 3)
    assert "many" not in end.metadata
    assert end.problems == ["METADATA_UNAVAILABLE 1 fields are over the size limit"]


def test_long_text_is_one_run_though_members_come_in_between(folder: Path) -> None:
    run = between(folder, "give_long_text", spool_mb=64)
    assert run.ends[1].text == "".join(f"{n % 10}" * (1 << 20) for n in range(12)) + "after give_long_text"
    assert [data for _, data in run.members[1]] == [b"member"] * 12


def test_text_over_the_limit_is_cut_and_said_so(folder: Path) -> None:
    end = between(folder, "give_long_text", options={"max_text_chars": 1_500_000}).ends[1]
    assert (end.outcome, len(end.text)) == ("PARTIAL", 1_500_000)
    assert end.problems == ["LIMIT_REACHED text ends after 1500000 characters (max_text_chars)"]


def test_a_thousand_small_documents_go_through_two_children_once_each(folder: Path) -> None:
    """Each host takes no more than its life of 150 and the message that ends it."""
    tasks = write_tasks(folder, ["FAULT count_documents"] * 1_000)
    messages = [tasks[start : start + 50] for start in range(0, 1_000, 50)]
    seen: list[int] = []
    counts: list[int] = []
    with Pool(config(folder, life=150), 2) as pool:
        while len(seen) < 1_000:
            while messages and pool.free():
                pool.submit(messages.pop(), Lane.SMALL)
            for event in pool.wait(5):
                assert isinstance(event, Finished)
                assert event.made[0].read() == b"after count_documents"
                seen.append(event.task)
                counts.append(event.done.metadata["documents"])
        assert len(pool.status()) == 2
    assert sorted(seen) == list(range(1_000))
    assert max(counts) == 150


def test_bytes_of_an_event_can_not_be_read_after_the_next_wait(folder: Path) -> None:
    with Pool(config(folder), 1) as pool:
        pool.submit(write_tasks(folder, [BEFORE]), Lane.SMALL)
        while not (events := pool.wait(5)):
            pass
        [text] = events[0].made
        assert text.read() == b"before"
        pool.wait(0)
        with pytest.raises(RuntimeError, match="valid until the next wait"):
            text.read()


def test_the_status_says_what_each_child_is_on(folder: Path) -> None:
    with Pool(config(folder), 2) as pool:
        pool.hello()
        pool.submit(write_tasks(folder, ["FAULT hang_in_c"]), Lane.LARGE)
        assert [(status.lane, status.task, status.name) for status in pool.status()] == [("large", 0, "a.txt")]
        assert pool.free() == 2  # nothing waits behind a large document


def test_children_that_can_not_start_end_the_run_with_their_last_words(folder: Path) -> None:
    with (
        Pool(config(folder, handlers=("no_such_handler",)), 1) as pool,
        pytest.raises(UserError, match="no_such_handler"),
    ):
        pool.hello()
