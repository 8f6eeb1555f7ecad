"""Who signed a Word or OpenDocument file."""

import base64
import warnings
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from tests.support.office_files import docx, odf, paragraph, with_parts
from tests.support.pieces import read_by_type
from tests.support.seals import CERTIFICATE

pytestmark = pytest.mark.requirement("A6")

_RAW = base64.b64encode(CERTIFICATE.public_bytes(Encoding.DER)).decode()
_TYPES = (
    '<Types><Default Extension="sig" '
    'ContentType="application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="document.main+xml"/></Types>'
)


def _signature(certificate: str) -> str:
    time = "<SignatureTime><Format>YYYY-MM-DDThh:mm:ssTZD</Format><Value>2024-05-06T07:08:09Z</Value></SignatureTime>"
    keys = f"<X509Data><X509Certificate>{certificate}</X509Certificate><X509Certificate>x</X509Certificate></X509Data>"
    return f"<Signature><KeyInfo>{keys}</KeyInfo><Object>{time}</Object></Signature>"


@pytest.mark.parametrize("certificate", [_RAW, "bm8gY2VydGlmaWNhdGU="])
def test_a_signed_word_document_says_who_signed_it_and_when(certificate: str, tmp_path: Path) -> None:
    parts = {"[Content_Types].xml": _TYPES, "_xmlsignatures/sig1.sig": _signature(certificate)}
    with warnings.catch_warnings(action="ignore"):  # the last of two parts with one name counts
        data = with_parts(docx(paragraph("Agreed")), parts)
    values = read_by_type(data, tmp_path).metadata
    assert (values["signed"], values["signed_at"]) == (True, "2024-05-06T07:08:09Z")
    assert values.get("signed_by") == ([CERTIFICATE.subject.rfc4514_string()] if certificate == _RAW else None)


def test_a_signed_open_document_says_so_even_where_the_signature_is_damaged(tmp_path: Path) -> None:
    data = odf("<text:p>Agreed</text:p>", "application/vnd.oasis.opendocument.text")
    whole = f"<s>{_signature(_RAW)}{_signature(_RAW)}</s>"
    values = read_by_type(with_parts(data, {"META-INF/documentsignatures.xml": whole}), tmp_path).metadata
    assert len(values["signed_by"]) == 2
    assert (
        read_by_type(with_parts(data, {"META-INF/documentsignatures.xml": "<s"}), tmp_path).metadata["signed"] is True
    )
    assert "signed" not in read_by_type(data, tmp_path).metadata
