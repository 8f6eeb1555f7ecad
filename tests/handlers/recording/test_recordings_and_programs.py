"""Sound, film and programs: UNSUPPORTED, with what is cheap to know of them."""

import struct
from pathlib import Path

import pytest
from tests.support.other_documents import exe, sound
from tests.support.pieces import read

from redwell.core.errors import Unsupported
from redwell.handlers.archives import program
from redwell.handlers.media import recording

pytestmark = pytest.mark.requirement("A20")


def test_a_recording_is_unsupported_with_its_length(tmp_path: Path) -> None:
    pieces = read(recording, sound(), tmp_path)
    assert isinstance(pieces.error, Unsupported)
    assert (pieces.metadata["duration_s"], pieces.metadata["sample_rate_hz"]) == (0.5, 8000)


def test_tags_become_fields(tmp_path: Path) -> None:
    frames = b"".join(
        sign + struct.pack(">IH", len(text) + 1, 0) + b"\0" + text
        for sign, text in ((b"TIT2", b"Call"), (b"TPE1", b"Ann"))
    )
    tag = b"ID3\x03\0\0" + bytes((0, 0, 0, len(frames))) + frames
    values = read(recording, tag + bytes(64), tmp_path).metadata
    assert (values["title"], values["author"]) == ("Call", "Ann")


def test_a_damaged_recording_and_a_film_without_tags_are_unsupported(tmp_path: Path) -> None:
    for data in (sound()[:30], b"\x1aE\xdf\xa3" + bytes(40), b"fLaC\xff\xff\xff\xff"):
        assert isinstance(read(recording, data, tmp_path).error, Unsupported)


def test_a_program_tells_its_maker_and_when_it_was_linked(tmp_path: Path) -> None:
    pieces = read(program, exe(), tmp_path)
    assert isinstance(pieces.error, Unsupported)
    wanted = {"machine": "x64", "is_library": True, "created": "2017-07-14T02:40:00Z", "company": "Contoso"}
    assert {name: pieces.metadata[name] for name in wanted} == wanted


def test_a_program_that_is_cut_off_is_unsupported_without_fields(tmp_path: Path) -> None:
    pieces = read(program, exe()[:70], tmp_path, media_type="application/vnd.microsoft.portable-executable")
    assert isinstance(pieces.error, Unsupported)
    assert pieces.metadata == {}


def test_an_empty_string_of_its_maker_is_no_field(tmp_path: Path) -> None:
    data = exe().replace("Contoso\0".encode("utf-16-le"), 'l"\1Product\0'.encode("utf-16-le"))
    assert "company" not in read(program, data, tmp_path).metadata
