"""Where an index lies: opened, made, seen to be of other rules, taken away. Used by the index adapter."""

import os
import shutil
from pathlib import Path

from tantivy import Index, Schema, Searcher

from redwell.adapters.tantivy.documents import LAYOUT, register_tokenizers, schema
from redwell.core.errors import Permanent
from redwell.core.search.words import VERSION

META = "meta.json"


class IndexFolder:
    """Named by the rules it was made by: an index of other ones is never asked, it would miss what it holds."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / f"v{VERSION}-{LAYOUT}"
        self.schema: Schema = schema()
        self._index: Index | None = None

    def is_there(self) -> bool:
        """By whichever rules."""
        return self.root.is_dir() and any(self.root.iterdir())

    def is_outdated(self) -> bool:
        """There is an index, but none by today's rules."""
        return not self.path.is_dir() and self.is_there()

    def last_commit(self) -> tuple[Index, Searcher] | None:
        """By whichever process; None when there is no index yet."""
        index = self.opened()
        if index is None:
            return None
        index.reload()
        return index, index.searcher()

    def opened(self) -> Index | None:
        self.require_current()
        if self._index is None and self.path.is_dir() and Index.exists(str(self.path)):
            try:
                self._index = self.ready(self.path)
            except ValueError as error:
                raise self.unreadable(error) from error
        return self._index

    def require_current(self) -> None:
        if self.is_outdated():
            raise Permanent(f"{self.root} was made by another version; run 'redwell reindex'")

    def ready(self, folder: Path) -> Index:
        """The index that lies there, if it is of today's fields."""
        index = Index.open(str(folder))
        if index.schema != self.schema:
            raise ValueError("it has other fields than were written")
        return _prepared(index)

    def unreadable(self, error: Exception) -> Permanent:
        return Permanent(f"{self.path} cannot be opened ({error}); run 'redwell reindex'")

    def made(self) -> Index:
        if index := self.opened():
            return index
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._index = _prepared(Index(self.schema, path=str(self.path)))
        for parent in (self.root, self.root.parent):
            _sync(parent)  # tantivy makes its files safe, but not the way to them
        return self._index

    def stamp(self) -> tuple[int, int] | None:
        """Another one after each commit: tantivy puts a new list of segments in the place of the old one."""
        try:
            seen = os.stat(self.path / META)
        except FileNotFoundError:
            return None
        return seen.st_ino, seen.st_mtime_ns

    def sync(self) -> None:
        """tantivy syncs its folder before it renames the new list of segments into place, not afterwards."""
        _sync(self.path)

    def free_bytes(self) -> int:
        space = os.statvfs(self.path)
        return space.f_bavail * space.f_frsize

    def remove(self) -> None:
        """Those of other rules too."""
        self.close()
        if self.root.is_dir():
            shutil.rmtree(self.root)
            _sync(self.root.parent)

    def close(self) -> None:
        self._index = None


def _prepared(index: Index) -> Index:
    index.config_reader("manual")  # no thread that watches the folder: every search reloads
    register_tokenizers(index)
    return index


def _sync(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
