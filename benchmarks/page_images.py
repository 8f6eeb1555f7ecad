"""Page images side by side with bare pdfium and Pillow: the same pages at 96 dpi, each as a PNG of level 1.

    python -m benchmarks.page_images PDF...

Ours has a small image, text and places of words beside it, and looks whether the page is gray.
"""

import io
import sys
import tempfile
import time
from pathlib import Path

import pypdfium2

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options
from redwell.handlers.host.source import BytesSource
from redwell.handlers.render import page_images

_ROUNDS = 3


def bare(data: bytes) -> int:
    document = pypdfium2.PdfDocument(data)
    for page in document:
        page.render(scale=96 / 72).to_pil().save(io.BytesIO(), "PNG", compress_level=1)
        page.close()
    count = len(document)
    document.close()
    return count


def ours(data: bytes) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        source = BytesSource(data, "a.pdf", Path(scratch))
        pieces = page_images.extract(source, Path(scratch), Options(name="a.pdf", media_type="application/pdf"))
        return sum(isinstance(piece, Artifact) and piece.kind is ArtifactKind.PAGE_IMAGE for piece in pieces)


def main() -> None:
    files = [Path(name).read_bytes() for name in sys.argv[1:]]
    best = {bare: 1e9, ours: 1e9}
    pages = 0
    for _ in range(_ROUNDS):
        for make in best:
            started = time.process_time()
            pages = sum(make(data) for data in files)
            best[make] = min(best[make], time.process_time() - started)
    print(f"{pages} pages: pdfium and Pillow {best[bare]:.2f} s, Redwell {best[ours]:.2f} s of CPU,"
          f" ratio {best[ours] / best[bare]:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
