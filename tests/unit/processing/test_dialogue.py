"""The parent believes a child nothing that the protocol does not allow it to say now."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redwell.core import wire
from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Outcome
from redwell.core.work.lanes import Lane
from redwell.processing.children import spool
from redwell.processing.children.dialogue import Breach, Dialogue
from redwell.processing.children.spool import Spool, SpoolCut
from redwell.processing.results import Event, Finished, Left, MemberFound

HELLO = wire.Hello(layers={})
INSIDE = wire.Inside(task=1)


@pytest.fixture
def spools(tmp_path: Path) -> Iterator[list[Spool]]:
    made = [Spool(tmp_path), Spool(tmp_path)]
    yield made
    for each in made:
        os.close(each.child_fd)
        each.close()


@pytest.fixture
def dialogue(spools: list[Spool]) -> Dialogue:
    """Tasks 1 and 2 in a first message, 3 in a second; of the first, members may be read too."""
    begun = Dialogue(spools, max_members=100)
    for ids in ((1, 2), (3,)):
        tasks = [wire.Task(id=number, path="", offset=0, length=1, name="", inside=number == 1) for number in ids]
        begun.add(tasks, Lane.SMALL, now=0)
    return begun


def say(dialogue: Dialogue, *frames: wire.FromChild, now: float = 1) -> list[Event]:
    return list(dialogue.receive(b"".join(map(wire.encode, frames)), now))


def text(offset: int, length: int) -> wire.Made:
    return wire.Made(kind=ArtifactKind.TEXT, data=wire.Slice(offset=offset, length=length))


def done(task: int, **fields: object) -> wire.Done:
    return wire.Done(task=task, outcome=Outcome.SUCCESS, **fields)  # type: ignore[arg-type]


def member(offset: int, length: int, **fields: object) -> wire.Member:
    return wire.Member(task=1, locator="m", name="m", data=wire.Slice(offset=offset, length=length), **fields)  # type: ignore[arg-type]


def test_documents_are_done_in_order_and_each_clock_starts_when_the_last_one_stops(dialogue: Dialogue) -> None:
    say(dialogue, HELLO, now=5)
    assert dialogue.since == 5
    assert [event.task for event in say(dialogue, done(1), now=7) if isinstance(event, Finished)] == [1]
    assert (dialogue.since, dialogue.current.id, dialogue.left()) == (7, 2, [2, 3])
    say(dialogue, done(2), done(3), now=9)
    assert dialogue.current is None


def test_a_spool_is_used_again_only_after_its_release(dialogue: Dialogue) -> None:
    say(dialogue, HELLO, done(1), done(2))
    assert dialogue.room == 0
    assert dialogue.release()
    assert dialogue.room == 1


def test_an_announced_member_is_remembered_until_it_comes(dialogue: Dialogue, spools: list[Spool]) -> None:
    os.write(spools[0].child_fd, b"bytes")
    say(dialogue, HELLO, wire.Opened(task=1, locator="m", name="n"))
    assert dialogue.opened == ("m", "n")
    (event,) = say(dialogue, member(0, 5))
    assert isinstance(event, MemberFound)
    assert event.data is not None
    assert event.data.read() == b"bytes"
    assert dialogue.opened is None


@pytest.mark.parametrize("told", [{"skip": ["m"]}, {"after": "m"}])
def test_a_member_that_is_settled_already_is_not_blamed_again(spools: list[Spool], told: dict[str, Any]) -> None:
    """Or a handler that does not do as it is told would be tried for ever."""
    begun = Dialogue(spools, max_members=1)
    begun.add([wire.Task(id=1, path="", offset=0, length=1, name="", **told)], Lane.SMALL, now=0)
    say(begun, HELLO, wire.Opened(task=1, locator="m", name="n"))
    assert begun.opened is None


@pytest.mark.parametrize(
    ("frames", "reason"),
    [
        ([done(1)], "no hello"),
        ([HELLO, HELLO], "second hello"),
        ([HELLO, done(2)], "task 2, which is not its turn"),
        ([HELLO, done(1), done(1)], "task 1, which is not its turn"),
        ([HELLO, wire.Opened(task=9, locator="", name="")], "task 9"),
        ([HELLO, member(0, 11)], "a slice ends at 11, the spool at 10"),
        ([HELLO, member(-1, 5)], "before the end of the last one"),
        ([HELLO, member(0, -1)], "before the end of the last one"),
        ([HELLO, member(0, 5), member(4, 5)], "before the end of the last one"),
        ([HELLO, member(0, 5, outcome=Outcome.EMPTY)], "a member that can't be"),
        ([HELLO, member(0, 5, role="boss")], "a member that can't be"),
        ([HELLO, wire.Opened(task=1, locator="a\0b", name="")], "a NUL in a text"),
        ([HELLO, wire.Member(task=1, locator="", name="a\0b")], "a NUL in a text"),
        ([HELLO, done(1, detail="a\0b")], "a NUL in a text"),
        ([HELLO, done(1, pages=-1)], "a count that can't be"),
        ([HELLO, done(1, pages=1 << 60)], "a count that can't be"),
        ([HELLO, done(1), wire.Inside(task=2)], "members are read that nobody asked for"),
        ([HELLO, member(0, 5, reading=done(1))], "a member that can't have been read at once"),
        ([HELLO, INSIDE, member(0, 5, reading=done(1, container=True))], "a member that can't have been read at once"),
        ([HELLO, INSIDE, member(0, 5, reading=done(1, declared=1))], "a member that can't have been read at once"),
        ([HELLO, INSIDE, member(0, 5, reading=done(2))], "task 2, which is not its turn"),
        ([HELLO, INSIDE, member(0, 5, reading=done(1, pages=-1))], "a count that can't be"),
        (
            [HELLO, INSIDE, wire.Member(task=1, locator="m", name="m", reading=done(1))],
            "a member that can't have been read at once",
        ),
        (
            [HELLO, INSIDE, member(0, 5, reading=done(1, made=[text(4, 2)]))],
            "before the end of the last one",
        ),
        ([HELLO, *[wire.Opened(task=1, locator="", name="")] * 1_300], "over 1200 frames"),
    ],
)
def test_what_may_not_be_said_is_a_breach(
    dialogue: Dialogue, spools: list[Spool], frames: list[wire.FromChild], reason: str
) -> None:
    os.write(spools[0].child_fd, b"0123456789")
    with pytest.raises(Breach, match=reason):
        say(dialogue, *frames)
    assert say(dialogue, done(1)) == []  # nothing is heard after it


def test_a_member_comes_with_its_text_and_its_container_is_current_until_it_is_done(
    dialogue: Dialogue, spools: list[Spool]
) -> None:
    os.write(spools[0].child_fd, b"0123456789")
    say(dialogue, HELLO, INSIDE, now=3)
    assert (dialogue.inside, dialogue.since) == (True, 3)
    (event,) = say(dialogue, member(0, 4, reading=done(1, made=[text(4, 6)])), now=4)
    assert isinstance(event, MemberFound)
    assert event.data
    assert (event.data.read(), event.made[0].read(), dialogue.since) == (b"0123", b"456789", 4)
    say(dialogue, done(1))
    assert (dialogue.inside, dialogue.left()) == (False, [2, 3])


def test_a_frame_of_the_parents_kind_is_a_breach(dialogue: Dialogue) -> None:
    with pytest.raises(Breach):
        list(dialogue.receive(wire.encode(wire.Message(spool=0, tasks=[])), 1))


def test_bytes_taken_back_are_noticed_when_they_are_read(dialogue: Dialogue, spools: list[Spool]) -> None:
    os.write(spools[0].child_fd, b"0123456789")
    (event,) = say(dialogue, HELLO, member(0, 10))
    os.truncate(spools[0].child_fd, 4)
    assert isinstance(event, MemberFound)
    assert event.data is not None
    with pytest.raises(SpoolCut):
        event.data.read()


def test_bytes_written_after_others_were_read_are_read_as_they_are(dialogue: Dialogue, spools: list[Spool]) -> None:
    os.write(spools[0].child_fd, b"0123..")
    (first,) = say(dialogue, HELLO, member(0, 4))
    assert isinstance(first, MemberFound)
    assert first.data
    assert first.data.read() == b"0123"
    os.pwrite(spools[0].child_fd, b"456789", 4)
    events = say(dialogue, member(4, 3), member(7, 3))
    assert [e.data.read() for e in events if isinstance(e, MemberFound) and e.data] == [b"456", b"789"]


def test_nothing_waits_behind_a_large_document(spools: list[Spool]) -> None:
    begun = Dialogue(spools, max_members=1)
    begun.add([wire.Task(id=1, path="", offset=0, length=1, name="")], Lane.LARGE, now=0)
    assert begun.room == 0


def test_what_was_read_of_a_large_container_leaves_the_disk_while_it_is_still_unpacked(
    dialogue: Dialogue, spools: list[Spool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "_WORTH_FORGETTING", 1 << 16)
    os.pwrite(spools[0].child_fd, b"a" * (1 << 20) + b"b" * 5_000, 0)
    say(dialogue, HELLO, member(0, 1 << 20))
    before = os.fstat(spools[0].child_fd).st_blocks
    dialogue.release()
    assert os.fstat(spools[0].child_fd).st_blocks < before / 2
    assert os.fstat(spools[0].child_fd).st_size == (1 << 20) + 5_000
    [event] = say(dialogue, member(1 << 20, 5_000))
    assert isinstance(event, MemberFound) and event.data and event.data.read() == b"b" * 5_000


@pytest.mark.requirement("A9")
def test_a_container_may_be_left_only_where_that_was_asked_for(spools: list[Spool]) -> None:
    asked = Dialogue(spools, max_members=100)
    tasks = [
        wire.Task(id=id, path="", offset=0, length=1, name="", unpack=unpack) for id, unpack in ((1, False), (2, True))
    ]
    asked.add(tasks, Lane.SMALL, now=0)
    assert say(asked, HELLO, wire.Left(task=1)) == [Left(1)]
    with pytest.raises(Breach, match="to be unpacked"):
        say(asked, wire.Left(task=2))


def test_what_is_only_to_be_named_has_no_members(spools: list[Spool]) -> None:
    asked = Dialogue(spools, max_members=100)
    asked.add([wire.Task(id=1, path="", offset=0, length=1, name="", only_type=True)], Lane.SMALL, now=0)
    with pytest.raises(Breach, match="only to be named"):
        say(asked, HELLO, wire.Member(task=1, locator="m", name="m"))
