"""A mail gives its text, its fields and every attachment with its exact bytes."""

import base64
import binascii
import email
import random
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.support.pieces import Pieces, read

from redwell.core.errors import Empty
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.mail import eml

pytestmark = pytest.mark.requirement("A6", "A7")


def mail(body: str, header: str = "") -> bytes:
    return f"From: a@example.com\nSubject: test\nMIME-Version: 1.0\n{header}\n{body}".encode("latin-1")


def multipart(kind: str, *parts: str, boundary: str = "cut") -> bytes:
    body = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return mail(f"preamble\n{body}--{boundary}--\n", f'Content-Type: multipart/{kind}; boundary="{boundary}"\n')


def attached(message: bytes, tmp_path: Path) -> Pieces:
    return read(eml, message, tmp_path, name="mail.eml")


def test_attachments_come_out_byte_for_byte(tmp_path: Path) -> None:
    files = {f"file {size}.bin": random.Random(size).randbytes(size) for size in (0, 1, 2, 3, 1_000, 2_000_000)}
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.com", "files"
    message.set_content("see attached")
    for name, content in files.items():
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    pieces = attached(message.as_bytes(), tmp_path)
    assert dict(zip(pieces.names, pieces.contents.values(), strict=True)) == files
    assert list(pieces.contents) == pieces.opened == ["2", "3", "4", "5", "6", "7"]
    assert (pieces.is_container, pieces.declared, pieces.metadata["attachment_count"]) == (True, None, 6)
    assert pieces.text == "see attached"


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_transfer_encoding_gives_what_the_standard_library_gives(line_end: str, tmp_path: Path) -> None:
    text = multipart(
        "mixed",
        "Content-Type: text/plain\n\nbody",
        'Content-Type: text/csv; name="a.csv"\nContent-Transfer-Encoding: quoted-printable\n\na=3Db,c\nlong =\nline\n',
        'Content-Type: text/csv; name="b.csv"\nContent-Transfer-Encoding: 7BIT\n\none,two\n\nthree\n',
        'Content-Type: image/gif; name="c.gif"\nContent-Transfer-Encoding: BASE64\n\nR0lG\nODlh\n',
        'Content-Type: application/x; name="d"\nContent-Transfer-Encoding: x-odd\n\nraw\n',
    ).replace(b"\n", line_end.encode())
    pieces = attached(text, tmp_path)
    parts = email.message_from_bytes(text).get_payload()
    assert list(pieces.contents.values()) == [part.get_payload(decode=True) for part in parts[1:]]


@pytest.mark.requirement("A20")
def test_one_bad_base64_part_costs_only_that_part(tmp_path: Path) -> None:
    good = base64.b64encode(b"good content").decode()
    pieces = attached(
        multipart(
            "mixed",
            "Content-Type: text/plain\n\nthe text",
            'Content-Type: application/pdf; name="cut.pdf"\nContent-Transfer-Encoding: base64\n\nR0lGODlhR',
            'Content-Type: application/pdf; name="void.pdf"\nContent-Transfer-Encoding: base64\n\n!!!!',
            f'Content-Type: application/pdf; name="good.pdf"\nContent-Transfer-Encoding: base64\n\n{good}',
        ),
        tmp_path,
    )
    assert pieces.text == "the text"
    assert pieces.contents == {"2": b"GIF89a", "4": b"good content"}
    assert pieces.lost["3"].outcome is Outcome.INVALID_FILE
    assert [(trouble.code, "cut.pdf" in trouble.detail) for trouble in pieces.troubles] == [(Code.MEMBER_FAILED, True)]


def test_missing_padding_is_no_damage(tmp_path: Path) -> None:
    part = 'Content-Type: application/pdf; name="a.pdf"\nContent-Transfer-Encoding: base64\n\nZm9vYmE'
    pieces = attached(multipart("mixed", part), tmp_path)
    assert (pieces.contents["1"], pieces.troubles) == (b"fooba", [])


