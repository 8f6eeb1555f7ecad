"""One POST of JSON to the one host that was chosen: tried again where that helps, ended where it would not end.

Redirects are not followed and no proxy of the environment is used: evidence reaches this host or none.
"""

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from redwell.ports.language_model import ModelRefusesUs, ModelUnavailable

_MOST_BYTES = 4 << 20
_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_LONGEST_PAUSE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    tries: int = 3
    pause_s: float = 1.0
    connect_s: float = 10.0
    silent_s: float = 120.0  # between two pieces of an answer
    whole_s: float = 300.0  # a stream that never ends is cut here


class HttpExchange:
    def __init__(self, url: str, headers: Mapping[str, str], patience: Patience | None = None) -> None:
        self._url, self._patience = url, patience or Patience()
        limits = httpx.Timeout(self._patience.silent_s, connect=self._patience.connect_s)
        self._client = httpx.Client(headers=dict(headers), timeout=limits, follow_redirects=False, trust_env=False)

    def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        said = "no answer"
        for left in reversed(range(self._patience.tries)):
            pause_s = self._patience.pause_s * 2 ** (self._patience.tries - 1 - left)
            try:
                status, data, asked_s = self._once(path, body)
                if status == 200:
                    return _object(data)
                said = f"status {status}"
                if status not in _AGAIN:
                    raise ModelRefusesUs(f"{self._url} says {status}: {data[:300].decode('utf-8', 'replace')}")
                pause_s = max(pause_s, asked_s)
            except (httpx.HTTPError, ValueError) as error:
                said = f"{type(error).__name__}: {error}"
            if left:
                time.sleep(min(_LONGEST_PAUSE_S, pause_s * random.uniform(0.5, 1.0)))
        raise ModelUnavailable(f"{self._url} gave no answer, {self._patience.tries} times in a row; the last: {said}")

    def _once(self, path: str, body: Mapping[str, Any]) -> tuple[int, bytes, float]:
        ends = time.monotonic() + self._patience.whole_s
        data = b""
        with self._client.stream("POST", self._url.rstrip("/") + path, json=dict(body)) as answer:
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > _MOST_BYTES:
                    raise ValueError(f"more than {_MOST_BYTES:,} bytes")
                if time.monotonic() > ends:
                    raise ValueError(f"no end after {self._patience.whole_s:g} s")
            return answer.status_code, data, _seconds(answer.headers.get("retry-after", ""))

    def close(self) -> None:
        self._client.close()


def _seconds(said: str) -> float:
    return float(said) if said.isdigit() else 0.0


def _object(data: bytes) -> Mapping[str, Any]:
    """ValueError where it is cut or something else; then the same question may be answered better."""
    found = json.loads(data)
    if not isinstance(found, dict):
        raise ValueError("an answer that is no object")
    return found
