"""What a child is asked to make of a PDF that goes out: the text of core.handler.Options.order. Pure.

Written by whoever produces, in the parent; read by the handlers of `handlers.produce`, in a child.
"""

from typing import Literal

import msgspec

from redwell.core.compression import PRODUCED_QUALITY
from redwell.core.page_words import Word

PAGES_ENGINE, BINDING_ENGINE, LAYERS_ENGINE = "produced-pages", "bound-pdf", "inner-layers"
REDACTED = "REDACTED"


class Box(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place on a page, in fractions of it as it is shown: 0 is the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float
    label: str = REDACTED


class PrintOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Pages from `Options.first_page` on, one for each number; what has fewer pages repeats its last one."""

    numbers: list[str]
    designation: str = ""
    dpi: int = 300
    form: Literal["images", "pdf"] = "images"
    tiff: str = "group4"  # of core.compression.TIFF_PACKING
    shades: Literal["jpeg", "tiff"] = "jpeg"  # of pages with colours or shades
    quality: int = PRODUCED_QUALITY
    hidden: dict[int, list[Box]] = {}  # by page
    layer: bool = False  # of a PDF: whether words stand behind its pages
    words: str = ""  # the file with those that were recognised (`recognised`); others are the pages' own


class Part(msgspec.Struct, frozen=True, array_like=True, gc=False):
    title: str
    length: int
    depth: int = 0  # below the part before it that has a smaller one


class BindingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """PDFs that lie one behind the other in the source, to be made one with a bookmark for each."""

    parts: list[Part]


class LayersOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Runs of words that are looked for in everything that a file holds."""

    words: list[tuple[str, ...]]
    pictures: bool = False  # those inside of it are handed out, to be recognised


class FoundInside(msgspec.Struct, frozen=True, array_like=True, gc=False):
    words: tuple[str, ...]
    place: str  # where in the file


def written(order: PrintOrder | BindingOrder | LayersOrder) -> str:
    return msgspec.json.encode(order).decode()


recognised = msgspec.json.Decoder(dict[int, list[Word]]).decode  # by page
print_order = msgspec.json.Decoder(PrintOrder).decode
binding_order = msgspec.json.Decoder(BindingOrder).decode
layers_order = msgspec.json.Decoder(LayersOrder).decode
found_inside = msgspec.json.Decoder(list[FoundInside]).decode
