"""Recognises mail by its header fields. Called by `detect`."""

import re

MAIL = "message/rfc822"
MBOX = "application/mbox"
EMLX = "message/x-emlx"
WEB_ARCHIVE = "multipart/related"

_FIELD = rb"[!-9;-~]+[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*"
_BLOCK = re.compile(rb"(?:" + _FIELD + rb")+(?:[!-9;-~]+[ \t]*:)?")
_NAMES = re.compile(rb"^([!-9;-~]+)[ \t]*:", re.M)
_FROM_LINE = re.compile(rb"From [^\n]*\d\d?:\d\d[^\n]*\n|From [^\n]*\d{4}[ \t]*\r?\n|From (?:-|\S+@\S+)[ \t]*\r?\n")
_LENGTH_LINE = re.compile(rb"\d{1,10}[ \t]*\r?\n(?=[!-9;-~]+[ \t]*:)")
_MULTIPART = re.compile(rb"content-type[ \t]*:\s*multipart/[^\n]*(?:\n[ \t][^\n]*)*?boundary=")  # signed parts of MSG
_SENDER = re.compile(rb"^from[ \t]*:[^\n]*[@<]", re.M)
_RELATED = re.compile(rb"^content-type[ \t]*:\s*multipart/related", re.M)
_SAVED = re.compile(rb"^(?:from[ \t]*:\s*\"?<?saved by |snapshot-content-location[ \t]*:)", re.M)

# Fields that a program wrote; people type the others into notes and reports as well.
_BY_PROGRAMS = frozenset(
    b"""received return-path message-id mime-version content-type content-transfer-encoding delivered-to references
    in-reply-to dkim-signature domainkey-signature received-spf authentication-results x-mailer x-originating-ip
    x-received x-priority x-ms-has-attach x-ms-tnef-correlator thread-index thread-topic x-mimeole x-gm-message-state
    arc-seal list-id list-unsubscribe envelope-to errors-to status x-status x-mozilla-status x-account-key x-uidl
    x-spam-status user-agent newsgroups path content-disposition resent-message-id""".split()
)
_OF_SENT_MAIL = frozenset(b"from to received message-id return-path delivered-to date sender".split())
_BY_PEOPLE = frozenset(b"from to cc bcc subject date sender reply-to resent-from resent-to".split())


def mail_type(head: bytes, extension: str) -> str | None:
    """The kind of mail that begins here; None where the fields could as well be a typed note."""
    start = head.lstrip(b"\r\n\t ")
    from_line = _FROM_LINE.match(start)
    length_line = None if from_line else _LENGTH_LINE.match(start)
    lead = from_line or length_line
    fields = start[lead.end() :] if lead else start
    if b"\n" not in fields and b"\r" in fields:
        fields = fields.replace(b"\r", b"\n")
    block = _BLOCK.match(fields)
    if from_line and extension in ("mbox", "mboxrd"):
        return MBOX
    if block is None:
        return None
    fields = block[0].lower()
    if not _is_mail(fields, expected=bool(lead) or extension == "eml"):
        return None
    if from_line:
        return MAIL if extension == "eml" else MBOX
    if length_line:
        return EMLX
    return WEB_ARCHIVE if b"/related" in fields and _is_saved_page(fields) else MAIL


def _is_saved_page(block: bytes) -> bool:
    """A page or document on its own: a browser says so, an office program names nobody who sent or received it."""
    if not _RELATED.search(block):
        return False
    return bool(_SAVED.search(block)) or not set(_NAMES.findall(block)) & _OF_SENT_MAIL


def _is_mail(block: bytes, *, expected: bool) -> bool:
    names = set(_NAMES.findall(block))
    by_programs, by_people = len(names & _BY_PROGRAMS), len(names & _BY_PEOPLE)
    if expected:
        return by_programs + by_people > 0
    if by_programs:
        return by_people > 0 or by_programs > 1 or _MULTIPART.match(block) is not None
    return by_people > 2 and b"date" in names and _SENDER.search(block) is not None
