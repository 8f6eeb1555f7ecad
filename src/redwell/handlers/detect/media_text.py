"""Tells kinds of text apart: markup, calendars, keys, JSON, and what only the name can say. Called by detect."""

import re

from redwell.core.type_hints import BY_NAME

_BLANKS_AND_COMMENTS = re.compile(rb"(?:\s+|<!--.*?-->)*", re.S)
_HTML = re.compile(
    rb"<(?:!doctype\s+html|(?:html|head|title|body|meta|script|style|table|div|p|h[1-6]|a|br|font|center|span|link"
    rb"|iframe|img|base|ul|ol|pre|b|i|hr|blockquote|form)(?=[\s/>]))",
    re.I,
)
_ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_JSON = re.compile(rb"\s*(?:\{\s*(?:\"|\}\s*$)|\[\s*[\[{\"])")
_ODF_FLAT = re.compile(rb"office:mimetype\s*=\s*[\"'](application/vnd\.oasis\.opendocument\.[a-z]+)")
_MSO = re.compile(rb"mso-application\s+progid=[\"'](Word|Excel|PowerPoint)")

# a card may be one of a group; programs that keep each entry in a file leave out the calendar around it
_CONTENT_LINES = re.compile(rb"(?:[\w-]+\.)?BEGIN:(?:(VCARD)|VCALENDAR|VEVENT|VTODO|VJOURNAL|VFREEBUSY)(?=\s|$)", re.I)

_MSO_TYPES = {
    b"Word": "application/vnd.ms-wordml",
    b"Excel": "application/vnd.ms-spreadsheetml",
    b"PowerPoint": "application/vnd.ms-presentationml",
}
_XML_ROOTS = {
    b"svg": "image/svg+xml",
    b"html": "application/xhtml+xml",
    b"wordDocument": "application/vnd.ms-wordml",
    b"FictionBook": "application/x-fictionbook+xml",
    b"OpenDVT": "application/x-opendvt+xml",
}
_OPENINGS: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "application/rtf"),
    (b"%!PS", "application/postscript"),
    (b"-----BEGIN PKCS7", "application/pkcs7-mime"),
    (b"-----BEGIN CMS", "application/pkcs7-mime"),
    (b"-----BEGIN PGP SIGNATURE", "application/pgp-signature"),
    (b"-----BEGIN PGP MESSAGE", "application/pgp-encrypted"),
    (b"-----BEGIN CERTIFICATE", "application/x-x509-cert"),
    (b"WARC/1.", "application/warc"),
    (b"(This file must be converted with BinHex", "application/mac-binhex40"),
)


def text_type(head: bytes, extension: str) -> str:
    """The kind of a text whose first bytes (as UTF-8 or an ASCII superset, without a mark) these are."""
    start = head.lstrip()
    for opening, kind in _OPENINGS:
        if start.startswith(opening):
            return kind
    if entry := _CONTENT_LINES.match(start):
        return "text/vcard" if entry[1] else "text/calendar"
    if start.startswith(b"<"):
        markup = _markup_type(start)
        if markup:
            return markup
    if start.startswith((b"{", b"[")) and _JSON.match(start):
        return "application/json"
    return BY_NAME.get(extension, "text/plain")


def _markup_type(start: bytes) -> str | None:
    if start.startswith(b"<?xml"):
        return _xml_type(start)
    skipped = _BLANKS_AND_COMMENTS.match(start)
    start = start[skipped.end() :] if skipped else start
    if _HTML.match(start):
        return "text/html"
    root = _ROOT.match(start)
    if (root and root[1] == b"svg") or start[:14].lower().startswith(b"<!doctype svg"):
        return "image/svg+xml"
    return "application/xml" if start.startswith(b"<!DOCTYPE") else None


def _xml_type(start: bytes) -> str:
    flat = _ODF_FLAT.search(start)
    if flat:
        return flat[1].decode() + "-flat-xml"
    office = _MSO.search(start)
    if office:
        return _MSO_TYPES[office[1]]
    root = _ROOT.search(start)
    return _XML_ROOTS.get(root[1], "application/xml") if root else "application/xml"
