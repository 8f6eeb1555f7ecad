"""What waits in the outbox: written with the rows it follows from, sent after them by the relay."""

import msgspec

OUTBOX = "outbox"  # the queue in the case's own rows


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """A message for a queue."""

    queue: str
    body: str

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "Post":
        return msgspec.json.decode(text, type=cls)
