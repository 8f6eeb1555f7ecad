"""Engines that are not installed: a remedy in place of a version, and documents that say what is missing."""

from pathlib import Path

import pytest

from redwell.core.errors import Unsupported
from redwell.handlers.engines import chromium, libreoffice, tesseract


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "_PLACES", ("/nowhere/soffice.bin",))
    monkeypatch.setattr(chromium, "_NAMES", ("no-such-browser",))
    monkeypatch.setattr(tesseract, "_folder", lambda: None)


@pytest.mark.parametrize("engine", [libreoffice, chromium, tesseract])
def test_a_missing_engine_says_how_to_get_it(engine: object) -> None:
    tool = engine.tool()  # type: ignore[attr-defined]
    assert (tool.version, tool.remedy.split()[:2]) == ("", ["apt-get", "install"])


def test_a_document_that_needs_a_missing_engine_is_unsupported_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=r"apt-get install libreoffice-writer-nogui .*then redwell retry --lacking"):
        next(libreoffice.to_pdf([libreoffice.Document(tmp_path, "docx")], tmp_path))
    with pytest.raises(Unsupported, match="apt-get install chromium-headless-shell, then redwell retry --lacking"):
        chromium.Browser()
    with pytest.raises(Unsupported, match="lacks eng: apt-get install tesseract-ocr-eng"):
        tesseract.recognise(None)
