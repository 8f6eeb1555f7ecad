"""HTTP to an OpenSearch cluster, by its documented API. Used by the index adapter, where one searches or loads.

What passes by itself (a node that restarts, a queue that is full) is tried again three times, after 2, 4 and 8 seconds.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from redwell.core.errors import Permanent, Recoverable

CONNECT_S = 10
PASSING = {429, 502, 503, 504}  # asked too much, or of a gateway whose server did not answer
NOT_FOUND = 404
_JSON, _LINES = "application/json", "application/x-ndjson"
Json = dict[str, Any]


class Passing(Recoverable):
    """May work the next time; whether the server did what it was asked is not known, unless it said it was busy."""

    def __init__(self, text: str, *, refused: bool) -> None:
        super().__init__(text)
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Patience:
    """SPEC D8's figures; settings change them."""

    answer_s: float = 180
    retries: int = 3
    at_once: int = 50  # documents of a bulk


class Client:
    """Safe to keep, and to use from several threads; also after `close`, as a folder's index is."""

    def __init__(
        self,
        url: str,
        wait: Callable[[float], None] = time.sleep,
        patience: Patience = Patience(),  # noqa: B008
    ) -> None:
        self._url, self.wait, self.patience = url, wait, patience
        self._http = self._connections()

    def _connections(self) -> httpx.Client:
        return httpx.Client(base_url=self._url, timeout=httpx.Timeout(self.patience.answer_s, connect=CONNECT_S))

    def ask(self, method: str, path: str, body: Json | None = None, *, missing_ok: bool = False) -> Json | None:
        """The answer; None where it is not there and that is fine. Asking twice must do no harm."""
        content = None if body is None else json.dumps(body).encode()
        return self.repeated(lambda: self.once(method, path, content, missing_ok=missing_ok))

    def make(self, path: str, yaml: bytes) -> None:
        """Something that is described in YAML."""
        self.repeated(lambda: self.once("PUT", path, yaml, kind="application/yaml"))

    def bulk(self, path: str, lines: bytes) -> Json:
        """Once: who sends documents asks afterwards what arrived."""
        return self.once("POST", path, lines, kind=_LINES) or {}

    def repeated(self, call: Callable[[], Json | None]) -> Json | None:
        for attempt in range(1, self.patience.retries + 1):
            try:
                return call()
            except Passing:
                self.wait(2**attempt)
        return call()

    def once(
        self, method: str, path: str, content: bytes | None, *, kind: str = _JSON, missing_ok: bool = False
    ) -> Json | None:
        headers: Mapping[str, str] = {"Accept": _JSON, **({"Content-Type": kind} if content is not None else {})}
        try:
            answer = self._http.request(method, path, content=content, headers=headers)
        except httpx.TransportError as error:
            raise Passing(f"OpenSearch did not answer: {type(error).__name__}: {error}", refused=False) from error
        if answer.status_code in PASSING:
            told = f"OpenSearch answered {answer.status_code}: {answer.text[:200]}"
            raise Passing(told, refused=answer.status_code == 429)
        if answer.status_code == NOT_FOUND and missing_ok:
            return None
        if answer.is_error:
            raise Permanent(f"OpenSearch refused {method} {path} ({answer.status_code}): {answer.text[:500]}")
        found: Json = answer.json() if answer.content else {}
        return found

    def close(self) -> None:
        self._http.close()
        self._http = self._connections()  # opens none by itself
