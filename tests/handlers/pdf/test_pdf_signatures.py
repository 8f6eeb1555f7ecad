"""Signatures in PDF files: who signed, when and why, in the text and as fields."""

from pathlib import Path
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name, String
from tests.support import seals
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import Pieces, read

from redwell.handlers.pdf import pdf

pytestmark = pytest.mark.requirement("A6", "A7")


def _read(*fields: Any, tmp_path: Path) -> Pieces:
    document = document_of("Form")
    document.Root.AcroForm = Dictionary(Fields=Array([document.make_indirect(field) for field in fields]))
    return read(pdf, saved(document), tmp_path)


def _field(name: str, **more: Any) -> Any:
    return Dictionary(FT=Name.Sig, T=String(name), **more)


def _signed(**told: Any) -> Any:
    return _field("Approval", V=Dictionary(Type=Name.Sig, Filter=Name("/Adobe.PPKLite"), **told))


def test_a_signature_tells_signer_moment_and_reason_and_one_not_given_nothing(tmp_path: Path) -> None:
    told = {"M": String("D:20200304050607+01'00'"), "Reason": String("I agree"), "Location": String("Hamburg")}
    pieces = _read(_signed(Name=String("Jane Roe"), **told), _field("open"), tmp_path=tmp_path)
    line = "Approval: signed by Jane Roe, 2020-03-04T04:06:07Z, reason: I agree, location: Hamburg"
    assert pieces.text.splitlines()[1:] == [line]
    values = pieces.metadata
    assert (values["signed"], values["signed_by"], values["signed_at"]) == (True, ["Jane Roe"], "2020-03-04T04:06:07Z")


def test_the_certificate_in_a_signature_names_the_signer(tmp_path: Path) -> None:
    seal = seals.signed(b"the bytes of the file", detached=True) + bytes(
        64
    )  # writers leave room for it and fill it with zeros
    pieces = _read(_signed(Contents=String(seal), M=String("D:2020")), tmp_path=tmp_path)
    assert pieces.metadata["signed_by"] == ["CN=Ann Lee,O=Co"]
    assert pieces.text.splitlines()[1].startswith("Approval: signed by CN=Ann Lee,O=Co, 20")
    assert pieces.metadata["signed_at"] != "2020-01-01T00:00:00", "the time that was signed counts more"


def test_a_damaged_signature_leaves_the_words_beside_it(tmp_path: Path) -> None:
    pieces = _read(_signed(Contents=String(b"\x30\x82\xff\xff"), Reason=String("Approved")), tmp_path=tmp_path)
    assert pieces.text.splitlines()[1:] == ["Approval: signed, reason: Approved"]
    assert pieces.metadata["signed"] is True


def test_a_time_stamp_is_told_and_is_nobodys_signature(tmp_path: Path) -> None:
    stamp = _field("stamp", V=Dictionary(Type=Name.DocTimeStamp, M=String("D:20200304050607Z")))
    pieces = _read(stamp, tmp_path=tmp_path)
    assert pieces.text.splitlines()[1:] == ["stamp: time stamp, 2020-03-04T05:06:07Z"]
    assert "signed" not in pieces.metadata
