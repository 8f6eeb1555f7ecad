"""Containers: some good, some that stop in the middle."""

import ctypes
import random
from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import PasswordProtected, TooLarge
from redwell.core.handler import (
    Artifact,
    Child,
    Contents,
    Lost,
    Metadata,
    Opening,
    Options,
    Piece,
    Skipped,
    Source,
    Text,
    pending,
)
from redwell.core.outcomes import Outcome

_documents = 0


def count_documents(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """How many this process has counted."""
    global _documents
    _documents += 1
    yield Metadata(values={"documents": _documents})


def use_libraries(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """What format libraries do when they are used: threads, socket pairs, lazy imports, data files."""
    import zoneinfo
    from concurrent.futures import ThreadPoolExecutor

    import kreuzberg
    import pikepdf
    import pypdfium2

    page = kreuzberg.extract_bytes_sync(b"<p>rust</p>", "text/html", kreuzberg.ExtractionConfig(use_cache=False))
    yield Text(text=f"{page.content.strip()} ")
    pdf = pikepdf.new()
    pdf.add_blank_page()
    pdf.save(scratch / "blank.pdf")
    yield Text(text=f"{len(pypdfium2.PdfDocument(scratch / 'blank.pdf'))} page ")
    with ThreadPoolExecutor(2) as threads:
        yield Text(text=f"{sum(threads.map(len, ['a', 'bc']))} letters {zoneinfo.ZoneInfo('Europe/Berlin')} ")


def make_much_ahead_of_members(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Artifacts of 5 MB as bytes and as a file, then a member."""
    file = scratch / "made"
    file.write_bytes(b"f" * (5 << 20))
    yield Artifact(kind=ArtifactKind.PDF, data=file, media_type="application/pdf")
    yield Artifact(kind=ArtifactKind.CELL_MAP, data=b"b" * (5 << 20), media_type="application/json")
    yield Child(locator="a", name="a.bin", data=b"member")


def give_members(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """`<count> <seed>`: members of many sizes, as bytes and as files, with text in between."""
    count, seed = map(int, argument.split())
    chance = random.Random(seed)
    yield Contents(declared=count)
    for number in range(count):
        data = chance.randbytes(chance.choice((0, 1, 70, 5_000, 300_000)))
        yield Opening(locator=str(number), name=f"{number}.bin")
        if number % 2:
            kept = scratch / "member"
            kept.write_bytes(data)
            yield Child(locator=str(number), name=f"{number}.bin", data=kept)
        else:
            yield Child(locator=str(number), name=f"{number}.bin", data=data, role="attachment")
        yield Text(text=f"{number} ")
    yield Lost(locator="lost", name="lost.bin", outcome=Outcome.INVALID_FILE, detail="torn")
    yield Skipped(locator="folder", reason="folder")


def hang_in_the_third_member(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """As a handler ought to, it passes over what it is told to skip."""
    for locator in pending("abcd", options):
        yield Opening(locator=locator, name=f"{locator}.txt")
        if locator == "c":
            ctypes.CDLL(None).sleep(3600)
        yield Child(locator=locator, name=f"{locator}.txt", data=locator.encode())


def hang_in_the_first_member_again(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """As no handler ought to, it opens what it is told to skip."""
    yield Opening(locator="a", name="a.txt")
    ctypes.CDLL(None).sleep(3600)


def reach_a_limit(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    yield Child(locator="a", name="a", data=b"a")
    raise TooLarge("max_total_mb")


def need_a_password(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    yield Text(text="the outside")
    raise PasswordProtected("which one?")


def break_after_text(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    yield Text(text="what there was")
    raise RuntimeError("lost the thread")


def give_awkward_values(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Whatever would not fit a frame, a database or JSON."""
    yield Text(text="lone \ud800 surrogate")
    yield Metadata(values={"nul": "a\0b", "half": "\udfff", "giant": "x" * 10_000_000, "many": ["y" * 1_000] * 100_000})
    yield Metadata(values={"big": 1 << 70, "nan": float("nan"), "bytes": b"x", "fine": 3})


def give_long_text(argument: str, source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """More than is held in memory, with a member in between."""
    for number in range(12):
        yield Text(text=f"{number % 10}" * (1 << 20))
        yield Child(locator=str(number), name="in between", data=b"member")
