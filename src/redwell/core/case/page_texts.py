"""The text of a document, with what was recognised on its pages. Pure; the index, listings and verify all ask here."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

PAGE_END = "\f"


class RecognisedPage(NamedTuple):
    """A page and the blob of its words; it `replaces` the page's own ones where these are junk."""

    page: int
    sha256: bytes
    replaces: bool = False


def joined_text(read: str, recognised: Mapping[int, str], replaced: Collection[int] = ()) -> str:
    """Page by page where the reading has pages, a page's own words first; else the recognised pages behind it.

    Pages are counted from 1, and are parted by form feeds. Nothing that was read is left out, but for the words of
    pages that are `replaced`.
    """
    if not recognised:
        return read
    pages = read.split(PAGE_END)
    if len(pages) == 1 and len(recognised) > 1:  # one run of text: nothing says where a page of it ends
        own = [read] if read.strip() else []
        return PAGE_END.join([*own, *(recognised[number] for number in sorted(recognised))])
    own_words = ("" if number in replaced else text for number, text in enumerate(pages, 1))
    joined = [_page(text, recognised.get(number, "")) for number, text in enumerate(own_words, 1)]
    behind = [recognised[number] for number in sorted(recognised) if number > len(pages)]
    return PAGE_END.join([*joined, *behind])


def _page(own: str, recognised: str) -> str:
    if not recognised:
        return own
    return f"{own.rstrip()}\n{recognised}" if own.strip() else recognised
