"""Handler for PDFs: the file as it is, and a copy with nothing left to edit where it has something. Runs in a child.

What pdfium opens is handed out unchanged; what it does not is mended or decrypted first, and the document says so.
"""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.render import pdf_flattening, pdf_mending

SPEC = spec_of("native-pdf")
_TYPE = "application/pdf"
_IN_MEMORY = 32 << 20


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The PDF, marked `flat` where it has nothing to flatten; else the flattened copy behind it, if there is one."""
    shown = pdf_mending.shown(source, scratch, options.passwords)
    if shown.reason:
        yield Trouble(code=Code.HANDLER_ERROR, detail=shown.reason, partial=False)
    found = pdf_flattening.alive_in(shown.path)
    if found.is_placeholder:
        detail = "its pages are drawn by Adobe's form engine alone (XFA); the PDF shows what stands in for them"
        yield Trouble(code=Code.PDF_UNAVAILABLE, detail=detail, partial=False)
    flattened: Path | None = None
    try:
        if found.names and options.plain:
            raise InvalidFile("no flattened copy: the tries with one failed")
        if found.names:
            flattened = pdf_flattening.flattened(shown.path, scratch / "flattened.pdf", is_drawn=found.is_drawn)
    except InvalidFile as error:
        yield Trouble(code=Code.PDF_UNAVAILABLE, detail=str(error), partial=False)
    figures = {} if found.names else {"flat": 1}
    data = _to_hand_over(shown.path, scratch)
    yield Artifact(kind=ArtifactKind.PDF, data=data, media_type=_TYPE, amount=shown.pages, figures=figures)
    if flattened:
        merged = {"merged": ", ".join(found.names)}
        yield Artifact(
            kind=ArtifactKind.FLATTENED_PDF, data=flattened, media_type=_TYPE, amount=shown.pages, figures=merged
        )


def _to_hand_over(path: Path, scratch: Path) -> bytes | Path:
    """What the host may take away: a file of scratch, or bytes where the document lies elsewhere."""
    if path.is_relative_to(scratch):
        return path
    if path.stat().st_size <= _IN_MEMORY:
        return path.read_bytes()
    return Path(copyfile(path, scratch / "native.pdf"))
