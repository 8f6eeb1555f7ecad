"""The pages of an exhibit, one row for each: what was made of it, and what is still missing. Pure.

The rows are the artifacts of its content, which carry the number of their page and are shared by all exhibits with that
content: none is written twice, a rendition is seen as soon as it ends, and a document without pages has none.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from redwell.core.artifacts import ArtifactKind
from redwell.core.case.rows import MadeArtifact

_OF_PAGES = frozenset(
    {
        ArtifactKind.PAGE_IMAGE,
        ArtifactKind.THUMBNAIL,
        ArtifactKind.PAGE_TEXT,
        ArtifactKind.WORD_BOXES,
        ArtifactKind.OCR_TEXT,
    }
)


class _Figures(msgspec.Struct):
    width: int = 0
    height: int = 0
    quality: float | None = None


class ExhibitPage(NamedTuple):
    """Each part by the SHA-256 of its bytes; None: it was not made."""

    number: int  # from 1 on
    image: str | None = None
    media_type: str | None = None  # of the image
    width: int = 0
    height: int = 0
    thumbnail: str | None = None
    text: str | None = None  # of its own
    words: str | None = None  # where they stand
    chars: int = 0  # of its own text, and of what was recognised
    recognised: str | None = None
    quality: float | None = None  # of the recognition


class Pages(NamedTuple):
    asked: int  # as many as the document has, or else the last that something was made of
    rows: Sequence[ExhibitPage]  # of these, in their order

    @property
    def missing(self) -> list[int]:
        return [row.number for row in self.rows if row.image is None]


def pages_of(own: int | None, artifacts: Iterable[MadeArtifact]) -> Pages:
    """`own`: how many pages the document itself says that it has; its PDF knows better."""
    pdf, by_page = 0, dict[int, dict[str, MadeArtifact]]()
    for made in artifacts:
        if made.kind in _OF_PAGES and made.number > 0:
            by_page.setdefault(made.number, {})[made.kind] = made
        elif made.kind == ArtifactKind.PDF:
            pdf = made.amount
    asked = pdf or own or max(by_page, default=0)
    if not by_page:
        return Pages(asked, ())
    return Pages(asked, [_page(number, by_page.get(number, {})) for number in range(1, max(asked, *by_page) + 1)])


def _page(number: int, made: dict[str, MadeArtifact]) -> ExhibitPage:
    image, read = made.get(ArtifactKind.PAGE_IMAGE), made.get(ArtifactKind.OCR_TEXT)
    size = _figures(image)
    texts = [made[kind].amount for kind in (ArtifactKind.PAGE_TEXT, ArtifactKind.OCR_TEXT) if kind in made]
    return ExhibitPage(
        number=number,
        image=_hash(image),
        media_type=image.media_type if image else None,
        width=size.width,
        height=size.height,
        thumbnail=_hash(made.get(ArtifactKind.THUMBNAIL)),
        text=_hash(made.get(ArtifactKind.PAGE_TEXT)),
        words=_hash(made.get(ArtifactKind.WORD_BOXES)),
        chars=sum(texts),
        recognised=_hash(read),
        quality=_figures(read).quality,
    )


def _hash(made: MadeArtifact | None) -> str | None:
    return made.sha256.hex() if made else None


def _figures(made: MadeArtifact | None) -> _Figures:
    return msgspec.json.decode(made.figures, type=_Figures) if made else _Figures()
