"""Handler that makes one PDF of several, with a bookmark for each. Runs in a child; it is asked for by name."""

import io
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, HandlerSpec, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.production.orders import BINDING_ENGINE, Part, binding_order
from redwell.core.work.kinds import TaskType

SPEC = HandlerSpec(
    name=BINDING_ENGINE, media_types=frozenset({"application/pdf"}), task=TaskType.RENDER_PAGE_IMAGES, version=1
)
_LIVELY = ("/AA", "/A", "/Annots", "/PieceInfo", "/Metadata")  # of a page: what acts, and what tells more than it shows


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """All parts in order; one that can't be opened is named, and the others stand."""
    import pikepdf

    parts = binding_order(options.order).parts
    with ExitStack() as opened, source.open() as file:
        whole = opened.enter_context(pikepdf.new())
        placed: list[tuple[Part, int]] = []
        for part in parts:
            data, first = file.read(part.length), len(whole.pages)
            try:
                pages = opened.enter_context(pikepdf.open(io.BytesIO(data))).pages
                whole.pages.extend(_plain(page) for page in pages)
            except (pikepdf.PikepdfError, ValueError, TypeError, RuntimeError) as error:
                yield Trouble(code=Code.HANDLER_ERROR, detail=f"{part.title}: {type(error).__name__}: {error}")
            if len(whole.pages) > first:
                placed.append((part, first))
        _bookmark(whole, placed)
        count, target = len(whole.pages), scratch / "bound.pdf"
        whole.save(target, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    yield Artifact(kind=ArtifactKind.PDF, data=target, media_type="application/pdf", amount=count)


def _plain(page: Any) -> Any:
    for name in _LIVELY:
        if name in page:
            del page[name]
    return page


def _bookmark(whole: Any, placed: Sequence[tuple[Part, int]]) -> None:
    import pikepdf

    with whole.open_outline() as outline:
        above: list[Any] = []
        for part, first in placed:
            item = pikepdf.OutlineItem(part.title, first)
            del above[part.depth :]
            (above[-1].children if above else outline.root).append(item)
            above.append(item)
