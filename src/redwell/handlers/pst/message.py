"""An item as a message: its header, its bodies, its attachments. Called by the pst handler in a child."""

from collections.abc import Iterator

from redwell.core.errors import InvalidFile
from redwell.handlers.outlook.composed_message import Attached, Message, encoded
from redwell.handlers.outlook.mapi_items import shown_fields
from redwell.handlers.outlook.rtf_compressed import unpacked
from redwell.handlers.outlook.rtf_html import Body, unwrapped
from redwell.handlers.pst.fields import fields_of
from redwell.handlers.pst.header import header_of, subject_of
from redwell.handlers.pst.items import Attachment, Item
from redwell.handlers.pst.properties import UNICODE
from redwell.handlers.pst.tree import Damaged
from redwell.handlers.structures import code_pages

_PLAIN, _HTML, _RTF, _HTML_CODE_PAGE = 0x1000, 0x1013, 0x1009, 0x3FDE
_CONTENT_ID, _MEDIA_TYPE = 0x3712, 0x370E


def message_of(item: Item) -> Message:
    """What of the item cannot be read is added to `item.missing`."""
    bodies = list(_bodies(item))
    attached = [_attached(each, number) for number, each in enumerate(item.attachments, 1)]
    notes = [("X-Redwell-Reference", encoded(each)) for each in item.references]
    notes += [("X-Redwell-Missing", encoded(each)) for each in item.missing]
    return Message([*header_of(item), *notes], bodies, attached)


def _bodies(item: Item) -> Iterator[tuple[str, bytes]]:
    """The plain body and the HTML, as far as there are any; RTF only where it holds what neither has."""
    told = item.properties
    plain, html, charset = told.text(_PLAIN), _sound(item, _HTML), code_pages.label(told.number(_HTML_CODE_PAGE))
    if html and told.kind(_HTML) == UNICODE:
        html, charset = html.decode("utf-16-le", "replace").encode(), "utf-8"
    if not html and (packed := _sound(item, _RTF)):
        body = _from_rtf(packed, item)
        html, charset = body.content.encode() if body.kind == "html" else b"", "utf-8"
        plain = plain or ("" if html else body.content)
    text = "\n\n".join(filter(None, (shown_fields(fields_of(item)), plain.replace("\r\n", "\n"))))
    if text or not html:
        yield "text/plain; charset=utf-8", text.encode("utf-8", "replace")
    if html:
        yield f"text/html; charset={charset}" if charset else "text/html", html


def _sound(item: Item, key: int) -> bytes:
    try:
        return item.properties.data(key)
    except Damaged as error:
        item.missing.append(f"a body: {error}")
        return b""


def _from_rtf(packed: bytes, item: Item) -> Body:
    try:
        plain, whole = unpacked(packed)
        body = unwrapped(plain)
    except InvalidFile as error:
        item.missing.append(f"the RTF body: {error}")
        return Body("rtf", "")
    if not whole:
        item.missing.append("the end of the RTF body")
    return body


def _attached(attachment: Attachment, number: int) -> Attached:
    told = attachment.properties
    if attachment.item is not None:
        name = attachment.name or subject_of(attachment.item.properties) or f"message {number}"
        return Attached(name=f"{name.removesuffix('.eml')}.eml", message=message_of(attachment.item))
    return Attached(
        name=attachment.name or f"attachment {number}",
        size=attachment.size,
        runs=attachment.runs,
        media_type=told.text(_MEDIA_TYPE).strip(),
        content_id=told.text(_CONTENT_ID).strip("<> "),
    )
