"""An event as it travels on the bus (SPEC A18). Publishers make one, consumers open one."""

import time
from collections.abc import Mapping
from typing import Any

import msgspec

from redwell.core.errors import Permanent
from redwell.core.events import VERSION
from redwell.core.ids import uuid7


class Envelope(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`event_type`, `case_id` and `batch_id` are what subscriptions filter on."""

    event_type: str
    case_id: int
    batch_id: int | None = None
    job_id: int | None = None
    document_id: str | None = None
    exhibit_ids: tuple[int, ...] = ()
    event_detail: Mapping[str, Any] = {}
    status: str = "SUCCESS"
    source: str = "redwell"
    version: int = VERSION
    id: str = msgspec.field(default_factory=lambda: str(uuid7()))
    timestamp: int = msgspec.field(default_factory=lambda: time.time_ns() // 1_000_000)  # ms

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, body: str) -> "Envelope":
        """Unknown fields of a later version are left alone; what is no event at all is Permanent."""
        try:
            return msgspec.json.decode(body, type=cls)
        except msgspec.MsgspecError as error:
            raise Permanent(f"a message that is no event: {error}") from None


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What a subscription lets through: one of each set; an empty set lets all through."""

    event_types: frozenset[str] = frozenset()
    case_ids: frozenset[int] = frozenset()
    batch_ids: frozenset[int] = frozenset()

    def matches(self, event: Envelope) -> bool:
        return (
            (not self.event_types or event.event_type in self.event_types)
            and (not self.case_ids or event.case_id in self.case_ids)
            and (not self.batch_ids or event.batch_id in self.batch_ids)
        )
