"""Pictures inside a PDF, as files of their own where the setting `embedded_images` asks. Runs in a child."""

import io
from collections.abc import Iterator
from functools import partial
from typing import Any

from redwell.core.errors import InvalidFile, TooLarge, Unsupported
from redwell.core.handler import HashKind, Options
from redwell.handlers.pdf.pdf_objects import array, dictionary, is_stream
from redwell.handlers.pdf.pdf_opening import PDF_ERRORS
from redwell.handlers.structures.embedded import Embedded

_AS_IT_IS = {"/DCTDecode": "jpg", "/JPXDecode": "jp2"}
_MOST_FORMS = 10_000
_MOST_PIXELS = 200_000_000


def pictures(pdf: Any, options: Options) -> list[Embedded]:
    """Each picture that pages draw, once. JPEG files come out as they are; others have no file, and one is made."""
    if not options.embedded_images:
        return []
    found: list[Embedded] = []
    seen: set[tuple[int, int]] = set()
    for number, page in enumerate(pdf.pages, 1):
        for image in _drawn(page.obj, seen):
            extension = _AS_IT_IS.get(_filter(image))
            name = f"page {number} picture {len(found) + 1}"
            take = partial(_raw, f"{name}.{extension}", image) if extension else partial(_made, name, image, options)
            kind: HashKind = "bytes" if extension else "synthetic"
            found.append(Embedded(f"im:{len(found)}", name, take, role="inline", hash_kind=kind))
            if len(found) > options.max_members:
                return found
    return found


def _drawn(page: Any, seen: set[tuple[int, int]]) -> Iterator[Any]:
    """Pictures among a page's objects and in the forms that it draws; the stencils of other pictures are none."""
    waiting = [dictionary(_inherited(page, "/Resources"))]
    for _ in range(_MOST_FORMS):
        if not waiting:
            return
        objects = dictionary(waiting.pop().get("/XObject"))
        for key in sorted(objects.keys()):  # pikepdf gives them in an order that is another in every process
            drawn = objects[key]
            if not is_stream(drawn) or drawn.objgen in seen:
                continue
            seen.add(drawn.objgen)
            kind = str(drawn.get("/Subtype", ""))
            if kind == "/Image" and not drawn.get("/ImageMask", False):
                yield drawn
            elif kind == "/Form":
                waiting.append(dictionary(drawn.get("/Resources")))


def _inherited(page: Any, key: str) -> Any:
    for _ in range(50):
        if key in page or "/Parent" not in page:
            break
        page = page["/Parent"]
    return page.get(key)


def _filter(image: Any) -> str:
    """The one filter of the stream; empty where there are several."""
    told = image.get("/Filter")
    names = [str(each) for each in array(told)] or ([str(told)] if told is not None else [])
    return names[0] if len(names) == 1 else ""


def _raw(name: str, image: Any) -> tuple[str, bytes]:
    try:
        return name, bytes(image.read_raw_bytes())
    except _damages() as error:
        raise InvalidFile(f"the picture is damaged: {type(error).__name__}") from None


def _made(name: str, image: Any, options: Options) -> tuple[str, bytes]:
    import pikepdf
    from pikepdf.models.image import UnsupportedImageTypeError

    pixels = _number(image, "/Width") * _number(image, "/Height")
    if pixels > min(_MOST_PIXELS, options.max_member_bytes):
        raise TooLarge(f"the picture has {pixels} pixels")
    buffer = io.BytesIO()
    try:
        extension = pikepdf.PdfImage(image).extract_to(stream=buffer)
    except (UnsupportedImageTypeError, NotImplementedError) as error:
        raise Unsupported(f"a picture of this kind is not taken out: {type(error).__name__}") from None
    except _damages() as error:
        raise InvalidFile(f"the picture is damaged: {type(error).__name__}") from None
    return name + extension, buffer.getvalue()


def _number(image: Any, key: str) -> int:
    told = image.get(key, 0)
    return int(told) if isinstance(told, int) else 0


def _damages() -> tuple[type[Exception], ...]:
    import pikepdf

    return (pikepdf.PikepdfError, OSError, SyntaxError, *PDF_ERRORS)
