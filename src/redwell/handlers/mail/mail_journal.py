"""Journal envelopes: who sent a message and who received it, blind copies and list members too. Runs in a child.

Exchange writes these lines into the body of a journal report (MS-XJRNL) and attaches the message as it was.
Called by the mail handlers; the message below the envelope is given the same fields.
"""

import re

from redwell.core.handler import MetaValue
from redwell.handlers.mail.mail_headers import Headers, first

_LINE = re.compile(r"^(sender|message-id|recipient|to|cc|bcc|on-behalf-of)[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.I | re.M)
_REDIRECTED = re.compile(r",\s*(?:Expanded|Forwarded)\s*:\s*(.+)$", re.I)
_NAMES = {
    "sender": "journal_sender",
    "on-behalf-of": "journal_on_behalf_of",
    "message-id": "journal_message_id",
    "recipient": "journal_recipients",
    "to": "journal_to",
    "cc": "journal_cc",
    "bcc": "journal_bcc",
}
_LISTS = "journal_redirected_from"


def journal_fields(headers: Headers, text: str) -> dict[str, MetaValue]:
    """What the envelope says; nothing for a mail that is no journal report."""
    if not _is_report(headers):
        return {}
    found: dict[str, list[str]] = {}
    for name, value in _LINE.findall(text):
        redirected = _REDIRECTED.search(value)
        if redirected:
            _add(found, _LISTS, redirected[1])
            value = value[: redirected.start()]
        _add(found, _NAMES[name.lower()], value)
    return {"is_journal_report": True, **found}


def _is_report(headers: Headers) -> bool:
    marks = first(headers, "content-identifier") or first(headers, "content-identifer")  # both spellings are real
    return "x-ms-journal-report" in headers or marks.strip().lower() == b"exjournalreport"


def _add(found: dict[str, list[str]], name: str, value: str) -> None:
    values = found.setdefault(name, [])
    if value not in values:
        values.append(value)
