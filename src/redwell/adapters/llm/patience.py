"""How long a model is waited for, and how often it is asked again. Shared by all that reach one over HTTP."""

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from redwell.ports.language_model import ModelUnavailable

T = TypeVar("T")
_LONGEST_PAUSE_S = 30.0
MOST_BYTES = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    tries: int = 3
    pause_s: float = 1.0
    connect_s: float = 10.0
    silent_s: float = 120.0  # between two pieces of an answer
    whole_s: float = 300.0  # a stream that never ends is cut here


class Again(Exception):
    """It may be better later; the server may have said when."""

    def __init__(self, said: str, pause_s: float = 0.0) -> None:
        super().__init__(said)
        self.pause_s = pause_s


def tried(patience: Patience, whom: str, once: Callable[[], T]) -> T:
    """What `once` gives; asked again where it raises Again or ValueError, as long as the patience lasts."""
    said = "no answer"
    for number in range(patience.tries):
        pause_s = patience.pause_s * 2**number
        try:
            return once()
        except Again as error:
            said, pause_s = str(error), max(pause_s, error.pause_s)
        except ValueError as error:
            said = f"{type(error).__name__}: {error}"
        if number + 1 < patience.tries:
            time.sleep(min(_LONGEST_PAUSE_S, pause_s * random.uniform(0.5, 1.0)))
    raise ModelUnavailable(f"{whom} gave no answer, {patience.tries} times in a row; the last: {said}")


def whole(pieces: Iterable[bytes], patience: Patience) -> bytes:
    """An answer that grows or lasts without end is a ValueError."""
    ends, data = time.monotonic() + patience.whole_s, b""
    for piece in pieces:
        data += piece
        if len(data) > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES:,} bytes")
        if time.monotonic() > ends:
            raise ValueError(f"no end after {patience.whole_s:g} s")
    return data