def test_a_nested_message_keeps_its_exact_bytes_and_takes_its_name_from_its_subject(tmp_path: Path) -> None:
    inner = "From: b@example.com\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe/1?=\n\nline one \n\n--not a boundary\nlast"
    pieces = attached(
        multipart("mixed", "Content-Type: text/plain\n\nfwd", f"Content-Type: message/rfc822\n\n{inner}"), tmp_path
    )
    assert pieces.names == ["Grüße 1.eml"]
    assert pieces.contents["2"] == inner.encode()
    assert "line one" not in pieces.text


@pytest.mark.requirement("A20")
def test_fifteen_hundred_levels_of_multipart_are_read(tmp_path: Path) -> None:
    levels = 1_500
    heads = [f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(levels)]
    deep = "".join(heads) + 'Content-Type: text/plain\n\nthe bottom\n--b1499\nContent-Type: a/b; name="x"\n\nfile\n'
    closing = "".join(f"--b{level}--\n" for level in reversed(range(levels)))
    pieces = attached(f"Subject: deep\n{deep}{closing}".encode(), tmp_path)
    assert pieces.text == "the bottom"
    assert list(pieces.contents.values()) == [b"file"]


def test_fifteen_hundred_messages_inside_each_other_are_one_child(tmp_path: Path) -> None:
    inner = b"Subject: innermost\n\nthe bottom"
    for level in range(1_500):
        head = f"Subject: level {level}\nContent-Type: multipart/mixed; boundary=q{level}\n\n"
        inner = b"%s--q%d\nContent-Type: message/rfc822\n\n%s\n--q%d--\n" % (head.encode(), level, inner, level)
    pieces = attached(inner, tmp_path)
    assert pieces.names == ["level 1498.eml"]


def test_alternatives_give_the_plain_text_and_what_only_the_html_says(tmp_path: Path) -> None:
    message = multipart(
        "alternative",
        "Content-Type: text/plain; charset=utf-8\n\nThe price is agreed.",
        "Content-Type: text/html\n\n<p>The price is <b>agreed</b>.</p><p>Unsubscribe here</p>",
    )
    pieces = attached(message, tmp_path)
    assert pieces.text == "The price is agreed.\n\nUnsubscribe here"
    assert not pieces.is_container


def test_a_mail_with_html_alone_gives_its_visible_text(tmp_path: Path) -> None:
    message = mail("<html><style>x</style><p>Hello</p><p>Bob</p></html>", "Content-Type: text/html\n")
    assert attached(message, tmp_path).text == "Hello\n\nBob"


def test_a_picture_shown_in_the_text_is_inline_and_still_a_child(tmp_path: Path) -> None:
    pieces = attached(
        multipart(
            "related",
            'Content-Type: text/html\n\n<img src="cid:logo%40x"><p>hi</p>',
            'Content-Type: image/png; name="logo.png"\nContent-ID: <logo@x>\n\npixels',
            'Content-Type: image/png; name="other.png"\nContent-ID: <other@x>\n\nmore',
            "Content-Type: image/png\nContent-Disposition: inline\n\nunnamed",
        ),
        tmp_path,
    )
    assert [child.role for child in pieces.children.values()] == ["inline", "attachment", "inline"]
    assert pieces.names == ["logo.png", "other.png", "part 4.png"]
    assert (pieces.metadata["attachment_count"], pieces.metadata["inline_count"]) == (1, 2)


def test_signatures_and_winmail_stay_attachments(tmp_path: Path) -> None:
    pieces = attached(
        multipart(
            "signed",
            "Content-Type: text/plain\n\nsigned text",
            'Content-Type: application/pkcs7-signature; name="smime.p7s"\n\nsig',
            'Content-Type: application/ms-tnef; name="winmail.dat"\n\ntnef',
        ),
        tmp_path,
    )
    assert (pieces.text, pieces.names) == ("signed text", ["smime.p7s", "winmail.dat"])


