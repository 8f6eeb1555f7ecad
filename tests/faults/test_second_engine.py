"""The second engine reads, inside the sandbox, what Tesseract can not. Needs the extra `ocr-second` and its models."""

from pathlib import Path

import pytest
from tests.support.pdf_files import saved
from tests.support.product import ask, redwell
from tests.support.scans import blurred, noisy, page_of, pdf_of, shaded, skewed

from redwell.handlers.engines import rapid

pytestmark = [pytest.mark.engines, pytest.mark.requirement("B5")]
CASE = ("--case", "A")


def test_a_page_that_tesseract_reads_nothing_of_is_read_by_the_second_engine(tmp_path: Path) -> None:
    home, evidence = tmp_path / "home", tmp_path / "in"
    evidence.mkdir()
    hard = noisy(blurred(shaded(skewed(page_of().picture, 6)), 4), 0.08)
    (evidence / "hard.pdf").write_bytes(saved(pdf_of(hard)))
    run = redwell(home, "import", str(evidence), *CASE, "--set", "ocr=auto", "--set", "ocr_second=yes", timeout=500)
    assert run.returncode == 0, run.stderr
    assert ask(home, "search", *CASE, '"insurance company"').stderr.startswith("1 hit")
    first = redwell(home, "get", "RW00000001", "--other", "1", *CASE)
    assert (first.returncode, "insurance" in first.stdout) == (0, False), "what Tesseract read of the page as it was"
    assert rapid.tool().version[0].isdigit()
