"""RapidOCR, the second engine for pages that Tesseract reads badly. Called by recognition, in the child.

An extra of its own (`pip install redwell[ocr-second]`): where it is not installed, nothing is missed but its help.
"""

import importlib.metadata
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

from redwell.core.page_words import Word
from redwell.core.wire import Tool


def tool() -> Tool:
    remedy = "pip install 'redwell[ocr-second]'"
    if not _is_there():
        return Tool(
            name="rapidocr", version=f"not installed, which ocr_second=yes alone needs: {remedy}", remedy=remedy
        )
    return Tool(name="rapidocr", version=importlib.metadata.version("rapidocr"), remedy=remedy)


def recognise(picture: Any) -> list[Word] | None:
    """The words of a PIL image in the order of its lines; None where the engine or its models are not there."""
    engine = _engine()
    if engine is None:
        return None
    import numpy

    found = engine(numpy.asarray(picture.convert("RGB")), return_word_box=False)
    if found.boxes is None or found.txts is None:
        return []
    lines = zip(found.boxes, found.txts, found.scores, strict=True)
    return [word for box, text, sure in lines for word in _words(box, text, float(sure), picture.size)]


def as_text(words: list[Word]) -> str:
    """A line for each row of words."""
    lines: list[str] = []
    last: Word | None = None
    for word in words:
        goes_on = last is not None and word.left > last.left and abs(word.top - last.top) < (last.bottom - last.top) / 2
        lines[-1:] = [f"{lines[-1]} {word.text}"] if goes_on else [*lines[-1:], word.text]
        last = word
    return "\n".join(lines)


def _words(box: Any, text: str, sure: float, size: tuple[int, int]) -> list[Word]:
    """The engine knows lines; each word has the part of its line that its letters take."""
    across, down = ([float(point[side]) / size[side] for point in box] for side in (0, 1))
    left, width = min(across), max(across) - min(across)
    words, at = [], 0
    for part in text.split():
        at = text.index(part, at)
        start, end = at / len(text), (at + len(part)) / len(text)
        words.append(Word(part, left + width * start, min(down), left + width * end, max(down), sure))
        at += len(part)
    return words


def _is_there() -> bool:
    """Only with models that came with the package: it would fetch others."""
    found = importlib.util.find_spec("rapidocr")
    if found is None or importlib.util.find_spec("onnxruntime") is None:
        return False
    folders = list(found.submodule_search_locations or [])
    return any(True for folder in folders for _ in Path(folder, "models").glob("*.onnx"))


@cache
def _engine() -> Any:
    if not _is_there():
        return None
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "critical", "EngineConfig.onnxruntime.intra_op_num_threads": 1})