def test_a_bounce_gives_its_report_as_text_and_the_message_as_child(tmp_path: Path) -> None:
    pieces = attached(
        multipart(
            "report",
            "Content-Type: text/plain\n\nYour mail bounced",
            "Content-Type: message/delivery-status\n\nFinal-Recipient: rfc822; x@example.com",
            "Content-Type: message/rfc822\n\nSubject: original\n\nhello",
        ),
        tmp_path,
    )
    assert "Your mail bounced" in pieces.text
    assert "Final-Recipient" in pieces.text
    assert pieces.names == ["original.eml"]


def test_parts_of_a_digest_are_messages(tmp_path: Path) -> None:
    pieces = attached(multipart("digest", "\nSubject: one\n\n1", "\nSubject: two\n\n2"), tmp_path)
    assert pieces.names == ["one.eml", "two.eml"]


def test_a_text_file_is_an_attachment_though_it_is_text(tmp_path: Path) -> None:
    pieces = attached(
        multipart(
            "mixed",
            "Content-Type: text/plain\n\nbody",
            'Content-Type: text/plain; name="notes.txt"\n\nnotes',
            "Content-Type: text/plain\nContent-Disposition: attachment\n\nnameless",
        ),
        tmp_path,
    )
    assert (pieces.text, pieces.names) == ("body", ["notes.txt", "part 3.txt"])


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("filename*=utf-8''%e2%82%ac%20rates.xls", "€ rates.xls"),
        ("filename*0*=iso-8859-1''M%FCn; filename*1=chen.doc", "München.doc"),
        ('filename*0="a long "; filename*1="name.txt"', "a long name.txt"),
        ('filename="=?utf-8?B?5aWR57SE5pu4LnBkZg==?="', "契約書.pdf"),
        ('filename="=?iso-8859-1?Q?r=E9sum=E9?=\n =?iso-8859-1?Q?.doc?="', "résumé.doc"),
        ("filename=no quotes here.pdf; size=5", "no quotes here.pdf"),
        ('filename="C:\\\\temp\\\\report.doc"', "report.doc"),
        ('filename="../../etc/passwd"', "passwd"),
        ('filename="odd=file;name.txt"', "odd=file;name.txt"),
        ('filename="r\xe9sum\xe9 des d\xe9bats.doc"', "résumé des débats.doc"),
    ],
)
def test_a_name_is_read_however_it_was_encoded(header: str, name: str, tmp_path: Path) -> None:
    part = f"Content-Type: application/octet-stream\nContent-Disposition: attachment; {header}\n\nx"
    assert attached(multipart("mixed", part), tmp_path).names == [name]


def test_a_long_name_keeps_its_ending(tmp_path: Path) -> None:
    part = 'Content-Type: application/pdf\nContent-Disposition: attachment; filename="{}.pdf"\n\nx'
    pieces = attached(multipart("mixed", part.format("n" * 200), part.format("n" * 300)), tmp_path)
    assert pieces.names == ["n" * 200 + ".pdf", "n" * 251 + ".pdf"]


@pytest.mark.parametrize(
    "told", ["quoted-printable;", "quoted printable", "Quoted-Printable (by hand)", '"quoted-printable"']
)
def test_a_transfer_encoding_is_known_however_it_is_written(told: str, tmp_path: Path) -> None:
    assert attached(mail("caf=C3=A9", f"Content-Transfer-Encoding: {told}\n"), tmp_path).text == "café"


def test_dates_of_an_attached_file_are_told_in_utc(tmp_path: Path) -> None:
    told = 'creation-date="Tue, 21 Oct 2003 10:11:12 +0200"; modification-date="Wed, 22 Oct 2003 00:00:00 -0000"'
    part = f"Content-Type: text/csv\nContent-Disposition: attachment; filename=a.csv; {told}; read-date=never\n\n1"
    [child] = attached(multipart("mixed", part), tmp_path).children.values()
    assert child.metadata["file_created"] == "2003-10-21T08:11:12Z"
    assert child.metadata["file_modified"] == "2003-10-22T00:00:00Z"


