"""What a PDF holds beside what its pages show: notes, bookmarks, properties, files, earlier versions. In a child."""

import io
import re
import zlib
from collections.abc import Iterator
from typing import Any

_STREAM = re.compile(rb"stream\r?\n")
_SHOWN = re.compile(rb"\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]+>")
_ESCAPED = re.compile(rb"\\([nrtbf()\\]|[0-7]{1,3}|\r?\n)")
_MOST = 64 << 20


def pdf_parts(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    yield from _pages(data)
    yield from _objects(data)
    yield "streams", _streams(data)


def _pages(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """All text of the pages, be it invisible or on a layer that is switched off."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        yield "pages", f"{type(error).__name__}: {error}"
        return
    try:
        for number in range(len(pdf)):
            try:
                yield f"page {number + 1}", _page_text(pdf[number]).encode("utf-8", "replace")
            except pypdfium2.PdfiumError as error:
                yield f"page {number + 1}", f"{type(error).__name__}: {error}"
    finally:
        pdf.close()


def _page_text(page: Any) -> str:
    words = page.get_textpage()
    try:
        text: str = words.get_text_range()
        return text
    finally:
        words.close()
        page.close()


def _objects(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """Every string, and every stream that is neither a picture nor what a page draws."""
    import pikepdf

    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            said = list[str]()
            for at, each in enumerate(pdf.objects):
                _strings(each, said)
                if isinstance(each, pikepdf.Stream) and _is_file(each):
                    try:
                        yield f"stream {at}", each.read_bytes()
                    except (pikepdf.PikepdfError, ValueError, RuntimeError) as error:
                        yield f"stream {at}", f"{type(error).__name__}: {error}"
            _strings(pdf.trailer, said)
            yield "notes, bookmarks, forms and properties", "\n".join(said).encode("utf-8", "replace")
    except pikepdf.PasswordError:
        yield "objects", "it has a password"
    except (pikepdf.PikepdfError, ValueError, TypeError, RuntimeError, KeyError):
        return  # pages and streams are looked at all the same


def _is_file(stream: Any) -> bool:
    kind = (str(stream.get("/Type", "")), str(stream.get("/Subtype", "")))
    return bool({"/EmbeddedFile", "/Metadata", "/XML"} & set(kind)) or kind == ("", "")


def _strings(each: Any, said: list[str], depth: int = 0) -> None:
    import pikepdf

    if isinstance(each, pikepdf.String):
        said.append(str(each))
    elif depth < 6 and isinstance(each, pikepdf.Array):
        for inner in each:
            _direct(inner, said, depth)
    elif depth < 6 and isinstance(each, pikepdf.Dictionary | pikepdf.Stream):
        for _, inner in each.items():
            _direct(inner, said, depth)


def _direct(inner: Any, said: list[str], depth: int) -> None:
    import pikepdf

    if isinstance(inner, pikepdf.Object) and not inner.is_indirect:  # others come by themselves
        _strings(inner, said, depth + 1)


def _streams(data: bytes) -> bytes:
    """What any stream shows as simple letters, those of earlier versions of the file among them."""
    said = list[bytes]()
    for found in _STREAM.finditer(data):
        try:
            text = zlib.decompressobj().decompress(data[found.end() : found.end() + _MOST], _MOST)
        except zlib.error:
            text = data[found.end() : max(found.end(), data.find(b"endstream", found.end()))]
        if b"Tj" in text or b"TJ" in text:
            shown = [_letters(each) for each in _SHOWN.findall(text)]
            said += [b"".join(shown), b" ".join(shown)]  # a word may be shown in pieces
    return b"\n".join(said)


def _letters(shown: bytes) -> bytes:
    if shown.startswith(b"<"):
        digits = b"".join(shown[1:-1].split()).decode("ascii")
        return bytes.fromhex(digits + "0" * (len(digits) % 2))
    return _ESCAPED.sub(lambda found: found[1] if len(found[1]) == 1 and found[1] in b"()\\" else b" ", shown[1:-1])
