"""Pages that go out, side by side with bare pdfium and Pillow: the same pages at 300 dpi, as Group 4 TIFF.

    python -m benchmarks.production [PDF...]

Without files: 12 pages of text that it sets itself. Ours has a margin with number and designation, looks for colours or
shades, and burns a box into every tenth page. CPU of one process; memory is what the process had at most.
"""

import io
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import pypdfium2
import typst

from redwell.core.handler import Artifact, Options
from redwell.core.production.orders import Box, PrintOrder, written
from redwell.handlers.host.source import BytesSource
from redwell.handlers.produce import produced_pages

_DPI, _PAGES, _ROUNDS = 300, 12, 2
_TEMPLATE = b"""#set document(date: none)
#set page(paper: "us-letter")
#for n in range(int(sys.inputs.pages)) { if n > 0 { pagebreak() }; lorem(450) }
"""


def sample() -> bytes:
    made: bytes = typst.compile(_TEMPLATE, sys_inputs={"pages": str(_PAGES)})
    return made


def bare(data: bytes) -> int:
    document = pypdfium2.PdfDocument(data)
    for page in document:
        picture = page.render(scale=_DPI / 72, grayscale=True).to_pil()
        picture.point(lambda shade: 255 * (shade >= 150), "1").save(io.BytesIO(), "TIFF", compression="group4")
        page.close()
    count = len(document)
    document.close()
    return count


def ours(data: bytes) -> int:
    with pypdfium2.PdfDocument(data) as document:
        count = len(document)
    order = PrintOrder(
        numbers=[f"ABC{number:06d}" for number in range(1, count + 1)],
        designation="CONFIDENTIAL",
        dpi=_DPI,
        hidden={page: [Box(0.2, 0.3, 0.6, 0.32)] for page in range(1, count + 1, 10)},
    )
    with tempfile.TemporaryDirectory() as scratch:
        options = Options(name="", media_type="application/pdf", order=written(order))
        pieces = produced_pages.extract(BytesSource(data, "a.pdf", Path(scratch)), Path(scratch), options)
        return sum(isinstance(piece, Artifact) for piece in pieces)


def main() -> None:
    files = [Path(name).read_bytes() for name in sys.argv[1:]] or [sample()]
    best, pages = {bare: 1e9, ours: 1e9}, 0
    for _ in range(_ROUNDS):
        for make in best:
            started = time.process_time()
            pages = sum(make(data) for data in files)
            best[make] = min(best[make], time.process_time() - started)
    told = {
        "pages": pages,
        "bare pages a CPU second": round(pages / best[bare], 1),
        "Redwell pages a CPU second": round(pages / best[ours], 1),
        "ratio": round(best[ours] / best[bare], 2),
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