def test_a_type_with_another_field_behind_it_is_still_that_type(tmp_path: Path) -> None:
    message = mail("<p>Dear <b>member</b>", "Content-Type: text/html Content-Transfer-Encoding: 8bit\n")
    assert attached(message, tmp_path).text == "Dear member"


def test_a_footer_behind_a_text_in_base64_is_text(tmp_path: Path) -> None:
    body = base64.encodebytes(b"The offer stands until Friday, as we said on the phone this morning.\n").decode()
    footer = "_______\nvalves mailing list\nvalves@lists.example.com\n"
    pieces = attached(mail(f"{body}\n{footer}", "Content-Transfer-Encoding: base64\n"), tmp_path)
    assert (pieces.text.startswith("The offer stands"), pieces.text.endswith(footer.strip())) == (True, True)
    assert (len(pieces.text.splitlines()), pieces.troubles) == (5, [])


@pytest.mark.parametrize(("width", "footer"), [(30, "_______\nvalves mailing list\n"), (40, "")])
def test_base64_in_lines_of_any_length_or_with_blanks_is_decoded(width: int, footer: str, tmp_path: Path) -> None:
    said = "The offer stands until Friday, as we said on the phone this morning; do not wait any longer."
    packed = base64.b64encode(said.encode()).decode()
    lines = [packed[at : at + width] for at in range(0, len(packed), width)]
    body = "\n".join(lines) + "\n" if footer else "\n".join(f"{line[:12]} {line[12:]}" for line in lines)
    pieces = attached(mail(body + footer, "Content-Transfer-Encoding: base64\n"), tmp_path)
    assert pieces.text.startswith(said) and pieces.text.endswith(footer.strip())


def test_words_that_claim_to_be_base64_are_read_as_words(tmp_path: Path) -> None:
    words = "These words were never\nencoded as their header says\n"
    pieces = attached(mail(words, "Content-Transfer-Encoding: base64\n"), tmp_path)
    assert (pieces.text, pieces.troubles) == (words.strip(), [])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("=?utf-8?B?w7w=?= =?utf-8?Q?=C3=9F?=", "üß"),
        ("=?utf-8?Q?=C3?= =?utf-8?Q?=BC?=ber", "über"),
        ("Re: =?iso-2022-jp?B?GyRCN0BMcz1xGyhC?= draft", "Re: 契約書 draft"),
        ("=?no-such-charset?Q?plain?=", "plain"),
        ("=?utf-8*en?Q?a_b?=", "a b"),
        ("folded\n over\n\tlines", "folded over lines"),
        ("=?utf-8?Q?broken", "=?utf-8?Q?broken"),
        ("caf\xe9 au lait, d\xe9j\xe0 vu", "café au lait, déjà vu"),
    ],
)
def test_a_subject_is_read_however_it_was_encoded(written: str, meant: str, tmp_path: Path) -> None:
    message = f"From: a@example.com\nSubject: {written}\n\nbody".encode("latin-1")
    assert attached(message, tmp_path).metadata["subject"] == meant


def test_addresses_are_split_and_decoded(tmp_path: Path) -> None:
    header = (
        'To: "Doe, Jane" <jane@example.com>, =?utf-8?Q?J=C3=BCrgen?= <j@example.com>,\n bare@example.com,\n'
        " old@example.com (Old Style), Team: x@example.com, y@example.com;, Printed Name\n"
        "Cc: undisclosed-recipients:;\n"
    )
    fields = attached(mail("body", header), tmp_path).metadata
    assert fields["to"] == [
        "Doe, Jane <jane@example.com>",
        "Jürgen <j@example.com>",
        "bare@example.com",
        "Old Style <old@example.com>",
        "x@example.com",
        "y@example.com",
        "Printed Name",
    ]
    assert (fields["from"], fields["cc"]) == (["a@example.com"], ["undisclosed-recipients"])


