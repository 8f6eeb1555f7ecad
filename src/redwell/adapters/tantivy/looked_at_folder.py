"""An index that is only searched: nothing is written beside it and no lock is taken (ADR 23). For the index adapter.

tantivy makes a lock file in its folder to open an index, also to search it. So it is given a folder of its own for a
moment: the list of segments, and links to their files. Once they are open, neither that folder nor the files need be
there any more, whatever the indexer merges away.
"""

import tempfile
from pathlib import Path
from threading import Lock

from tantivy import Index, Searcher

from redwell.adapters.tantivy.checksums import segments_of
from redwell.adapters.tantivy.index_folder import META, IndexFolder
from redwell.core.errors import UserError


class LookedAtFolder(IndexFolder):
    """Safe to keep, and to use from several threads."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._lock = Lock()
        self._seen: tuple[int, int] | None = None  # the list of segments that is open

    def last_commit(self) -> tuple[Index, Searcher] | None:
        index = self.opened()
        return (index, index.searcher()) if index else None

    def opened(self) -> Index | None:
        """As it is after the last commit; opened anew only after another one."""
        self.require_current()
        with self._lock:
            while (now := self.stamp()) is not None and (now != self._seen or self._index is None):
                try:
                    self._index, self._seen = self._linked(), now
                except (ValueError, FileNotFoundError) as error:
                    if self.stamp() == now:  # else a segment was merged away meanwhile
                        raise self.unreadable(error) from error
            return self._index if now else None

    def made(self) -> Index:
        raise PermissionError(f"{self.path} was opened to be searched only")

    def _linked(self) -> Index:
        with _temporary() as name:
            meta = Path(name, META)
            meta.write_bytes((self.path / META).read_bytes())
            for files in segments_of(meta).values():
                for file in files:
                    file.symlink_to(self.path.absolute() / file.name)
            index = self.ready(Path(name))
            index.reload()
            return index


def _temporary() -> tempfile.TemporaryDirectory[str]:
    try:
        # tantivy may still write its lock file while the folder is removed
        return tempfile.TemporaryDirectory(prefix="redwell-look-", ignore_cleanup_errors=True)
    except OSError as error:
        raise UserError(f"to search, a temporary folder is needed: {error.strerror}; name one with TMPDIR") from None
