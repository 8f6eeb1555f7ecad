"""Transcripts keep their text and say who was heard; formats that nobody has described say what to ask for."""

from pathlib import Path

import pytest
from tests.support.pieces import BytesSource, read, read_by_type
from tests.support.transcripts import dvt, left_margin, page_image

from redwell.core.errors import Unsupported
from redwell.core.outcomes import Code
from redwell.core.transcripts.layout import lay_out
from redwell.handlers.detect.detect import detect
from redwell.handlers.host.candidates import Candidates
from redwell.handlers.host.registry import load
from redwell.handlers.transcripts import opendvt, transcript
from redwell.runtime.bootstrap.handler_modules import BUILT_IN

pytestmark = pytest.mark.requirement("A21")


def chosen(data: bytes, name: str = "sample.txt") -> list[str]:
    source = BytesSource(data)
    media_type = detect(source.open, source.size, name)
    return [handler.spec.name for handler in Candidates(load(BUILT_IN)).of(media_type, source)]


def test_a_transcript_is_read_as_one_and_its_text_is_unchanged(tmp_path: Path) -> None:
    text = page_image(44, 3)
    found = read(transcript, text.replace("\n", "\r\n").encode(), tmp_path)
    assert found.text == text
    assert found.metadata["deponent"] == "JANE Q. ROE, M.D."
    layout = lay_out(found.text)
    assert layout is not None
    assert layout.cite(found.text.index("State your name")) == "44:13"


def test_it_is_offered_to_the_reader_of_transcripts_first_and_other_texts_are_not() -> None:
    assert chosen(left_margin(1, 2).encode()) == ["transcript", "text"]
    assert chosen(b"Dear Ann,\nplease see the letter.\n") == ["text"]
    assert chosen(b"a,b\n1,2\n", "table.csv") == ["text"]


def test_a_text_that_only_begins_like_one_is_left_to_the_reader_of_text(tmp_path: Path) -> None:
    data = b"DEPOSITION OF JANE ROE\nThe court reporter was late.\n" + b"words and words\n" * 500
    assert chosen(data) == ["transcript", "text"]
    assert isinstance(read(transcript, data, tmp_path).error, Unsupported)


def test_opendvt_is_known_by_its_root_and_read(tmp_path: Path) -> None:
    assert chosen(dvt(), "x.dvt") == ["opendvt"]
    found = read(opendvt, dvt(count=51), tmp_path)
    assert found.metadata["deponent"] == "Jané Roe"
    assert found.metadata["transcript_volume"] == 2
    assert found.text.startswith("00005:01    Q.   Why 0?\n")
    assert [trouble.code for trouble in found.troubles] == [Code.COUNT_MISMATCH]


@pytest.mark.parametrize("extension", ["lef", "ptx", "ptf", "cms", "xmef", "xmptf"])
def test_a_format_that_nobody_has_described_says_what_to_ask_for(extension: str, tmp_path: Path) -> None:
    found = read_by_type(bytes(range(256)) * 20, tmp_path, name=f"roe.{extension}")
    assert isinstance(found.error, Unsupported)
    assert "ask for the transcript as ASCII" in str(found.error)


def test_a_lef_that_is_a_zip_in_truth_is_opened_as_that() -> None:
    assert chosen(b"PK\x05\x06" + bytes(18), "roe.lef") != ["undescribed-transcript"]