def test_the_fields_of_a_thread_are_kept(tmp_path: Path) -> None:
    header = (
        "Message-ID: <1@example.com>\nIn-Reply-To: <0@example.com>\nReferences: <a@x>\n <b@x>\n"
        "X-Priority: 1 (Highest)\nX-Mailer: Postbox 7\nReply-To: r@example.com\n"
        "Received: from x by y; Fri, 2 Feb 2001 10:00:05 +0100\n"
    )
    fields = attached(mail("body", header), tmp_path).metadata
    assert fields["message_id"] == "<1@example.com>"
    assert fields["in_reply_to"] == "<0@example.com>"
    assert fields["references"] == ["<a@x>", "<b@x>"]
    assert (fields["importance"], fields["x_mailer"]) == ("high", "Postbox 7")
    assert (fields["reply_to"], fields["date_received"]) == (["r@example.com"], "2001-02-02T09:00:05Z")


def test_mailboxes_without_a_comma_between_them_are_all_there(tmp_path: Path) -> None:
    to = 'Bob <bob@example.com> "Lee, Ann" <ann@example.com><c@example.com> Carl, Dan <Danny> <d@example.com>'
    fields = attached(mail("body", f"To: {to}\n"), tmp_path).metadata
    assert ", ".join(fields["to"]) == (
        "Bob <bob@example.com>, Lee, Ann <ann@example.com>, Carl <c@example.com>, Dan <d@example.com>"
    )


@pytest.mark.parametrize(
    ("written", "utc", "has_zone"),
    [
        ("Fri, 2 Feb 2001 10:00:05 +0130", "2001-02-02T08:30:05Z", True),
        ("Fri, 02 Feb 01 10:00:05 EST", "2001-02-02T15:00:05Z", True),
        ("Fri, 2 Feb 2001 10:00:05 -0000", "2001-02-02T10:00:05Z", True),
        ("Fri, 2 Feb 2001 10:00:05 +01:30", "2001-02-02T08:30:05Z", True),
        ("2001-02-02T10:00:05.123Z", "2001-02-02T10:00:05Z", True),
        ("2001-02-02 10:00 +0130 (X)", "2001-02-02T08:30:00Z", True),
        ("2001-02-02 10:00:05", "2001-02-02T10:00:05", False),
        ("2 Feb 2001 10:00", "2001-02-02T10:00:00", False),
        ("Fri, 31 Dec 1706 04:19:00 -0800 (PST)", "1706-12-31T12:19:00Z", True),
        ("next Tuesday", None, True),
        ("Fri, 32 Feb 2001 10:00:05 +0100", None, True),
    ],
)
def test_a_date_is_told_in_utc_and_as_written(written: str, utc: str | None, has_zone: bool, tmp_path: Path) -> None:
    fields = attached(mail("body", f"Date: {written}\n"), tmp_path).metadata
    assert (fields.get("date"), fields["date_raw"]) == (utc, written)
    assert fields.get("date_has_zone", True) is has_zone


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [
        ("no-such-charset", "utf-8", "Grüße"),
        ("iso-8859-8-i", "iso8859-8", "שלום לכולם"),
        ("ks_c_5601-1987", "cp949", "안녕하세요"),
        ("x-sjis", "cp932", "①契約書"),
        ("gb2312", "gb18030", "合同镕"),
        ("us-ascii", "cp1252", "Déjà vu, garçon, à côté de l'hôtel"),
        ("iso-8859-1", "cp1252", "“quoted”"),
    ],
)
def test_a_body_is_read_whatever_its_charset_is_called(charset: str, encoding: str, text: str, tmp_path: Path) -> None:
    message = b"Subject: x\nFrom: a@b\nContent-Type: text/plain; charset=%s\n\n" % charset.encode()
    assert attached(message + text.encode(encoding), tmp_path).text == text


