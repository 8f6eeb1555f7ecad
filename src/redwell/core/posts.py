"""What waits in the outbox: written with the rows it follows from, sent after them by the relay."""

import msgspec


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """A message for a queue."""

    queue: str
    body: str

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "Post":
        return msgspec.json.decode(text, type=cls)
