"""A PDF that is made in parts and joined in the end, so that no more than a part is in memory. Called in a child."""

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

_TOGETHER = 24 << 20  # bytes of parts that are joined in memory


class JoinedPdf:
    """`add` parts in order, then ask once for what they made. The same parts give the same bytes."""

    def __init__(self, scratch: Path) -> None:
        self.pages = 0
        self._scratch = scratch
        self._held: list[bytes] = []
        self._files: list[Path] = []

    def add(self, part: bytes, pages: int = 1) -> None:
        self._held.append(part)
        self.pages += pages
        if sum(map(len, self._held)) > _TOGETHER:
            self._put_aside()

    def made(self) -> bytes | Path:
        """In memory where it was one part, else a file of scratch."""
        if len(self._held) == 1 and not self._files:
            return self._held[0]
        self._put_aside()
        if len(self._files) == 1:
            return self._files[0]
        target = self._scratch / "joined.pdf"
        _join(self._files, target)
        for file in self._files:
            file.unlink()
        return target

    def _put_aside(self) -> None:
        if self._held:
            file = self._scratch / f"part-{len(self._files)}.pdf"
            _join([io.BytesIO(part) for part in self._held], file)
            self._files.append(file)
            self._held.clear()


def _join(parts: Sequence[Path | BinaryIO], target: Path) -> None:
    import pikepdf

    with contextlib.ExitStack() as opened:
        whole = opened.enter_context(pikepdf.new())
        for part in parts:
            whole.pages.extend(opened.enter_context(pikepdf.open(part)).pages)
        mode = pikepdf.ObjectStreamMode.generate
        whole.save(target, deterministic_id=True, object_stream_mode=mode)