def test_a_boundary_that_is_not_told_is_found(tmp_path: Path) -> None:
    body = "--found\nContent-Type: text/plain\n\nhello\n--found\nContent-Type: a/b; name=x\n\nfile\n--found--\n"
    pieces = attached(mail(body, "Content-Type: multipart/mixed\n"), tmp_path)
    assert (pieces.text, pieces.contents) == ("hello", {"2": b"file"})


def test_words_behind_the_last_boundary_are_kept(tmp_path: Path) -> None:
    message = multipart("mixed", "Content-Type: text/plain\n\nhello") + b"This mail was scanned.\n"
    assert attached(message, tmp_path).text == "hello\n\nThis mail was scanned."


def test_a_boundary_that_never_comes_leaves_the_text(tmp_path: Path) -> None:
    message = mail("all of the text", 'Content-Type: multipart/mixed; boundary="never"\n')
    assert attached(message, tmp_path).text == "all of the text"


def test_a_mail_that_is_cut_off_keeps_what_is_there(tmp_path: Path) -> None:
    message = multipart("mixed", "Content-Type: text/plain\n\nhello", 'Content-Type: a/b; name="x"\n\nfile so fa')
    pieces = attached(message[: message.index(b"so fa")], tmp_path)
    assert (pieces.text, pieces.contents["2"]) == ("hello", b"file ")


def test_lines_that_are_no_fields_are_never_lost(tmp_path: Path) -> None:
    missing_blank = b"From: a@example.com\nSubject: x\nHello Bob,\nno blank line\n\nsecond paragraph"
    pieces = attached(missing_blank, tmp_path)
    assert pieces.text == "Hello Bob,\nno blank line\n\nsecond paragraph"
    garbled = b"From: a@example.com\ngarbage here\nSubject: found\n\nbody"
    pieces = attached(garbled, tmp_path)
    assert (pieces.metadata["subject"], pieces.text) == ("found", "body")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (b"\n\nno fields at all", "no fields at all"),
        (b"just words", "just words"),
        (b"Subject: only fields\n", ""),
        (b"Subject: only fields", ""),
        (b"Subject: x\r\rold Mac\rlines", "old Mac\nlines"),
        (b"From a@example.com Fri Feb  2 10:00:00 2001\nSubject: x\n\nenvelope", "envelope"),
        (b"\xef\xbb\xbfSubject: x\n\nwith a mark", "with a mark"),
    ],
)
def test_a_mail_without_usual_parts_is_read(message: bytes, text: str, tmp_path: Path) -> None:
    pieces = attached(message, tmp_path)
    assert (pieces.text, pieces.error) == (text, None)


@pytest.mark.requirement("A20")
def test_a_message_of_nothing_is_named_empty(tmp_path: Path) -> None:
    assert isinstance(read(eml, b"\n \n", tmp_path, media_type="message/rfc822").error, Empty)


def test_a_message_in_utf16_is_read(tmp_path: Path) -> None:
    message = "From: a@example.com\r\nSubject: Größe\r\nDate: x\r\n\r\nweite Welt".encode("utf-16")
    pieces = attached(message, tmp_path)
    assert (pieces.metadata["subject"], pieces.text) == ("Größe", "weite Welt")


def test_an_emlx_gives_its_message_and_keeps_its_property_list(tmp_path: Path) -> None:
    message = b"From: a@example.com\nSubject: mac\n\nbody\n"
    plist = b'<?xml version="1.0"?><plist><dict><key>flags</key><integer>1</integer></dict></plist>'
    pieces = read(eml, b"%d\n%s%s" % (len(message), message, plist), tmp_path, name="1.emlx")
    assert pieces.metadata["subject"] == "mac"
    assert pieces.text.split("\n\n") == ["body", plist.decode()]


