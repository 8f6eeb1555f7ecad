"""What the host makes of a task: which handler takes it, what happens when that fails, what the frames say."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.benches import PLAIN, Bench, Pieces, handler, says

from redwell.core import wire
from redwell.core.errors import InvalidFile, Restart, Unsupported
from redwell.core.handler import Child, HandlerSpec, Lost, Metadata, Options, Piece, ReadAs, Source, Text, Trouble
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.host import registry
from redwell.handlers.host.registry import Handler
from redwell.handlers.host.source import Incomplete, Opened, TaskSource

UNPACKING = ("redwell.handlers.mail.eml", "redwell.handlers.mail.mbox")
ENVELOPED = b"From ann@x Mon Jan  1 00:00:00 2024\nSubject: valves\n\nDear Ann\n"


def test_the_highest_score_takes_the_document_by_type_or_by_its_first_bytes(tmp_path: Path) -> None:
    bench = Bench(tmp_path, [
        handler("low", 10, says(Text(text="low")), types=PLAIN),
        handler("high", 90, says(Text(text="high")), mark=b"HIGH"),
    ])  # fmt: skip
    assert [bench.text(bench.work(data)[-1]) for data in (b"HIGH water", b"other water")] == ["high", "low"]


def test_a_handler_that_breaks_leaves_the_document_to_the_next(tmp_path: Path) -> None:
    bench = Bench(tmp_path, [
        handler("first", 90, says(Text(text="half"), KeyError("x")), types=PLAIN),
        handler("second", 10, says(Text(text="whole")), types=PLAIN),
    ])  # fmt: skip
    (done,) = bench.work(b"words")
    assert isinstance(done, wire.Done)
    assert (done.outcome, done.handler, bench.text(done)) == (Outcome.SUCCESS, "second/1", "whole")
    assert [(problem.code, problem.detail) for problem in done.problems] == [
        (Code.HANDLER_ERROR, "first: KeyError: 'x'")
    ]


def test_what_every_handler_broke_on_is_invalid_and_keeps_the_text_there_was(tmp_path: Path) -> None:
    broken = [
        handler("first", 90, says(Text(text="half"), KeyError("x")), types=PLAIN),
        handler("second", 10, says(ValueError("y")), types=PLAIN),
    ]
    bench = Bench(tmp_path, broken)
    (done,) = bench.work(b"words")
    assert (done.outcome, bench.text(done), len(done.problems)) == (Outcome.PARTIAL, "half", 2)


def test_an_error_that_names_a_place_in_memory_reads_the_same_every_time(tmp_path: Path) -> None:
    bench = Bench(tmp_path, [handler("first", 90, says(KeyError(object())), types=PLAIN)])
    (done,) = bench.work(b"words")
    assert isinstance(done, wire.Done)
    assert done.detail == done.problems[0].detail == "first: KeyError: <object object>"


def test_no_second_handler_runs_once_members_are_out(tmp_path: Path) -> None:
    bench = Bench(tmp_path, [
        handler("first", 90, says(Child(locator="1", name="m", data=b"m"), KeyError("x")), types=PLAIN),
        handler("second", 10, says(Text(text="whole")), types=PLAIN),
    ])  # fmt: skip
    member, done = bench.work(b"words")
    assert isinstance(member, wire.Member)
    assert (done.outcome, done.handler) == (Outcome.PARTIAL, "first/1")


@pytest.mark.parametrize(
    ("error", "outcome", "by"),
    [(Unsupported("not mine"), Outcome.SUCCESS, "second"), (InvalidFile("torn"), Outcome.INVALID_FILE, "first")],
)
def test_a_refusal_is_passed_on_and_a_damaged_file_is_not(
    tmp_path: Path, error: Exception, outcome: Outcome, by: str
) -> None:
    bench = Bench(tmp_path, [
        handler("first", 90, says(error), types=PLAIN),
        handler("second", 10, says(Text(text="whole")), types=PLAIN),
    ])  # fmt: skip
    (done,) = bench.work(b"words")
    assert (done.outcome, done.handler) == (outcome, f"{by}/1")


@pytest.mark.requirement("A11")
@pytest.mark.parametrize("inside", [False, True], ids=["sent", "held"])
def test_a_handler_that_begins_again_goes_on_behind_what_it_gave_and_loses_none_of_it(
    tmp_path: Path, inside: bool
) -> None:
    def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
        for number in range(int(options.after or -1) + 1, 5):
            if number == 3 and options.after is None:
                raise Restart("once more")
            yield Child(locator=str(number), name=f"{number}.txt", data=b"member")
        yield Text(text=f"behind {options.after}")

    spec = HandlerSpec(name="again", media_types=PLAIN, score=50)
    bench = Bench(tmp_path, [Handler(spec, lambda _: False, extract)])
    *members, done = [frame for frame in bench.work(b"words", inside=inside) if not isinstance(frame, wire.Inside)]
    assert [frame.locator for frame in members if isinstance(frame, wire.Member)] == ["0", "1", "2", "3", "4"]
    assert (done.outcome, bench.text(done)) == (Outcome.SUCCESS, "behind 2")


def test_a_document_no_handler_takes_is_unsupported_and_names_its_type(tmp_path: Path) -> None:
    (done,) = Bench(tmp_path, []).work(b"words")
    assert (done.outcome, done.detail) == (Outcome.UNSUPPORTED, "no handler for text/plain")


def wrapping(*, holds: str) -> Handler:
    """Finds what it says inside every text."""

    def pieces(source: Source) -> Iterator[Piece]:
        yield Metadata(values={"encrypted": True})
        yield ReadAs(media_type=holds, source=source)

    return handler("wrapping", 50, pieces, types=PLAIN)


def test_what_a_handler_finds_inside_is_read_by_those_of_its_type_and_told_as_its_own(tmp_path: Path) -> None:
    bench = Bench(tmp_path, [
        wrapping(holds="a/b"),
        handler("choosy", 90, says(Unsupported("not mine")), types=frozenset({"a/b"})),
        handler("inner", 60, says(Text(text="inside")), types=frozenset({"a/b"})),
    ])  # fmt: skip
    (done,) = bench.work(b"words")
    assert isinstance(done, wire.Done)
    assert (done.outcome, done.handler, done.media_type) == (Outcome.SUCCESS, "wrapping/1", "text/plain")
    assert (done.metadata["encrypted"], bench.text(done), done.problems) == (True, "inside", [])


@pytest.mark.parametrize(
    ("inner", "outcome", "detail"),
    [
        (says(InvalidFile("torn")), Outcome.INVALID_FILE, "torn"),
        (says(Text(text="half"), InvalidFile("torn")), Outcome.PARTIAL, "torn"),
        (None, Outcome.UNSUPPORTED, "no handler for a/b"),
    ],
)
def test_what_is_found_inside_fails_as_a_document_does(
    inner: Pieces | None, outcome: Outcome, detail: str, tmp_path: Path
) -> None:
    readers = [handler("inner", 60, inner, types=frozenset({"a/b"}))] if inner else []
    (done,) = Bench(tmp_path, [wrapping(holds="a/b"), *readers]).work(b"words")
    assert (done.outcome, done.detail) == (outcome, detail)


def test_a_handler_that_finds_itself_inside_ends(tmp_path: Path) -> None:
    (done,) = Bench(tmp_path, [wrapping(holds="text/plain")]).work(b"words")
    assert done.outcome is Outcome.INVALID_FILE


def test_no_bytes_are_empty_and_no_text_is_success(tmp_path: Path) -> None:
    bench = Bench(tmp_path, [handler("mute", 50, says(), types=PLAIN)])
    assert [bench.work(data)[-1].outcome for data in (b"", b"words")] == [Outcome.EMPTY, Outcome.SUCCESS]


def test_a_trouble_makes_success_partial_unless_it_says_otherwise(tmp_path: Path) -> None:
    trouble = Trouble(code=Code.MEMBER_FAILED, detail="one")
    note = Trouble(code=Code.TYPE_MISMATCH, detail="two", partial=False)
    bench = Bench(tmp_path, [
        handler("troubled", 50, says(trouble), mark=b"troubled"),
        handler("noted", 50, says(note), mark=b"noted"),
    ])  # fmt: skip
    assert [bench.work(data)[-1].outcome for data in (b"troubled", b"noted")] == [Outcome.PARTIAL, Outcome.SUCCESS]


def test_junk_among_the_pieces_is_the_handlers_error(tmp_path: Path) -> None:
    bench = Bench(tmp_path, [handler("odd", 50, says("a string"), types=PLAIN)])  # type: ignore[arg-type]
    (done,) = bench.work(b"words")
    assert done.detail == "odd: TypeError: a handler yields pieces, not str"


def test_a_locator_too_long_for_a_frame_is_the_handlers_error(tmp_path: Path) -> None:
    lost = Lost(locator="x" * 5_000, name="", outcome=Outcome.INVALID_FILE, detail="")
    (done,) = Bench(tmp_path, [handler("odd", 50, says(lost), types=PLAIN)]).work(b"words")
    assert done.detail.startswith("odd: ValueError: a locator of 5000 characters")


@pytest.mark.parametrize(("cut", "code"), [(True, Code.FILE_MISSING_OR_INCOMPLETE), (False, Code.SOURCE_UNREADABLE)])
def test_bytes_that_are_not_there_are_named_so(tmp_path: Path, cut: bool, code: Code) -> None:
    bench = Bench(tmp_path, [handler("mute", 50, says(), types=PLAIN)])
    if cut:
        (tmp_path / "document").write_bytes(b"12345")
    (done,) = bench.work_on(wire.Task(id=1, path=str(tmp_path / "document"), offset=3, length=9, name="a.txt"))
    assert (done.outcome, done.problems[0].code) == (Outcome.INVALID_FILE, code)


def test_the_parent_is_told_what_each_handler_takes_and_does() -> None:
    offers = {spec.name: registry.offer(spec) for spec in (handler.spec for handler in registry.load(UNPACKING))}
    assert {name: (offer.kind, offer.task) for name, offer in offers.items()} == {
        "eml": ("mail", "extract-text"),
        "mbox": ("mailbox", "unpack-mailbox"),
    }
    assert offers["mbox"].media_types == ["application/mbox"]


@pytest.mark.requirement("A9")
@pytest.mark.parametrize(("name", "is_left"), [("saved.eml", False), ("saved.mbox", True)])
def test_a9_a_container_is_left_where_the_worker_unpacks_none(tmp_path: Path, name: str, is_left: bool) -> None:
    """What a file is called decides where its bytes could be either."""
    (tmp_path / "document").write_bytes(ENVELOPED)
    task = wire.Task(id=1, path=str(tmp_path / "document"), offset=0, length=len(ENVELOPED), name=name, unpack=False)
    last = Bench(tmp_path, registry.load(UNPACKING)).work_on(task)[-1]
    assert isinstance(last, wire.Left) is is_left


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        (ENVELOPED, ("application/mbox", "mailbox")),
        (b"some words", ("text/plain", "other")),
        (b"", ("inode/x-empty", "other")),
    ],
)
def test_a_child_tells_what_a_content_is_and_reads_no_further(
    tmp_path: Path, content: bytes, kinds: tuple[str, str]
) -> None:
    (tmp_path / "document").write_bytes(content)
    task = wire.Task(
        id=1, path=str(tmp_path / "document"), offset=0, length=len(content), name="a.mbox", only_type=True
    )
    (done,) = Bench(tmp_path, registry.load(UNPACKING)).work_on(task)
    assert isinstance(done, wire.Done)
    assert ((done.media_type, done.kind), done.handler, done.made) == (kinds, "", [])


# sources


def source(folder: Path, content: bytes, offset: int, length: int) -> TaskSource:
    (folder / "file").write_bytes(content)
    task = wire.Task(id=1, path=str(folder / "file"), offset=offset, length=length, name="../odd name.Docx")
    return TaskSource(task, Opened(), folder)


@pytest.mark.parametrize("length", [10, 3 << 20])
def test_a_slice_reads_seeks_and_ends_like_a_file_of_its_own(tmp_path: Path, length: int) -> None:
    inside = os.urandom(length)
    one = source(tmp_path, b"before" + inside + b"after", 6, length)
    assert one.read() == inside
    with one.open() as opened:
        assert opened.read() == inside
        assert opened.seek(-4, os.SEEK_END) == length - 4
        assert (opened.read(), opened.read(1)) == (inside[-4:], b"")
        opened.seek(2)
        assert (opened.read(3), opened.tell()) == (inside[2:5], 5)


def test_a_slice_is_written_out_for_those_who_need_a_path_and_a_whole_file_is_not(tmp_path: Path) -> None:
    copy = source(tmp_path, b"xx12345", 2, 5).path()
    assert (copy.parent, copy.suffix, copy.read_bytes()) == (tmp_path, ".Docx", b"12345")
    assert source(tmp_path, b"12345", 0, 5).path() == tmp_path / "file"


def test_a_file_cut_while_it_is_read_raises_instead_of_giving_less(tmp_path: Path) -> None:
    one = source(tmp_path, bytes(2 << 20), 0, 2 << 20)
    os.truncate(tmp_path / "file", 1 << 20)
    with pytest.raises(Incomplete, match="1048576 of 2097152 bytes"):
        one.read()
