"""OpenDocument files that a password protects, in the old way and in the new."""

import base64
import hashlib
import zlib
from pathlib import Path

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from tests.support.office_files import odf, zipped
from tests.support.pieces import Pieces, read

from redwell.core.errors import PasswordProtected
from redwell.handlers.office import office
from redwell.handlers.sheets import spreadsheet

pytestmark = pytest.mark.requirement("A7", "A20")

TEXT = "application/vnd.oasis.opendocument.text"
SHEET = "application/vnd.oasis.opendocument.spreadsheet"
CONTENT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body>{}</office:body>'
    "</office:document-content>"
)
WORDS = "<office:text>" + "".join(f"<text:p>Lease {number}</text:p>" for number in range(900)) + "</office:text>"
CELLS = (
    '<office:spreadsheet><table:table table:name="Rent"><table:table-row>'
    '<table:table-cell office:value-type="string"><text:p>1200 EUR</text:p></table:table-cell>'
    "</table:table-row></table:table></office:spreadsheet>"
)
SALT, VECTOR = bytes(range(16)), bytes(range(16, 32))


def _said(data: bytes) -> str:
    return base64.b64encode(data).decode()


def locked(body: str, media_type: str, *, old: bool, scheme: str = "") -> bytes:
    """As the suites write it: deflated, then encrypted, with the checksum of what was deflated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(CONTENT.format(body).encode()) + packer.flush()
    digest = hashlib.sha1 if old else hashlib.sha256
    key = hashlib.pbkdf2_hmac("sha1", digest("gehéim".encode()).digest(), SALT, 1024, 16 if old else 32)
    padding = 16 - len(packed) % 16
    padded = packed if old else packed + bytes(padding - 1) + bytes([padding])
    engine = Cipher(Blowfish(key), CFB(VECTOR[:8])) if old else Cipher(AES(key), CBC(VECTOR))
    name = scheme or ("Blowfish CFB" if old else "http://www.w3.org/2001/04/xmlenc#aes256-cbc")
    how = (
        f'<m:encryption-data m:checksum-type="{"SHA1/1K" if old else "urn:x#sha256-1k"}" '
        f'm:checksum="{_said(digest(packed[:1024]).digest())}"><m:algorithm m:algorithm-name="{name}" '
        f'm:initialisation-vector="{_said(VECTOR[:8] if old else VECTOR)}"/><m:key-derivation m:key-size="{len(key)}" '
        f'm:iteration-count="1024" m:salt="{_said(SALT)}"/>'
        + ("" if old else '<m:start-key-generation m:start-key-generation-name="http://x#sha256"/>')
    )
    entry = f'<m:file-entry m:full-path="content.xml">{how}</m:encryption-data></m:file-entry>'
    encryptor = engine.encryptor()
    return zipped(
        {
            "mimetype": media_type,
            "content.xml": encryptor.update(padded) + encryptor.finalize(),
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="m">{entry}</m:manifest>',
        }
    )


def opened(data: bytes, tmp_path: Path, *passwords: str) -> Pieces:
    return read(office, data, tmp_path, media_type=TEXT, passwords=passwords)


@pytest.mark.parametrize("old", [True, False], ids=["blowfish", "aes"])
def test_the_right_password_opens_a_document_and_no_other(old: bool, tmp_path: Path) -> None:
    data = locked(WORDS, TEXT, old=old)
    pieces = opened(data, tmp_path, "wrong", "gehéim")
    assert "Lease 899\n" in pieces.text and pieces.metadata["encrypted"] is True and pieces.error is None
    for passwords in ((), ("wrong",)):
        assert isinstance(opened(data, tmp_path, *passwords).error, PasswordProtected)


def test_the_right_password_opens_a_sheet(tmp_path: Path) -> None:
    data = locked(CELLS, SHEET, old=False)
    pieces = read(spreadsheet, data, tmp_path, media_type=SHEET, passwords=("gehéim",))
    assert pieces.passwords.has_opened
    assert pieces.text == "Rent\n1200 EUR\n" and pieces.metadata["encrypted"] is True


def test_a_way_that_is_not_known_is_named(tmp_path: Path) -> None:
    error = opened(locked(WORDS, TEXT, old=False, scheme="http://x#aes256-gcm"), tmp_path, "gehéim").error
    assert isinstance(error, PasswordProtected) and "aes256-gcm" in str(error)


def test_a_document_that_is_not_protected_is_not_called_so(tmp_path: Path) -> None:
    assert "encrypted" not in opened(odf("<office:text><text:p>open</text:p></office:text>", TEXT), tmp_path).metadata
