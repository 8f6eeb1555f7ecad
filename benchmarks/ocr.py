"""Recognition side by side with bare tesserocr and with OCRmyPDF, on the pages of a corpus that have a ground truth.

    python -m benchmarks.ocr CORPUS [--ocrmypdf PROGRAM]

CORPUS has a manifest.jsonl whose rows may name `ocr_gt` (a file with the page's text) and `ocr_text_contains`. All run
in this process, one after the other, with one thread; OCRmyPDF, a peer and no dependency, in one of its own.
"""

import argparse
import io
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

os.environ["OMP_THREAD_LIMIT"] = "1"  # before Tesseract is loaded

from benchmarks.ocr_errors import character_errors, holds
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options
from redwell.handlers.engines import tesseract
from redwell.handlers.host.source import BytesSource
from redwell.handlers.ocr import ocr_image, ocr_image_list, ocr_pages

_TIFF = {".tif", ".tiff"}


class Read(NamedTuple):
    text: str
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--ocrmypdf", default="")
    told = parser.parse_args()
    rows = [json.loads(line) for line in (told.corpus / "manifest.jsonl").read_text().splitlines()]
    print("| file | errors, Redwell | errors, tesserocr | errors, OCRmyPDF | s, Redwell | s, tesserocr | s, OCRmyPDF |")
    print("|---|---|---|---|---|---|---|")
    found = wanted = 0
    ours_s = bare_s = 0.0
    for row in rows:
        if not (row.get("ocr_gt") or row.get("ocr_text_contains")):
            continue
        file = told.corpus / row["path"]
        ours, bare = _timed(redwell, file), _timed(plain_tesserocr, file)
        ours_s, bare_s = ours_s + ours.seconds, bare_s + bare.seconds
        strings = row.get("ocr_text_contains", [])
        wanted, found = wanted + len(strings), found + sum(holds(ours.text, string) for string in strings)
        if truth := row.get("ocr_gt"):
            peer = _timed(lambda at: ocrmypdf(told.ocrmypdf, at), file) if told.ocrmypdf else Read("", 0.0)
            text = (told.corpus / truth).read_text()
            errors = [f"{character_errors(each.text, text):.3f}" if each.text else "" for each in (ours, bare, peer)]
            times = [f"{each.seconds:.2f}" for each in (ours, bare, peer)]
            print(f"| {row['path']} | {' | '.join(errors)} | {' | '.join(times)} |", flush=True)
    print(f"\nStrings found: {found} of {wanted}. Time to bare tesserocr, all files: {ours_s / bare_s:.2f}")


def _timed(read: Any, file: Path) -> Read:
    started = time.process_time() + sum(os.times()[2:4])
    text = read(file)
    return Read(text, time.process_time() + sum(os.times()[2:4]) - started)


def redwell(file: Path) -> str:
    """All that the handler does: judging, reading, boxes, the searchable PDF."""
    handler = ocr_pages if file.suffix == ".pdf" else ocr_image_list if file.suffix in _TIFF else ocr_image
    with tempfile.TemporaryDirectory() as scratch:
        source = BytesSource(file.read_bytes(), file.name, Path(scratch))
        pieces = handler.extract(source, Path(scratch), Options(name=file.name, media_type=""))
        made = [piece for piece in pieces if isinstance(piece, Artifact) and piece.kind is ArtifactKind.OCR_TEXT]
    return "\n".join(bytes(piece.data).decode() for piece in made)  # type: ignore[arg-type]


def plain_tesserocr(file: Path) -> str:
    return "\n".join(tesseract.recognise(page).text for page in _pages(file))


def ocrmypdf(program: str, file: Path) -> str:
    """Its text of the same pages; a picture without a resolution is given one, as it refuses it otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text")
        command = [program, "--quiet", "--jobs", "1", "--output-type", "pdf", "--sidecar", str(text), "--force-ocr"]
        command += [] if file.suffix == ".pdf" else ["--image-dpi", "300"]
        subprocess.run([*command, str(file), str(Path(folder, "out.pdf"))], check=False, capture_output=True)
        return text.read_text() if text.exists() else ""


def _pages(file: Path) -> Iterator[Any]:
    import pypdfium2
    from PIL import Image, ImageSequence
    from pillow_heif import register_heif_opener

    if file.suffix == ".pdf":
        document = pypdfium2.PdfDocument(file)
        for page in document:
            yield page.render(scale=300 / 72, grayscale=True).to_pil()
        document.close()
        return
    register_heif_opener()
    with Image.open(io.BytesIO(file.read_bytes())) as picture:
        yield from (frame.convert("L") for frame in ImageSequence.Iterator(picture))


if __name__ == "__main__":
    main()
