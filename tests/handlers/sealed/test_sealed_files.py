"""Signed files are opened, encrypted ones are named."""

import base64
import io
import struct
import zlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from tests.support.pieces import Pieces, read
from tests.support.seals import CERTIFICATE, encrypted, loosely, signed, timestamped

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.handlers.detect.detect import detect
from redwell.handlers.mail import smime_files

pytestmark = pytest.mark.requirement("A7", "A20")

CONTENT = b"%PDF-1.4 the contract, long enough to be cut into pieces"


def opened(data: bytes, tmp_path: Path, name: str = "contract.pdf.p7m") -> Pieces:
    return read(smime_files, data, tmp_path, name=name)


def kind(data: bytes) -> str:
    return detect(lambda: io.BytesIO(data), len(data), "x")


@pytest.mark.parametrize("encode", [bytes, loosely])
def test_what_was_signed_comes_out_byte_for_byte(encode: type[bytes], tmp_path: Path) -> None:
    pieces = opened(encode(signed(CONTENT)), tmp_path)
    assert (pieces.names, pieces.contents) == (["sealed content.pdf"], {"content": CONTENT})
    assert pieces.metadata["signed_by"] == ["CN=Ann Lee,O=Co"]
    assert pieces.metadata["signed_at"].endswith("Z")


def test_a_signed_pdf_is_a_signature_and_not_a_pdf_with_something_in_front() -> None:
    content = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n"
    assert {kind(data) for data in (signed(content), loosely(signed(content)))} == {"application/pkcs7-mime"}


def test_a_timestamped_file_comes_out_with_its_name_and_moment(tmp_path: Path) -> None:
    data = timestamped(CONTENT * 9, "C:\\deals\\contract.pdf")
    pieces = opened(data, tmp_path, "contract.pdf.tsd")
    assert (kind(data), pieces.names) == ("application/pkcs7-mime", ["contract.pdf"])
    assert (pieces.contents, pieces.declared) == ({"content": CONTENT * 9}, 1)
    assert pieces.metadata["timestamped_at"] == "2014-02-03T04:05:06Z"


def test_a_timestamped_file_without_a_name_is_named_by_its_type(tmp_path: Path) -> None:
    assert opened(timestamped(CONTENT * 9), tmp_path).names == ["sealed content.pdf"]


def test_an_armoured_one_is_opened_too(tmp_path: Path) -> None:
    data = b"-----BEGIN PKCS7-----\n" + base64.encodebytes(signed(CONTENT)) + b"-----END PKCS7-----\n"
    assert kind(data) == "application/pkcs7-mime"
    assert opened(data, tmp_path).contents == {"content": CONTENT}


def test_signed_mail_is_named_so_that_it_is_read_as_mail(tmp_path: Path) -> None:
    pieces = opened(signed(b"Content-Type: text/plain\r\n\r\nhello"), tmp_path, "smime.p7m")
    assert pieces.names == ["sealed message.eml"]


def test_a_signature_apart_from_its_content_says_who_signed(tmp_path: Path) -> None:
    data = signed(CONTENT, detached=True)
    assert kind(data) == "application/pkcs7-signature"
    pieces = opened(data, tmp_path, "smime.p7s")
    assert (pieces.metadata["signed_by"], pieces.is_container, pieces.error) == (["CN=Ann Lee,O=Co"], False, None)


def test_a_file_of_certificates_alone_names_them_and_nobody_signed(tmp_path: Path) -> None:
    data = pkcs7.serialize_certificates([CERTIFICATE], Encoding.DER)
    assert opened(data, tmp_path, "chain.p7b").metadata == {"certificates": ["CN=Ann Lee,O=Co"]}


@pytest.mark.parametrize("encode", [bytes, loosely])
def test_an_encrypted_one_needs_a_key_and_says_whose(encode: type[bytes], tmp_path: Path) -> None:
    pieces = opened(encode(encrypted(CONTENT)), tmp_path)
    assert isinstance(pieces.error, PasswordProtected)
    assert "(certificates: abc)" in str(pieces.error)


def _compressed(content: bytes) -> bytes:
    def element(tag: int, body: bytes) -> bytes:
        return struct.pack(">BBH", tag, 0x82, len(body)) + body

    name = bytes.fromhex("060b2a864886f70d0109100109")
    data = bytes.fromhex("06092a864886f70d010701") + element(0xA0, element(0x04, zlib.compress(content)))
    algorithm = element(0x30, bytes.fromhex("060b2a864886f70d0109100308"))
    return element(0x30, name + element(0xA0, element(0x30, b"\x02\x01\0" + algorithm + element(0x30, data))))


def test_a_compressed_one_is_unpacked_up_to_the_limit(tmp_path: Path) -> None:
    data = _compressed(b"Content-Type: text/plain\n\n" + b"x" * 5_000)
    assert kind(data) == "application/pkcs7-mime"
    assert opened(data, tmp_path, "smime.p7z").contents["content"].endswith(b"x" * 5_000)
    limited = read(smime_files, data, tmp_path, name="smime.p7z", max_member_bytes=1_000)
    assert "max_member" in str(limited.error)


@pytest.mark.parametrize(
    "data",
    [
        b"0\0",
        b"0\x80\0\0",
        b"0\x04\xa0\x02\x05\0",
        bytes.fromhex("300f06092a864886f70d010702a0023000")[:17],
        bytes.fromhex("300f06092a864886f70d010799a0023000"),
    ],
)
def test_a_seal_without_its_parts_holds_nothing_or_is_invalid(data: bytes, tmp_path: Path) -> None:
    pieces = read(smime_files, data, tmp_path, media_type="application/pkcs7-mime")
    assert isinstance(pieces.error, InvalidFile) or not pieces.contents


@pytest.mark.parametrize("length", [30, 200, 700])
def test_a_cut_off_one_is_invalid(length: int, tmp_path: Path) -> None:
    data = signed(CONTENT)[:length]
    assert isinstance(read(smime_files, data, tmp_path, media_type="application/pkcs7-mime").error, InvalidFile)


@pytest.mark.parametrize(
    "data",
    [
        b"-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
        b"\x85\x01\x0c\x03" + bytes(8) + b"\x01" + bytes(200),
        b"\x8c\x0d\x04\x09\x03\x08" + bytes(200),
    ],
)
def test_pgp_needs_a_key_too(data: bytes, tmp_path: Path) -> None:
    assert kind(data) == "application/pgp-encrypted"
    assert isinstance(opened(data, tmp_path, "x.pgp").error, PasswordProtected)
