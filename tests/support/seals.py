"""Signs and encrypts for tests, with keys made on the spot."""

from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import NameOID

_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
_NAME = x509.Name(
    [x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Co"), x509.NameAttribute(NameOID.COMMON_NAME, "Ann Lee")]
)
CERTIFICATE = (
    x509.CertificateBuilder()
    .subject_name(_NAME)
    .issuer_name(_NAME)
    .public_key(_KEY.public_key())
    .serial_number(0xABC)
    .not_valid_before(datetime(2020, 1, 1))
    .not_valid_after(datetime(2020, 1, 1) + timedelta(days=36_500))
    .sign(_KEY, hashes.SHA256())
)
_SMIME_TYPE = bytes.fromhex("2a864886f70d01091001")
_DER = serialization.Encoding.DER


def signed(content: bytes, *, detached: bool = False) -> bytes:
    builder = pkcs7.PKCS7SignatureBuilder().set_data(content).add_signer(CERTIFICATE, _KEY, hashes.SHA256())
    options = [pkcs7.PKCS7Options.Binary, *([pkcs7.PKCS7Options.DetachedSignature] if detached else [])]
    return builder.sign(_DER, options)


def encrypted(content: bytes) -> bytes:
    return pkcs7.PKCS7EnvelopeBuilder().set_data(content).add_recipient(CERTIFICATE).encrypt(_DER, [])


def timestamped(content: bytes, name: str = "", *, moment: str = "20140203040506Z") -> bytes:
    """A file with a timestamp; of the authority's token only what tells the moment."""
    told = _der(0x30, b"\x01\x01\0" + _der(0x0C, name.encode())) if name else b""
    token = _der(0x30, _der(0x06, _SMIME_TYPE + b"\x04") + _der(0xA0, _der(0x04, _der(0x18, moment.encode()))))
    proof = _der(0xA0, _der(0x30, token))
    body = _der(0x30, b"\x02\x01\x01" + told + _der(0x04, content) + proof)
    return _der(0x30, _der(0x06, _SMIME_TYPE + b"\x1f") + _der(0xA0, body))


def _der(tag: int, body: bytes) -> bytes:
    size = bytes([len(body)]) if len(body) < 0x80 else b"\x82" + len(body).to_bytes(2, "big")
    return bytes([tag]) + size + body


def loosely(der: bytes) -> bytes:
    """The same message in BER as streaming programs write it: no lengths outside, the content in pieces."""
    return _loosened(der, 0)


def _loosened(der: bytes, depth: int) -> bytes:
    out, at = b"", 0
    while at < len(der):
        tag, inner, end = _element(der, at)
        body = der[inner:end]
        if tag == 0x04 and depth >= 4 and len(body) > 20:
            pieces = b"".join(
                b"\x04" + bytes([len(body[n : n + 10])]) + body[n : n + 10] for n in range(0, len(body), 10)
            )
            out += b"\x24\x80" + pieces + b"\0\0"
        elif (tag == 0x30 and depth < 4) or (tag == 0xA0 and depth in (1, 4)):  # certificates stay as they are
            out += bytes([tag, 0x80]) + _loosened(body, depth + 1) + b"\0\0"
        else:
            out += der[at:end]
        at = end
    return out


def _element(der: bytes, at: int) -> tuple[int, int, int]:
    length, inner = der[at + 1], at + 2
    if length > 0x80:
        inner += length & 0x7F
        length = int.from_bytes(der[at + 2 : inner], "big")
    return der[at], inner, inner + length
