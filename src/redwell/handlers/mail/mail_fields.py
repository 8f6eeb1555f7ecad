"""The fields of a mail in Redwell's names. Called by the eml handler in a child."""

import re

from redwell.core.handler import MetaValue
from redwell.handlers.mail.mail_headers import Headers, addresses, decode_value, first, moment

_PEOPLE = ("from", "to", "cc", "bcc", "reply-to", "sender")
_TEXTS = {
    "subject": "subject",
    "message-id": "message_id",
    "in-reply-to": "in_reply_to",
    "importance": "importance",
    "sensitivity": "sensitivity",
    "x-mailer": "x_mailer",
    "user-agent": "x_mailer",
    "thread-topic": "thread_topic",
    "thread-index": "thread_index",
    "list-id": "list_id",
}
_PRIORITIES = {"1": "high", "2": "high", "4": "low", "5": "low"}
_MESSAGE_IDS = re.compile(r"<[^<>\s]+>")


def mail_fields(headers: Headers) -> dict[str, MetaValue]:
    """What the header says, decoded; fields that are missing or empty are left out."""
    found: dict[str, MetaValue] = {}
    for header in _PEOPLE:
        if header in headers:
            values = dict.fromkeys(headers[header])  # a signed mail may say the same outside and inside of its seal
            found[header.replace("-", "_")] = addresses(list(values))
    for header, name in _TEXTS.items():
        if header in headers and name not in found:
            found[name] = " ".join(decode_value(headers[header][0]).split())
    if "references" in headers:
        told = decode_value(b" ".join(headers["references"]))
        found["references"] = _MESSAGE_IDS.findall(told) or told.split()
    if "importance" not in found and "x-priority" in headers:
        found["importance"] = _PRIORITIES.get(decode_value(headers["x-priority"][0])[:1], "normal")
    return {name: value for name, value in (found | _dates(headers)).items() if value or value is False}


def _dates(headers: Headers) -> dict[str, MetaValue]:
    """The day it was sent as UTC and as written; one without a zone is marked. The day it was received as UTC."""
    found: dict[str, MetaValue] = {}
    raw = " ".join(decode_value(first(headers, "date")).split())
    sent = moment(raw) if raw else None
    if raw:
        found["date_raw"] = raw
    if sent:
        found["date"] = sent[0]
        if not sent[1]:
            found["date_has_zone"] = False
    stamp = decode_value(first(headers, "received")).rpartition(";")[2].strip()
    received = moment(stamp) if stamp else None
    if received and received[1]:
        found["date_received"] = received[0]
    return found
