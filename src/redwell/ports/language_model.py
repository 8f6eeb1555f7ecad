"""A language model that fills a JSON schema. An adapter knows one way to reach one; nothing else of the network."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from redwell.core.errors import Permanent, Recoverable, ServiceUnavailable, UserError


class ModelUnavailable(ServiceUnavailable):
    """No answer after some tries: time-outs, 429, 5xx, a connection that breaks. Later it may be there again."""


class ModelRefusesUs(Permanent):
    """The server understood and says no: a wrong key, an unknown model, a question it will never take."""


class ModelAway(Recoverable):
    """For longer than it is waited for, or somebody told us to stop. What was asked about costs no attempt."""


class ModelRefusesAll(UserError):
    """Whatever it is asked: a wrong key, an unknown model. Somebody has to change that; it costs no attempt either."""


class Finish(StrEnum):
    STOP = "stop"
    CUT = "cut"  # the answer was longer than allowed
    REFUSED = "refused"  # the model would not


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """Of a page, beside its text."""

    page: int
    media_type: str
    data: bytes


class Question(msgspec.Struct, frozen=True, kw_only=True):
    system: str
    text: str
    schema: Mapping[str, Any]
    max_tokens: int = 2_000
    pictures: Sequence[Picture] = ()


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    finish: Finish = Finish.STOP
    tokens_in: int = 0
    tokens_out: int = 0


class LanguageModel(Protocol):
    @property
    def name(self) -> str:
        """By which its answers are remembered."""
        ...

    def ask(self, question: Question) -> Reply:
        """Ends within the limits it was made with, whatever the other side does. Raises the two errors above."""
        ...

    def close(self) -> None: ...
