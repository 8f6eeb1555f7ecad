"""A message of an Outlook-for-Mac archive, out of its XML. Called by the olm handler in a child."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from redwell.core.errors import InvalidFile
from redwell.handlers.outlook.composed_message import Attached, Message, address, encoded, listed, one_line, stamp

_PEOPLE = (
    ("From", "FromAddresses"),
    ("Sender", "SenderAddress"),
    ("To", "ToAddresses"),
    ("Cc", "CCAddresses"),
    ("Bcc", "BCCAddresses"),
    ("Reply-To", "ReplyToAddresses"),
)
_IDS = (("Message-ID", "MessageID"), ("In-Reply-To", "InReplyTo"), ("References", "References"))
_MARKUP = re.compile(r"\s*(?:<!doctype html|<html|<head|<body|<div|<p[ >]|<meta)", re.I)

Find = Callable[[str], Attached | None]  # the member that an attachment's address names


def emails_in(data: bytes) -> list[Any]:
    """The `email` elements of one XML file; no entity of it is ever looked up."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise InvalidFile(f"the message's XML cannot be read: {error.msg}") from None
    if root is None:
        raise InvalidFile("the message's XML cannot be read")
    return [root] if root.tag == "email" else list(root.iter("email"))


def message_of(email: Any, find: Find) -> tuple[Message, list[str]]:
    """The message, and the attachments that the archive names and does not hold."""
    fields = [(name, listed(_addresses(email, tag))) for name, tag in _PEOPLE]
    fields += [("Subject", encoded(text_of(email, "Subject")))]
    fields += [("Date", stamp(sent))] if (sent := moment_of(email, "SentTime")) else []
    fields += [(name, encoded(text_of(email, tag))) for name, tag in _IDS]
    fields += [("Thread-Topic", encoded(text_of(email, "ThreadTopic")))]
    attached, missing = list[Attached](), list[str]()
    for element in email.iter("messageAttachment"):
        _attach(element, find, attached, missing)
    fields += [("X-Redwell-Missing", encoded(each)) for each in missing]
    return Message(fields, _bodies(email), attached), missing


def text_of(email: Any, tag: str) -> str:
    found = email.find(f"OPFMessageCopy{tag}")
    return "".join(found.itertext()) if found is not None else ""


def moment_of(email: Any, tag: str) -> datetime | None:
    """Times are in UTC and do not say so."""
    try:
        return datetime.fromisoformat(text_of(email, tag).strip().removesuffix("Z")).replace(tzinfo=UTC)
    except ValueError:
        return None


def _addresses(email: Any, tag: str) -> list[str]:
    found = email.find(f"OPFMessageCopy{tag}")
    people = found.iter("emailAddress") if found is not None else ()
    told = "OPFContactEmailAddress"
    return [address(each.get(f"{told}Name", ""), each.get(f"{told}Address", "")) for each in people]


def _bodies(email: Any) -> list[tuple[str, bytes]]:
    plain, page = text_of(email, "Body"), text_of(email, "HTMLBody")
    if not page and _MARKUP.match(plain):
        plain, page = "", plain
    bodies = [("text/plain; charset=utf-8", plain.encode("utf-8", "replace"))] if plain or not page else []
    return bodies + ([("text/html; charset=utf-8", page.encode("utf-8", "replace"))] if page else [])


def _attach(element: Any, find: Find, attached: list[Attached], missing: list[str]) -> None:
    told = {
        key: one_line(element.get(f"OPFAttachment{key}", "")) for key in ("Name", "URL", "ContentType", "ContentID")
    }
    name = told["Name"] or told["URL"].rpartition("/")[2] or f"attachment {len(attached) + 1}"
    file = find(told["URL"]) if told["URL"] else None
    if file is None:
        missing.append(f"attachment {name}")
        return
    attached.append(
        Attached(
            name=name,
            size=file.size,
            runs=file.runs,
            media_type=told["ContentType"],
            content_id=told["ContentID"].strip("<>"),
        )
    )
