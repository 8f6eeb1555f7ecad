"""A case as the machines of an installation know it, before any of them has opened it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedCase:
    number: int  # the same on every machine: names of queues and events carry it
    uid: str
    name: str
    blobs: str  # the URL of its bytes
    keeper: str  # the machine that reads its sources and has its index
