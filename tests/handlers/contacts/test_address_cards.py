"""Address cards: fields, text and pictures."""

import base64
from pathlib import Path

import pytest
from tests.support.pieces import read

from redwell.handlers.mail import contacts

pytestmark = pytest.mark.requirement("A7")

PICTURE = b"\xff\xd8\xff" + bytes(range(200))


def test_a_card_gives_the_fields_that_outlook_s_contacts_have(tmp_path: Path) -> None:
    card = (
        "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lee;Ann;;Dr;\r\nFN:Dr Ann Lee\r\nORG:Co\\, Ltd;Law\r\nTITLE:Counsel\r\n"
        "EMAIL;TYPE=work:ann@example.com\r\nitem1.EMAIL:a@example.org\r\nTEL;TYPE=cell:+1 555\r\n"
        "ADR;TYPE=work:;;12 Lane;Town;;01234;Land\r\nBDAY:1970-01-02\r\nNOTE:line\\nbreak\r\nEND:VCARD\r\n"
        "BEGIN:VCARD\r\nFN:Bo\r\nEND:VCARD\r\n"
    )
    pieces = read(contacts, card.encode(), tmp_path, name="x.vcf")
    assert pieces.metadata == {
        "items": 2,
        "full_name": "Dr Ann Lee",
        "title": "Dr Ann Lee",
        "family_name": "Lee",
        "given_name": "Ann",
        "organization": "Co, Ltd, Law",
        "job_title": "Counsel",
        "email": ["ann@example.com", "a@example.org"],
        "phone": ["+1 555"],
        "address": ["12 Lane, Town, 01234, Land"],
        "birthday": "1970-01-02",
        "note": "line\nbreak",
    }
    assert "Tel: +1 555" in pieces.text and pieces.text.endswith("\n\nFn: Bo")


def test_pictures_of_old_and_new_cards_come_out_byte_for_byte(tmp_path: Path) -> None:
    packed = base64.b64encode(PICTURE).decode()
    folded = "\r\n ".join(packed[at : at + 70] for at in range(0, len(packed), 70))
    loose = "\r\n".join(packed[at : at + 70] for at in range(0, len(packed), 70))
    card = (
        f"BEGIN:VCARD\r\nFN:Ann\r\nPHOTO;ENCODING=b;TYPE=JPEG:{folded}\r\nTEL:1\r\nEND:VCARD\r\n"
        f"BEGIN:VCARD\r\nPHOTO;JPEG;BASE64:{loose}\r\n\r\nTEL;HOME:2\r\nEND:VCARD\r\n"
    )
    pieces = read(contacts, card.encode(), tmp_path, name="x.vcf")
    assert list(pieces.contents.values()) == [PICTURE, PICTURE]
    assert pieces.names[0].endswith(".jpg")
    assert "Tel: 1" in pieces.text and "Tel: 2" in pieces.text


def test_a_cut_off_card_is_partial(tmp_path: Path) -> None:
    pieces = read(contacts, b"BEGIN:VCARD\nFN:Ann\nTEL:+1", tmp_path, name="x.vcf")
    assert (pieces.metadata["full_name"], [trouble.partial for trouble in pieces.troubles]) == ("Ann", [True])
