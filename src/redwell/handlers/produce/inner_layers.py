"""Handler that looks for words in everything that a file holds, before it goes out. Runs in a child; asked for by name.

It reads less well than those that read evidence, and leaves nothing out: what they pass over is what gives words away.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, HandlerSpec, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.production.leak_finder import Finder
from redwell.core.production.orders import LAYERS_ENGINE, FoundInside, layers_order
from redwell.core.work.kinds import TaskType
from redwell.handlers.produce.layers import Closed, Layer, Picture, layers_of

SPEC = HandlerSpec(
    name=LAYERS_ENGINE, media_types=frozenset({"application/pdf"}), task=TaskType.RENDER_PAGE_IMAGES, version=1
)
_MOST_PICTURES = 40


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """What was found, then pictures that somebody has to recognise; what could not be opened is named."""
    order = layers_order(options.order)
    finder, found, pictures = Finder(order.words), dict[FoundInside, None](), dict[bytes, Picture]()
    for layer in layers_of(source.read()):
        match layer:
            case Layer():
                for words in finder.found_in(layer.text):
                    found[FoundInside(words, layer.place)] = None
            case Picture():
                pictures.setdefault(layer.data, layer)
            case Closed():
                yield Trouble(code=Code.HANDLER_ERROR, detail=f"{layer.place}: {layer.why}")
    if order.pictures:
        if len(pictures) > _MOST_PICTURES:
            yield Trouble(code=Code.LIMIT_REACHED, detail=f"{len(pictures):,} pictures, {_MOST_PICTURES} looked at")
        for number, picture in enumerate(list(pictures.values())[:_MOST_PICTURES], 1):
            yield Artifact(
                kind=ArtifactKind.PAGE_IMAGE, data=picture.data, media_type=picture.media_type, number=number
            )
    yield Artifact(
        kind=ArtifactKind.STRUCTURED_DATA, data=msgspec.json.encode(list(found)), media_type="application/json"
    )