def test_a_saved_page_gives_its_text_and_its_resources(tmp_path: Path) -> None:
    message = (
        b'From: <Saved by Blink>\nSubject: Page\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="p"\n\n'
        b"--p\nContent-Type: text/html\nContent-Location: http://x/\n\n<p>saved text</p>\n"
        b"--p\nContent-Type: text/css\nContent-Location: http://x/a.css\n\np {}\n--p--\n"
    )
    pieces = read(eml, message, tmp_path, name="page.mhtml")
    assert (pieces.text, pieces.names) == ("saved text", ["a.css"])
    assert pieces.children["2"].role == "inline"


def test_uuencoded_files_in_the_text_become_attachments(tmp_path: Path) -> None:
    content = bytes(range(200))
    lines = [binascii.b2a_uu(content[at : at + 45], backtick=True).decode() for at in range(0, len(content), 45)]
    pieces = attached(mail("see below\nbegin 644 data.bin\n" + "".join(lines) + "`\nend\nregards"), tmp_path)
    assert (pieces.text, pieces.names) == ("see below\nregards", ["data.bin"])
    assert pieces.contents == {"1/uu1": content}


def test_words_that_look_like_uuencoding_stay_text(tmp_path: Path) -> None:
    body = "begin 644 reasons\nnot encoded at all, ever\nend\nbye"
    pieces = attached(mail(body), tmp_path)
    assert (pieces.text, pieces.is_container) == (body, False)


@pytest.mark.requirement("A11")
def test_reading_goes_on_behind_a_settled_part_and_skips_one_that_kills(tmp_path: Path) -> None:
    parts = [f'Content-Type: a/b; name="{number}"\n\ncontent {number}' for number in range(1, 6)]
    pieces = read(eml, multipart("mixed", *parts), tmp_path, name="a.eml", after="2", skip=frozenset({"4"}))
    assert pieces.opened == list(pieces.contents) == ["3", "5"]


@pytest.mark.requirement("A20")
def test_parts_over_the_limit_are_named(tmp_path: Path) -> None:
    parts = [f'Content-Type: a/b; name="{number}"\n\nx' for number in range(50)]
    pieces = read(eml, multipart("mixed", *parts), tmp_path, name="a.eml", max_members=10)
    assert len(pieces.contents) == 9
    assert [trouble.code for trouble in pieces.troubles] == [Code.LIMIT_REACHED]


@pytest.mark.parametrize(
    "message",
    [
        b"To: " + b'"a\\' * 200_000 + b"\n\nx",
        b"To: " + b"<" * 500_000 + b"\n\nx",
        b"Subject: " + b"=?a?b?" * 200_000 + b"\n\nx",
        b"Content-Type: text/plain; " + b'x="' * 200_000 + b"\n\nx",
        b"Content-Type: multipart/mixed; boundary=b\n\n"
        + b"--b\nContent-Type: multipart/mixed; boundary=b\n\n" * 5_000,
    ],
)
def test_fields_made_to_stall_a_parser_are_read(message: bytes, tmp_path: Path) -> None:
    assert read(eml, message, tmp_path, media_type="message/rfc822").error is None


INSIDE = "Content-Type: message/rfc822\n\nSubject: inside\nX-Redwell-Synthetic: 1\n\nhello"
FILE = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogZmlsZQoKaGVsbG8K"


def test_a_header_does_not_make_a_message_synthetic(tmp_path: Path) -> None:
    """Anybody may write the header that composed messages have; only who composed the bytes knows."""
    data = b"X-Redwell-Synthetic: 1\n" + multipart("mixed", INSIDE, FILE)
    kinds = [child.hash_kind for child in attached(data, tmp_path).children.values()]
    assert kinds == ["bytes", "bytes"]


def test_a_message_inside_a_composed_one_is_synthetic_and_a_file_is_not(tmp_path: Path) -> None:
    pieces = read(eml, multipart("mixed", INSIDE, FILE), tmp_path, name="mail.eml", synthetic=True)
    assert [child.hash_kind for child in pieces.children.values()] == ["synthetic", "bytes"]
