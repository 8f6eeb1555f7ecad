"""The frames between parent and child: what goes in comes out, and junk is named as such and nothing else."""

import tracemalloc
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core import wire
from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import TaskType

whole = st.integers(0, 2**53)
words = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
metadata = st.dictionaries(
    words,
    st.one_of(
        words, st.integers(-(2**53), 2**53), st.booleans(), st.floats(allow_nan=False), st.lists(words, max_size=2)
    ),
    max_size=3,
)
made = st.builds(
    wire.Made,
    kind=st.sampled_from(ArtifactKind),
    data=st.builds(wire.Slice, offset=whole, length=whole),
    amount=whole,
)
slices = st.none() | st.builds(wire.Slice, offset=whole, length=whole)
tasks = st.builds(
    wire.Task,
    id=whole,
    path=words,
    offset=whole,
    length=whole,
    name=words,
    passwords=st.lists(words, max_size=2),
    after=st.none() | words,
    skip=st.lists(words, max_size=2),
)
to_child = st.one_of(
    st.builds(wire.Message, spool=st.integers(0, 1), tasks=st.lists(tasks, max_size=3)),
    st.builds(
        wire.Setup,
        handlers=st.lists(words, max_size=2),
        readable=st.lists(words, max_size=2),
        scratch=words,
        sandbox=st.sampled_from(["required", "best"]),
        address_space_mb=whole,
        spool_mb=whole,
        options=st.dictionaries(words, whole, max_size=2),
    ),
)
from_child = st.one_of(
    st.builds(
        wire.Hello,
        layers=st.dictionaries(words, words, max_size=3),
        handlers=st.lists(
            st.builds(wire.Offer, name=words, version=whole, kind=words, task=st.sampled_from(TaskType)), max_size=2
        ),
        tools=st.lists(st.builds(wire.Tool, name=words, version=words), max_size=2),
    ),
    st.builds(wire.Left, task=whole),
    st.builds(wire.Opened, task=whole, locator=words, name=words),
    st.builds(
        wire.Member,
        task=whole,
        locator=words,
        name=words,
        data=slices,
        outcome=st.none() | st.sampled_from(Outcome),
        metadata=metadata,
    ),
    st.builds(
        wire.Done,
        task=whole,
        outcome=st.sampled_from(Outcome),
        made=st.lists(made, max_size=2),
        pages=st.none() | whole,
        declared=st.none() | whole,
        metadata=metadata,
        problems=st.lists(st.builds(Problem, code=st.sampled_from(Code), detail=words), max_size=2),
    ),
)
thorough = settings(max_examples=120, deadline=None, derandomize=True)


def bodies(buffer: wire.FrameBuffer, *pieces: bytes) -> list[bytes]:
    return [body for piece in pieces for body in buffer.feed(piece)]


@given(st.lists(to_child, max_size=3), st.lists(from_child, max_size=6))
@thorough
def test_frames_come_out_as_they_went_in(down: list[wire.ToChild], up: list[wire.FromChild]) -> None:
    sent = b"".join(map(wire.encode, down))
    assert [wire.decode_to_child(body) for body in bodies(wire.FrameBuffer(), sent)] == down
    sent = b"".join(map(wire.encode, up))
    assert [wire.decode_from_child(body) for body in bodies(wire.FrameBuffer(), sent)] == up


@given(st.lists(st.binary(max_size=20), max_size=6), st.data())
@thorough
def test_however_a_stream_is_cut_the_same_frames_come_out(frames: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(len(body).to_bytes(4, "big") + body for body in frames)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    pieces = [stream[start:end] for start, end in pairwise([0, *cuts, len(stream)])]
    assert bodies(wire.FrameBuffer(), *pieces) == frames


# msgpack that is well formed but of any shape, and bytes that are not even that
shapes = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | words | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.just("type"), inner, max_size=4),
    max_leaves=8,
)
tags = st.sampled_from(["setup", "message", "hello", "opened", "member", "done", "other"])
tagged = st.builds(lambda tag, rest: {"type": tag, **rest}, tags, st.dictionaries(words, shapes, max_size=4))
junk = st.one_of(
    st.binary(max_size=60),
    shapes.map(msgspec.msgpack.encode),
    tagged.map(msgspec.msgpack.encode),
    st.builds(
        lambda frame, at, byte: _changed(wire.encode(frame)[4:], at, byte), from_child, whole, st.integers(0, 255)
    ),
)


def _changed(body: bytes, at: int, byte: int) -> bytes:
    at %= len(body)
    return body[:at] + bytes([byte]) + body[at + 1 :]


@pytest.mark.requirement("D2")
@given(junk)
@settings(max_examples=600, deadline=None, derandomize=True)
def test_junk_is_a_bad_frame_and_no_other_error(body: bytes) -> None:
    """A child can't choose what its parent fails with."""
    for decode, kinds in ((wire.decode_from_child, wire.FromChild), (wire.decode_to_child, wire.ToChild)):
        try:
            assert isinstance(decode(body), kinds)
        except wire.BadFrame:
            pass


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x91" * 100_000, id="nested without end"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="a list of four thousand million"),
        pytest.param(b"\xdb\xff\xff\xff\xffshort", id="a string longer than the frame"),
        pytest.param(b"\x82\xa4type\xa6opened\xa4task\xcf" + b"\xff" * 8, id="fields missing"),
        pytest.param(b"\x81\xa4type\xa5\xff\xfe\xfd\xfc\xfb", id="a string that is no UTF-8"),
        pytest.param(b"\xc7\x0c\xff" + b"\xff" * 12, id="a time before all times"),
    ],
)
def test_each_known_kind_of_junk_is_a_bad_frame(body: bytes) -> None:
    with pytest.raises(wire.BadFrame):
        wire.decode_from_child(body)


def test_unknown_fields_and_unknown_outcomes_are_refused() -> None:
    body = wire.encode(wire.Hello(layers={}))[4:]
    extra = msgspec.msgpack.encode({**msgspec.msgpack.decode(body), "more": 1})
    done = msgspec.msgpack.encode({"type": "done", "task": 1, "outcome": "FINE"})
    for bad in (extra, done):
        with pytest.raises(wire.BadFrame):
            wire.decode_from_child(bad)


def test_a_frame_over_the_limit_is_neither_sent_nor_received() -> None:
    with pytest.raises(wire.BadFrame, match="limit"):
        wire.encode(wire.Opened(task=1, locator="x" * wire.MAX_FRAME, name=""))
    with pytest.raises(wire.BadFrame, match="limit"):
        bodies(wire.FrameBuffer(), (wire.MAX_FRAME + 1).to_bytes(4, "big"))


def test_a_frame_at_the_limit_passes_in_pieces() -> None:
    body = b"x" * wire.MAX_FRAME
    stream = len(body).to_bytes(4, "big") + body
    pieces = [stream[start : start + (1 << 20)] for start in range(0, len(stream), 1 << 20)]
    assert bodies(wire.FrameBuffer(), *pieces) == [body]


def test_a_buffer_forgets_the_frames_it_gave_out() -> None:
    buffer, frame = wire.FrameBuffer(), wire.encode(wire.Hello(layers={"a": "b" * 1_000}))
    tracemalloc.start()
    try:
        for _ in range(2_000):
            bodies(buffer, frame)
        assert tracemalloc.get_traced_memory()[0] < 100 * len(frame)
    finally:
        tracemalloc.stop()
