"""The floor under an import: the same parser calls and the same stores, with nothing in between.

Parse floor: two processes read each file, detect its type by our rules, run the same handlers, members too, and
tell the language of each text; no ledger, no pipe, no sandbox, nothing kept. Store floor: one process hashes every
content three times, writes packs with an fsync per chunk, one row per content and text in bulk, and the search index
(text, name, type, hashes and what the handlers tell of each document: `field:value` is searched in them).
What an import costs above the sum is Redwell's own. OCR and caches are off in both.
"""

import hashlib
import itertools
import multiprocessing
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.errors import Unsupported
from redwell.core.handler import Child, Metadata, Options, Piece, ReadAs, Source, Text
from redwell.handlers.detect.detect import detect
from redwell.handlers.host.registry import Handler, load
from redwell.handlers.structures.language import language_of
from redwell.ports.search_index import Entry
from redwell.runtime.bootstrap.handler_modules import BUILT_IN

CHUNK = 100
INDEX_CHUNK = 20_000  # the setting index_documents; an import of this size commits no more often
MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Extracted:
    data: bytes
    text: str
    fields: Mapping[str, str]


class MemorySource:
    """core.handler.Source over bytes."""

    def __init__(self, data: bytes, scratch: Path) -> None:
        self.size, self._data, self._scratch = len(data), data, scratch

    def read(self) -> bytes:
        return self._data

    def open(self) -> BytesIO:
        return BytesIO(self._data)

    def path(self) -> Path:
        target = self._scratch / "source"
        target.write_bytes(self._data)
        return target


class Parser:
    def __init__(self, scratch: Path) -> None:
        self._handlers = load(BUILT_IN)
        self._scratch = scratch

    def parse(self, data: bytes, name: str, depth: int = 0) -> Iterator[Extracted]:
        """The document and everything in it."""
        fields, members = {"name": name}, list[tuple[str, bytes]]()
        text = self._document(data, name, fields, members) if data else ""
        language_of(text)
        yield Extracted(data, text, fields)
        for member_name, member in members if depth < MAX_DEPTH else ():
            yield from self.parse(member, member_name, depth + 1)

    def _document(self, data: bytes, name: str, fields: dict[str, str], members: list[tuple[str, bytes]]) -> str:
        source = MemorySource(data, self._scratch)
        fields["media_type"] = media_type = detect(source.open, len(data), name)
        for handler in (h for h in self._handlers if media_type in h.spec.media_types):
            texts: list[str] = []
            try:
                for piece in self._pieces(handler, source, Options(name=name, media_type=media_type)):
                    if isinstance(piece, Text):
                        texts.append(piece.text)
                    elif isinstance(piece, Metadata):
                        fields |= {key: str(value) for key, value in piece.values.items()}
                    elif isinstance(piece, Child):
                        members.append((piece.name, _bytes(piece.data)))
                return "".join(texts)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                if texts or members:
                    return "".join(texts)
        return ""

    def _pieces(self, handler: Handler, source: Source, options: Options) -> Iterator[Piece]:
        for piece in handler.extract(source, self._scratch, options):
            if isinstance(piece, ReadAs):
                yield from self._inside(piece, replace(options, media_type=piece.media_type))
            else:
                yield piece

    def _inside(self, found: ReadAs, options: Options) -> Iterator[Piece]:
        for reader in self._handlers:
            if found.media_type in reader.spec.media_types:
                with suppress(Unsupported):
                    yield from self._pieces(reader, found.source, options)
                    return


def _bytes(data: bytes | memoryview | Path) -> bytes:
    if not isinstance(data, Path):
        return bytes(data)
    content = data.read_bytes()
    data.unlink()
    return content


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _parse_share(paths: list[Path]) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        parser = Parser(Path(scratch))
        return sum(1 for path in paths for _ in parser.parse(path.read_bytes(), path.name))


def parse_floor(folder: Path, processes: int = 2) -> tuple[float, int]:
    """Seconds and documents; the shares are dealt like cards so that both processes end together."""
    paths = files_below(folder)
    shares = [paths[i::processes] for i in range(processes)]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.map(_parse_share, [[]] * processes)  # imports are start-up, reported apart
        started = time.monotonic()
        documents = sum(pool.map(_parse_share, shares, chunksize=1))
        return time.monotonic() - started, documents


def store_floor(folder: Path) -> float:
    """Seconds for hashing, packs, rows and index alone; the parsing in between is not counted."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        parser, store = Parser(Path(work)), Store(Path(work))
        contents = (item for path in files_below(folder) for item in parser.parse(path.read_bytes(), path.name))
        spent = 0.0
        while chunk := list(itertools.islice(contents, CHUNK)):
            started = time.monotonic()
            store.add(chunk)
            spent += time.monotonic() - started
        started = time.monotonic()
        store.close()
        return spent + time.monotonic() - started


class Store:
    def __init__(self, folder: Path) -> None:
        self._pack = os.open(folder / "pack", os.O_CREAT | os.O_WRONLY, 0o600)
        self._rows = sqlite3.connect(folder / "rows.sqlite", isolation_level=None)
        self._rows.execute("PRAGMA journal_mode=WAL")
        self._rows.execute("PRAGMA synchronous=FULL")
        self._rows.execute("CREATE TABLE content (sha256 BLOB, sha1 BLOB, md5 BLOB, size INT, text BLOB, chars INT)")
        self._index = TantivyIndex(folder / "index", lambda _: ())
        self._count = 0

    def add(self, chunk: list[Extracted]) -> None:
        rows, parts, entries = [], [], []
        for item in chunk:
            text = item.text.encode("utf-8", "replace")
            text_hash = hashlib.sha256(text).digest()
            sha256 = hashlib.sha256(item.data)
            sha1 = hashlib.sha1(item.data, usedforsecurity=False)
            md5 = hashlib.md5(item.data, usedforsecurity=False)
            rows.append((sha256.digest(), sha1.digest(), md5.digest(), len(item.data), text_hash, len(item.text)))
            parts += [item.data, text]
            self._count += 1
            fields = {**item.fields, "sha256": sha256.hexdigest(), "md5": md5.hexdigest()}
            entries.append(Entry(exhibit=self._count, digest=text_hash.hex(), text=item.text, fields=fields))
        os.write(self._pack, b"".join(parts))
        os.fdatasync(self._pack)
        self._rows.execute("BEGIN IMMEDIATE")
        self._rows.executemany("INSERT INTO content VALUES (?,?,?,?,?,?)", rows)
        self._rows.execute("COMMIT")
        self._index.replace(entries)
        if self._count % INDEX_CHUNK < CHUNK:
            self._index.commit()

    def close(self) -> None:
        self._index.commit()
        self._index.close()
        self._rows.close()
        os.close(self._pack)
