"""Messages as mail programs write them: attachments, HTML with an inline picture, messages in messages."""

import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime


@dataclass(frozen=True, kw_only=True)
class Mail:
    """One message of the story. `answers` is the number of the message it replies to."""

    number: int
    sender: str
    to: str
    subject: str
    text: str
    sent: datetime
    cc: str = ""
    answers: int | None = None
    html: str = ""
    picture: bytes = b""  # shown in the HTML as cid:picture
    charset: str = "utf-8"
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    forwarded: tuple["Mail", ...] = ()


def eml(mail: Mail) -> bytes:
    """The message as it lies on disk."""
    return _message(mail).as_bytes()


def _message(mail: Mail) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = mail.sender, mail.to, mail.subject
    if mail.cc:
        message["Cc"] = mail.cc
    message["Date"] = format_datetime(mail.sent)
    message["Message-ID"] = _id(mail.number)
    if mail.answers is not None:
        message["In-Reply-To"] = message["References"] = _id(mail.answers)
    message.set_content(mail.text, charset=mail.charset)
    if mail.html:
        message.add_alternative(mail.html, subtype="html")
        if mail.picture:
            page = message.get_payload()[-1]
            page.add_related(mail.picture, "image", "png", cid="<picture>", filename="logo.png", disposition="inline")
    _attach(message, mail)
    _fix_boundaries(message, mail.number)
    return message


def _attach(message: EmailMessage, mail: Mail) -> None:
    for name, data in mail.attachments.items():
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        main, _, sub = kind.partition("/")
        message.add_attachment(data, maintype=main, subtype=sub, filename=name)
    for inner in mail.forwarded:
        message.add_attachment(_message(inner))


def _fix_boundaries(message: EmailMessage, number: int) -> None:
    """The library would draw them at random."""
    for index, part in enumerate(message.walk()):
        if part.get_content_maintype() == "multipart" and part.get_boundary() is None:
            part.set_boundary(f"=_part_{number}_{index}")


def _id(number: int) -> str:
    return f"<{number:04}@mail.example.com>"
