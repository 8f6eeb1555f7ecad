"""What waits in the outbox: written with the rows it follows from, sent after them by the relay."""

import msgspec

from redwell.core.envelopes import Envelope


class Post(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message for a queue, or an event for the bus."""

    queue: str = ""
    body: str = ""
    event: Envelope | None = None
    delay_s: int = 0  # of any length: it is waited for here, not in the queue

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "Post":
        return msgspec.json.decode(text, type=cls)
