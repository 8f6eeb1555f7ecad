"""What a child is asked to make of a PDF that goes out: the text of core.handler.Options.order. Pure.

Written by whoever produces, in the parent; read by the handlers of `handlers.produce`, in a child.
"""

from typing import Literal

import msgspec

PAGES_ENGINE, BINDING_ENGINE = "produced-pages", "bound-pdf"
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
    hidden: dict[int, list[Box]] = {}  # by page


class Part(msgspec.Struct, frozen=True, array_like=True, gc=False):
    title: str
    length: int
    depth: int = 0  # below the part before it that has a smaller one


class BindingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """PDFs that lie one behind the other in the source, to be made one with a bookmark for each."""

    parts: list[Part]


def written(order: PrintOrder | BindingOrder) -> str:
    return msgspec.json.encode(order).decode()


print_order = msgspec.json.Decoder(PrintOrder).decode
binding_order = msgspec.json.Decoder(BindingOrder).decode
