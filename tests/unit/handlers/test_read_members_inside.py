"""Small members are read right behind the document that they came out of, or are sent as they are."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.benches import Bench, handler, says

from redwell.core import wire
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Child, Contents, Lost, Opening, Options, Piece, Source, Text
from redwell.core.outcomes import Outcome
from redwell.handlers.host.frame_writer import Gone
from redwell.handlers.host.registry import Handler

MAIL = frozenset({"message/rfc822"})
PLAIN = frozenset({"text/plain"})
CSV = frozenset({"text/csv"})


def attached(name: str, data: bytes, **more: object) -> Child:
    return Child(locator=name, name=name, data=data, **more)  # type: ignore[arg-type]


def reader(*, types: frozenset[str] = PLAIN) -> Handler:
    def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
        yield Text(text=f"{options.name}: {source.path().read_text()}")

    return Handler(handler("reader", 50, says(), types=types).spec, lambda _: False, extract)


def bench(
    folder: Path, *pieces: Piece | Exception, readers: list[Handler] | None = None, quota: int = 16 << 20
) -> Bench:
    """A mail that gives these pieces, and handlers for what is attached to it."""
    mail = handler("mail", 50, says(*pieces), types=MAIL)
    return Bench(folder, [mail, *(readers or [reader(), reader(types=CSV)])], quota=quota)


def frames(made: Bench, *, inside: bool = True) -> list[wire.FromChild]:
    return made.work(b"From: a@b\nTo: c@d\nSubject: e\n\nwords", "a.eml", inside=inside)


def readings(sent: list[wire.FromChild]) -> list[wire.Done | None]:
    return [frame.reading for frame in sent if isinstance(frame, wire.Member)]


def test_members_come_with_what_a_task_of_their_own_would_give(tmp_path: Path) -> None:
    made = bench(
        tmp_path, Text(text="mail"), attached("notes on it.txt", b"one two"), attached("sums.csv", b"a,b\n1,2\n")
    )
    announced, *sent = frames(made)
    first, second, done = [frame for frame in sent if not isinstance(frame, wire.Inside)]  # a slow one is told again
    assert isinstance(announced, wire.Inside)
    assert isinstance(first, wire.Member)
    assert isinstance(second, wire.Member)
    assert made.bytes_of(first.data) == b"one two"
    assert [made.text(frame.reading) for frame in (first, second)] == ["document: one two", "document.csv: a,b\n1,2\n"]
    assert [frame.reading.media_type for frame in (first, second) if frame.reading] == ["text/plain", "text/csv"]
    assert made.text(done) == "mail"


def test_nothing_is_read_with_its_container_where_nobody_asks_for_it(tmp_path: Path) -> None:
    member, done = frames(bench(tmp_path, attached("a.txt", b"words")), inside=False)
    assert isinstance(member, wire.Member)
    assert member.reading is None
    assert isinstance(done, wire.Done)


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("size", [7, 300_000])
def test_what_is_made_before_members_come_lies_behind_them_as_the_parent_wants_it(
    size: int, inside: bool, tmp_path: Path
) -> None:
    """The cells of a spreadsheet are known before what is embedded in it is read."""
    cells = Artifact(kind=ArtifactKind.CELL_MAP, data=b"c" * size, media_type="application/json")
    sent = frames(bench(tmp_path, Text(text="sums"), cells, attached("a.txt", b"words")), inside=inside)
    members = [frame for frame in sent if isinstance(frame, wire.Member)]
    done = sent[-1]
    assert isinstance(done, wire.Done) and len(members) == 1
    read = members[0].reading.made if members[0].reading else []
    named = [members[0].data, *(made.data for made in read), *(made.data for made in done.made)]
    starts = [each.offset for each in named if each]
    assert len(starts) == len(named) == 3 + inside and starts == sorted(starts)
    assert [made.kind for made in done.made] == [ArtifactKind.CELL_MAP, ArtifactKind.TEXT]


def test_an_empty_member_is_empty(tmp_path: Path) -> None:
    [reading] = readings(frames(bench(tmp_path, attached("a.txt", b""))))
    assert reading
    assert (reading.outcome, reading.detail) == (Outcome.EMPTY, "no bytes")


@pytest.mark.parametrize(
    "member",
    [
        attached("a.zip", b"maybe a volume"),
        attached("", b"called as its container is"),
        attached("composed.txt", b"by a handler", hash_kind="synthetic"),
        attached("large.txt", b"x" * (2 << 20)),
    ],
    ids=lambda member: member.name,
)
def test_what_is_known_by_more_than_its_bytes_or_is_large_becomes_a_task(tmp_path: Path, member: Child) -> None:
    assert readings(frames(bench(tmp_path, member))) == [None]


def test_members_keep_their_order_when_one_among_them_can_not_be_held(tmp_path: Path) -> None:
    lost = Lost(locator="2", name="2", outcome=Outcome.INVALID_FILE, detail="broken")
    made = bench(tmp_path, attached("1.txt", b"one"), lost, attached("3.txt", b"three"))
    assert [frame.locator for frame in frames(made) if isinstance(frame, wire.Member)] == ["1.txt", "2", "3.txt"]


@pytest.mark.parametrize("at", [0, 1, 2])
def test_what_becomes_a_task_keeps_none_beside_it_from_being_read(at: int, tmp_path: Path) -> None:
    beside = [attached("1.txt", b"one"), attached("3.txt", b"three")]
    beside.insert(at, attached("2.zip", b"maybe a volume"))
    sent = [frame for frame in frames(bench(tmp_path, *beside)) if isinstance(frame, wire.Member)]
    assert [frame.locator for frame in sent] == [each.locator for each in beside]
    assert [frame.locator for frame in sent if frame.reading is None] == ["2.zip"]


def test_many_members_are_a_task_each(tmp_path: Path) -> None:
    many = [attached(f"{number}.txt", b"%d" % number) for number in range(33)]
    assert set(readings(frames(bench(tmp_path, *many)))) == {None}


def test_a_member_that_has_members_is_sent_as_it_is(tmp_path: Path) -> None:
    for number, piece in enumerate((Contents(declared=0), Opening(locator="1", name="x"), attached("x", b"x"))):
        (folder := tmp_path / str(number)).mkdir()
        inner = handler("inner", 90, says(Text(text="so far"), piece), types=PLAIN)
        assert readings(frames(bench(folder, attached("a.txt", b"words"), readers=[inner]))) == [None]


def test_the_same_bytes_are_read_once_by_a_child(tmp_path: Path) -> None:
    made = bench(tmp_path, attached("a.txt", b"a logo"), attached("b.txt", b"a logo"))
    first, second = readings(frames(made))
    assert first
    assert second is None


def test_members_are_not_announced_while_they_are_held_and_are_when_not(tmp_path: Path) -> None:
    """If the child dies, the next attempt tells of each."""
    pieces = Opening(locator="1", name="1"), attached("1", b"one")
    sent = frames(bench(tmp_path, *pieces), inside=True)
    assert [type(frame) for frame in sent] == [wire.Inside, wire.Member, wire.Done]
    (other := tmp_path / "other").mkdir()
    sent = frames(bench(other, *pieces), inside=False)
    assert [type(frame) for frame in sent] == [wire.Opened, wire.Member, wire.Done]


def test_after_a_member_that_took_all_memory_the_others_are_tasks_and_the_child_goes(tmp_path: Path) -> None:
    greedy = handler("greedy", 90, says(MemoryError()), types=PLAIN)  # type: ignore[arg-type]
    made = bench(
        tmp_path, attached("a.txt", b"words"), attached("b.csv", b"a,b\n"), readers=[greedy, reader(types=CSV)]
    )
    with pytest.raises(Gone):
        frames(made)
    assert readings(made.sent()) == [None, None]


def test_where_there_is_little_room_members_are_sent_as_they_are(tmp_path: Path) -> None:
    assert readings(frames(bench(tmp_path, attached("a.txt", b"words"), quota=1 << 20))) == [None]


def test_a_text_that_does_not_fit_beside_its_container_is_told_by_a_task_of_its_own(tmp_path: Path) -> None:
    long = handler("long", 50, says(Text(text="x" * (15 << 20))), types=PLAIN)
    made = bench(tmp_path, Text(text="y" * (1 << 20)), attached("a.txt", b"words"), readers=[long])
    sent = frames(made)
    assert readings(sent) == [None]
    assert len(made.text(sent[-1])) == 1 << 20


def test_an_error_of_the_system_while_a_member_is_read_is_not_its_containers(tmp_path: Path) -> None:
    untidy = handler("untidy", 50, says(OSError(24, "too many open files")), types=PLAIN)
    made = bench(tmp_path, Text(text="mail"), attached("a.txt", b"words"), readers=[untidy])
    done = frames(made)[-1]
    assert isinstance(done, wire.Done)
    assert (done.outcome, made.text(done)) == (Outcome.SUCCESS, "mail")


def test_the_parent_hears_that_members_are_being_read_and_of_them_when_all_are(tmp_path: Path) -> None:
    """What is recorded of a container whose child dies meanwhile would be half of its story."""

    def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
        time.sleep(0.25)
        yield Text(text="slow")

    slow = Handler(handler("slow", 50, says(), types=PLAIN).spec, lambda _: False, extract)
    sent = frames(bench(tmp_path, attached("a.txt", b"one"), attached("b.txt", b"two"), readers=[slow]))
    assert [type(frame) for frame in sent] == [wire.Inside, wire.Inside, wire.Member, wire.Member, wire.Done]


def test_what_a_member_left_in_the_scratch_folder_is_gone_before_the_next(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
        seen.append(os.listdir(scratch))
        (scratch / "left").write_bytes(b"over")
        yield Text(text="words")

    untidy = Handler(handler("untidy", 50, says(), types=PLAIN).spec, lambda _: False, extract)
    frames(bench(tmp_path, attached("a.txt", b"one"), attached("b.txt", b"two"), readers=[untidy]))
    assert seen == [[], []]
