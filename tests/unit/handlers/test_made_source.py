"""An archive made for a decoder is a source like any other, in memory or on the disk."""

from pathlib import Path

import pytest

from redwell.handlers.structures.made_source import MadeSource


@pytest.mark.parametrize("count", [1, 5])
def test_it_reads_opens_and_lies_in_a_file(count: int, tmp_path: Path) -> None:
    chunk = bytes(range(256)) * 2048
    made = MadeSource([chunk] * count, tmp_path / "made")
    assert made.size == len(chunk) * count
    with made.open() as file:
        assert file.read() == made.read() == made.path().read_bytes() == chunk * count
