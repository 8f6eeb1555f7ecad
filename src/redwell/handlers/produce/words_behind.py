"""Words behind the pictures of a PDF that goes out: it can be searched, and looks as before. Called in a child."""

import io
from collections.abc import Sequence
from typing import Any

from redwell.core.page_words import Word
from redwell.handlers.structures.pages.glyphless_font import GlyphlessFonts

_FONT = "RwWord"
_DESCENT = 0.25  # of a line's height below its base


def with_words(pdf: bytes, pages: Sequence[Sequence[Word]]) -> bytes:
    """The same PDF; the same words give the same bytes."""
    import pikepdf

    fonts, out = GlyphlessFonts(), io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as made:
        layers = [_layer(page, words, fonts) for page, words in zip(made.pages, pages, strict=True)]
        named = pikepdf.Dictionary({f"/{_FONT}{at}": font for at, font in enumerate(fonts.made(made))})
        for page, layer in zip(made.pages, layers, strict=True):
            if layer:
                page.contents_add(layer.encode())
                page.obj.Resources.Font = named
        made.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


def _layer(page: Any, words: Sequence[Word], fonts: GlyphlessFonts) -> str:
    left, bottom, right, top = (float(side) for side in page.mediabox)
    size = right - left, top - bottom
    shown = "".join(_shown(word, size, fonts) for word in words)
    return f" q BT 3 Tr {shown}ET Q" if shown else ""


def _shown(word: Word, size: tuple[float, float], fonts: GlyphlessFonts) -> str:
    """Each character as wide as the word allows, and a space that reaches towards the next."""
    width, height = (word.right - word.left) * size[0], (word.bottom - word.top) * size[1]
    if width <= 0 or height <= 0 or not word.text:
        return ""
    base = size[1] * (1 - word.bottom) + height * _DESCENT
    runs = "".join(
        f"/{_FONT}{font} {height:.2f} Tf <{codes.hex()}> Tj " for font, codes in fonts.shown(word.text + " ")
    )
    return f"{100 * width / (height * len(word.text)):.2f} Tz 1 0 0 1 {word.left * size[0]:.2f} {base:.2f} Tm {runs}"
