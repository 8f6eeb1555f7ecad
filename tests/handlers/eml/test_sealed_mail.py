"""Mail that is signed, encrypted, journaled or in pieces."""

import base64
from pathlib import Path

import pytest
from tests.support.pieces import Pieces, read
from tests.support.seals import encrypted, signed

from redwell.core.errors import PasswordProtected
from redwell.core.outcomes import Code
from redwell.handlers.mail import eml

pytestmark = pytest.mark.requirement("A7", "A20")

HEADER = b"From: ann@example.com\r\nTo: bo@example.com\r\nSubject: sealed\r\nMIME-Version: 1.0\r\n"
INSIDE = (
    b'Content-Type: multipart/mixed; boundary="cut"\r\n\r\n--cut\r\nContent-Type: text/plain\r\n\r\nthe real words\r\n'
    b'--cut\r\nContent-Type: text/csv; name="a.csv"\r\n\r\n1,2\r\n--cut--\r\n'
)


def opened(data: bytes, tmp_path: Path) -> Pieces:
    return read(eml, data, tmp_path, name="mail.eml")


def sealed_mail(seal: bytes, kind: str = "application/pkcs7-mime; name=smime.p7m") -> bytes:
    fields = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode()
    return HEADER + fields + base64.encodebytes(seal)


def test_an_opaquely_signed_mail_shows_what_was_signed(tmp_path: Path) -> None:
    pieces = opened(sealed_mail(signed(INSIDE)), tmp_path)
    assert (pieces.text, pieces.names, pieces.contents) == ("the real words", ["a.csv"], {"2": b"1,2"})
    assert (pieces.metadata["subject"], pieces.metadata["signed_by"]) == ("sealed", ["CN=Ann Lee,O=Co"])


def test_fields_that_are_told_outside_and_inside_of_a_seal_are_told_once(tmp_path: Path) -> None:
    found = opened(sealed_mail(signed(HEADER + INSIDE)), tmp_path).metadata
    assert (found["from"], found["to"], found["subject"]) == (["ann@example.com"], ["bo@example.com"], "sealed")


def test_a_mail_signed_twice_is_opened_twice(tmp_path: Path) -> None:
    fields = b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    pieces = opened(sealed_mail(signed(fields + base64.encodebytes(signed(INSIDE)))), tmp_path)
    assert pieces.text == "the real words"


def test_an_encrypted_mail_keeps_its_fields_and_needs_a_key(tmp_path: Path) -> None:
    pieces = opened(sealed_mail(encrypted(INSIDE)), tmp_path)
    assert isinstance(pieces.error, PasswordProtected)
    assert (pieces.metadata["subject"], pieces.metadata["encrypted"]) == ("sealed", True)


def test_pgp_mime_needs_a_key(tmp_path: Path) -> None:
    kind = b'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\r\n\r\n'
    parts = b"--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b--\r\n"
    pieces = opened(HEADER + kind + parts, tmp_path)
    assert isinstance(pieces.error, PasswordProtected)
    assert "PGP/MIME" in str(pieces.error)


def test_pgp_in_the_text_is_named_and_the_rest_stands(tmp_path: Path) -> None:
    body = b"\r\nsee below\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n-----END PGP MESSAGE-----\r\n"
    pieces = opened(HEADER + body, tmp_path)
    assert pieces.text.startswith("see below")
    assert [trouble.code for trouble in pieces.troubles] == [Code.TEXT_UNAVAILABLE]


def test_a_signed_file_sent_alone_is_an_attachment_and_not_the_text(tmp_path: Path) -> None:
    seal = signed(b"%PDF-1.4 binary")
    pieces = opened(sealed_mail(seal, "application/pkcs7-mime; name=contract.pdf.p7m"), tmp_path)
    assert (pieces.names, list(pieces.contents.values())) == (["contract.pdf.p7m"], [seal])


def test_a_damaged_seal_is_an_attachment(tmp_path: Path) -> None:
    pieces = opened(sealed_mail(signed(INSIDE)[:100]), tmp_path)
    assert (pieces.names, pieces.error) == (["smime.p7m"], None)


def test_a_clear_signature_is_noted_and_kept(tmp_path: Path) -> None:
    body = b'Content-Type: multipart/signed; boundary="s"\r\n\r\n--s\r\nContent-Type: text/plain\r\n\r\nclear\r\n'
    signature = b"--s\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nsig\r\n--s--\r\n"
    pieces = opened(HEADER + body + signature, tmp_path)
    assert (pieces.text, pieces.names, pieces.metadata["signed"]) == ("clear", ["smime.p7s"], True)


