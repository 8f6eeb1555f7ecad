"""The frames that a parent and its sandboxed child exchange over two pipes.

A frame is a 4-byte big-endian length and a msgpack body, checked against the types below when it
is decoded: a child is hostile, so a frame that is too long or of another shape ends it.
Bytes never travel in frames. A child appends them to one of two spool files that the parent made
and opened beforehand; a frame names a slice of it, so no path of the child's is ever opened.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Literal, TypeVar

import msgspec

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import HashKind, MetaValue
from redwell.core.outcomes import Outcome
from redwell.core.reading import Reading
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.profiles import RIGHTS, Rights

MAX_FRAME = 8 << 20
_PREFIX = 4
T = TypeVar("T")


class _Frame(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    pass


class Slice(_Frame):
    """A run of bytes in the spool of the message that the task came with."""

    offset: int
    length: int


# parent to child


class Setup(_Frame, tag="setup"):
    """The first frame: what the child is allowed, and which handler modules it offers."""

    handlers: list[str]
    readable: list[str]
    scratch: str
    sandbox: Literal["required", "best"]
    address_space_mb: int
    spool_mb: int
    options: dict[str, int]  # the limits of core.handler.Options
    profile: Profile = Profile.PARSER
    rights: Rights = RIGHTS[Profile.PARSER]
    timezone: str = "UTC"
    ocr_languages: str = "eng"
    own: str = ""  # the folder around `scratch` that holds what stands for /tmp and /dev/shm


class Volume(_Frame):
    """A volume of a set: `length` bytes at `offset` of the file at `path`; its name ends in `suffix`."""

    number: int
    suffix: str
    path: str
    offset: int
    length: int


class Task(_Frame):
    """One document: `length` bytes at `offset` of the file at `path`; or all the volumes, one behind the other."""

    id: int
    path: str
    offset: int
    length: int
    name: str
    passwords: list[str] = []
    after: str | None = None
    skip: list[str] = []
    volumes: list[Volume] = []
    missing: list[str] = []  # how the names of volumes end that are not there
    synthetic: bool = False
    volume: bool = False  # it is one itself, and what it holds comes out of its set's head
    inside: bool = False  # its small members may be read right behind it
    as_task: TaskType = TaskType.EXTRACT_TEXT
    engine: str = ""  # the handler that does it, by name; none: whoever takes its type
    unpack: bool = True  # no: where it is a container, it is left as it is
    only_type: bool = False  # what it is, and nothing more
    plain: bool = False  # with nothing that can be spared: all other tries failed
    first_page: int = 1  # of a document whose pages are worked on in ranges
    last_page: int = 0
    assembled: bool = False  # it names the contents that its volumes are, and is the first of them itself
    order: str = ""  # what is asked of it beyond that, as the handler of `engine` reads it


class Message(_Frame, tag="message"):
    """Documents to be taken one by one, in order; their bytes go to spool 0 or 1."""

    spool: int
    tasks: list[Task]


class Renew(_Frame, tag="renew"):
    """A fresh process takes the next message; the old one has lived long enough."""


# child to parent


class Offer(_Frame):
    """A handler that the child has: all that a parent, which imports none, knows of it."""

    name: str
    version: int
    kind: str
    task: TaskType
    media_types: list[str] = []  # none: it asks to see the bytes


class Tool(_Frame):
    """A library or program of the system that its handlers use."""

    name: str
    version: str = ""  # none: it is not there
    remedy: str = ""  # how to get it


class Hello(_Frame, tag="hello"):
    """The child is ready: each sandbox layer and how it stands ("on", or why not), and what it can do."""

    layers: dict[str, str]
    handlers: list[Offer] = []
    tools: list[Tool] = []


class Opened(_Frame, tag="opened"):
    task: int
    locator: str
    name: str


class Inside(_Frame, tag="inside"):
    """The document itself is read, and now its members are: it is not to blame for what becomes of the child."""

    task: int


class Left(_Frame, tag="left"):
    """The document is a container, and the worker that sent it unpacks none."""

    task: int


class Begun(_Frame, tag="begun"):
    """What the document turned out to be, where that is no plain text: if the child dies, this was lost."""

    task: int
    as_task: TaskType


class Made(_Frame):
    """An artifact of the document: its text, a rendition, the images of its pages."""

    kind: ArtifactKind
    data: Slice | None = None
    part: int | None = None  # instead of bytes: one of the volumes of its task
    media_type: str = "text/plain"
    number: int = 0
    last: int | None = None  # of a range that begins with `number`
    amount: int = 0  # characters of a text, pages of a PDF, words of a page
    figures: dict[str, int | float | str] = {}


class Done(Reading, tag="done"):
    """The end of one document."""

    task: int
    made: list[Made] = []


class Member(_Frame, tag="member"):
    """A member of a container: bytes (`data`), or a failure (`outcome`), or skipped (neither)."""

    task: int
    locator: str
    name: str
    role: str = "member"
    data: Slice | None = None
    part: int | None = None  # instead of bytes: a file of the volume that the task is about, by its number
    outcome: Outcome | None = None
    detail: str = ""
    metadata: dict[str, MetaValue] = {}
    hash_kind: HashKind = "bytes"
    reading: Done | None = None  # what came of its bytes, where they were read at once; of the same task


class ChildExit(IntEnum):
    """Why a child ended itself; any other end is a crash."""

    DONE = 0  # the parent closed the requests
    RENEW = 74  # it was asked to; a fresh process goes on, and the parent sees no end
    RECYCLE = 75  # between two documents of a message: memory or spool are used up, the rest comes back
    DISK_FULL = 76
    CUT_OFF = 77  # the pipe or the spool is gone


REFUSED = "refused"  # the layer of a Hello that says why the child will not work unprotected

ToChild = Setup | Message | Renew
FromChild = Hello | Begun | Opened | Inside | Member | Left | Done

_encoder = msgspec.msgpack.Encoder()
_to_child: msgspec.msgpack.Decoder[ToChild] = msgspec.msgpack.Decoder(ToChild)
_from_child: msgspec.msgpack.Decoder[FromChild] = msgspec.msgpack.Decoder(FromChild)


class BadFrame(Exception):
    """The other side does not keep to the protocol."""


def encode(frame: ToChild | FromChild) -> bytes:
    body = _encoder.encode(frame)
    if len(body) > MAX_FRAME:
        raise BadFrame(f"a frame of {len(body)} bytes is over the limit of {MAX_FRAME}")
    return len(body).to_bytes(_PREFIX, "big") + body


def decode_to_child(body: bytes) -> ToChild:
    return _checked(_to_child, body)


def decode_from_child(body: bytes) -> FromChild:
    return _checked(_from_child, body)


def _checked(decoder: msgspec.msgpack.Decoder[T], body: bytes) -> T:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadFrame(str(error)) from None


class FrameBuffer:
    """Cuts a byte stream into frame bodies; holds at most one unfinished frame."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        start = 0
        while len(self._buffer) - start >= _PREFIX:
            length = int.from_bytes(self._buffer[start : start + _PREFIX], "big")
            if length > MAX_FRAME:
                raise BadFrame(f"a frame of {length} bytes is over the limit of {MAX_FRAME}")
            if len(self._buffer) - start - _PREFIX < length:
                break
            start += _PREFIX
            yield bytes(self._buffer[start : start + length])
            start += length
        del self._buffer[:start]
