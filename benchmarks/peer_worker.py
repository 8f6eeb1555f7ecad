"""One extraction library in a warm process: python -m benchmarks.peer_worker NAME. Started by benchmarks.peer_process.

Runs with the peers' own Python too, so it imports nothing but the standard library before it knows which one it is.
Reads a path a line, answers a JSON object a line: `said` (text and metadata values) and `error`.
"""

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Extract = Callable[[str], str]
MAX_CHARS = 100_000_000


def kreuzberg() -> Extract:
    """Without its cache, which would keep texts in the home folder, and without OCR, which nobody here does."""
    library: Any = import_module("kreuzberg")
    config = library.ExtractionConfig(use_cache=False, disable_ocr=True)

    def extract(path: str) -> str:
        result = library.extract_file_sync(path, config=config)
        return said(result.content, dict(result.metadata or {}))

    return extract


def extractous() -> Extract:
    library: Any = import_module("extractous")
    pdf = library.PdfParserConfig().set_ocr_strategy(library.PdfOcrStrategy.NO_OCR)
    extractor = library.Extractor().set_extract_string_max_length(MAX_CHARS).set_pdf_config(pdf)
    return lambda path: said(*extractor.extract_file_to_string(path))


def markitdown() -> Extract:
    library: Any = import_module("markitdown")
    converter = library.MarkItDown(enable_plugins=False)
    return lambda path: said(converter.convert_local(path).markdown, {})


def redwell() -> Extract:
    """The handlers alone, members too: no child, no sandbox, nothing kept."""
    import tempfile

    from benchmarks.floor import Parser

    parser = Parser(Path(tempfile.mkdtemp(prefix="redwell-peers-")))

    def extract(path: str) -> str:
        file = Path(path)
        return "\n".join(found.text for found in parser.parse(file.read_bytes(), file.name))

    return extract


ENGINES = {engine.__name__: engine for engine in (kreuzberg, extractous, markitdown, redwell)}


def said(text: str, metadata: dict[str, Any]) -> str:
    """Whatever a reader could find the fact in."""
    return "\n".join([text, *map(str, metadata.values())])


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)  # libraries print what they like; only answers go where answers are read
    extract = ENGINES[sys.argv[1]]()
    print(json.dumps({"said": "", "error": ""}), file=answers, flush=True)
    for line in sys.stdin:
        answer = {"said": "", "error": ""}
        try:
            answer["said"] = extract(line.rstrip("\n"))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a panic of a Rust library is no Exception
            answer["error"] = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