def test_a_journal_report_tells_every_recipient_and_passes_them_to_the_message(tmp_path: Path) -> None:
    envelope = (
        b"Sender: ann@example.com\r\nSubject: To: nobody\r\nMessage-Id: <1@example.com>\r\n"
        b"To: bo@example.com\r\nTo: cy@example.com, Expanded: team@example.com\r\nBcc: di@example.com\r\n"
        b"Cc: ed@example.com, Forwarded: flo@example.com\r\nRecipient: out@example.org\r\n"
    )
    report = (
        b"From: postmaster@example.com\r\nSubject: sealed\r\nX-MS-Journal-Report:\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: multipart/mixed; boundary=j\r\n\r\n--j\r\nContent-Type: text/plain\r\n\r\n"
        + envelope
        + b"--j\r\nContent-Type: message/rfc822\r\n\r\n"
        + HEADER
        + b"\r\ninner\r\n--j--\r\n"
    )
    pieces = opened(report, tmp_path)
    told = {
        "is_journal_report": True,
        "journal_sender": ["ann@example.com"],
        "journal_message_id": ["<1@example.com>"],
        "journal_to": ["bo@example.com", "cy@example.com"],
        "journal_cc": ["ed@example.com"],
        "journal_bcc": ["di@example.com"],
        "journal_recipients": ["out@example.org"],
        "journal_redirected_from": ["team@example.com", "flo@example.com"],
    }
    assert {name: value for name, value in pieces.metadata.items() if "journal" in name} == told
    assert dict(pieces.children["2"].metadata) == {"content_type": "message/rfc822", **told}


def test_recipients_in_an_ordinary_mail_s_text_make_no_envelope(tmp_path: Path) -> None:
    pieces = opened(HEADER + b"\r\nBcc: somebody@example.com\r\n", tmp_path)
    assert not [name for name in pieces.metadata if "journal" in name]


def test_a_piece_of_a_message_says_which_it_is(tmp_path: Path) -> None:
    pieces = opened(HEADER + b"Content-Type: message/partial; id=x; number=2; total=3\r\n\r\nmiddle\r\n", tmp_path)
    assert (pieces.metadata["partial_number"], pieces.metadata["partial_total"]) == ("2", "3")
    assert [trouble.partial for trouble in pieces.troubles] == [False]


def test_apple_mail_s_notes_become_fields(tmp_path: Path) -> None:
    plist = (
        b'<?xml version="1.0"?><plist version="1.0"><dict><key>flags</key><integer>17</integer>'
        b"<key>date-received</key><integer>1700000000</integer></dict></plist>"
    )
    message = HEADER + b"\r\nbody\r\n"
    pieces = read(eml, b"%d\n%s%s" % (len(message), message, plist), tmp_path, name="1.emlx")
    found = pieces.metadata
    assert (found["is_read"], found["is_flagged"], found["date_received"]) == (True, True, "2023-11-14T22:13:20Z")
    damaged = read(eml, b"%d\n%s<plist><dict>" % (len(message), message), tmp_path, name="1.emlx")
    assert "is_read" not in damaged.metadata


def test_an_attachment_that_apple_mail_keeps_elsewhere_is_lost_with_that_reason(tmp_path: Path) -> None:
    kind = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nbody\r\n"
    part = b"--b\r\nContent-Type: application/pdf; name=a.pdf\r\nX-Apple-Content-Length: 9\r\n\r\n\r\n--b--\r\n"
    message = HEADER + kind + part
    pieces = read(eml, b"%d\n%s" % (len(message), message), tmp_path, name="1.partial.emlx")
    assert "Apple Mail" in pieces.lost["2"].detail


def test_a_delivery_report_says_its_kind_and_shows_its_lines(tmp_path: Path) -> None:
    kind = b'Content-Type: multipart/report; report-type="delivery-status"; boundary=b\r\n\r\n'
    part = b"--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; bo@example.com\r\n--b--\r\n"
    pieces = opened(HEADER + kind + part, tmp_path)
    assert (pieces.metadata["report_type"], pieces.text) == (
        "delivery-status",
        "Final-Recipient: rfc822; bo@example.com",
    )
