"""One POST of JSON to the one host that was chosen: tried again where that helps, ended where it would not end.

Redirects are not followed and no proxy of the environment is used: evidence reaches this host or none.
"""

import json
from collections.abc import Mapping
from typing import Any

import httpx

from redwell.adapters.llm.patience import Again, Patience, tried, whole
from redwell.ports.language_model import ModelRefusesUs

_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}


class HttpExchange:
    def __init__(self, url: str, headers: Mapping[str, str], patience: Patience | None = None) -> None:
        self._url, self._patience = url, patience or Patience()
        limits = httpx.Timeout(self._patience.silent_s, connect=self._patience.connect_s)
        self._client = httpx.Client(headers=dict(headers), timeout=limits, follow_redirects=False, trust_env=False)

    def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        return tried(self._patience, self._url, lambda: self._once(path, body))

    def _once(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            with self._client.stream("POST", self._url.rstrip("/") + path, json=dict(body)) as answer:
                data = whole(answer.iter_bytes(), self._patience)
        except httpx.HTTPError as error:
            raise Again(f"{type(error).__name__}: {error}") from None
        if answer.status_code in _AGAIN:
            raise Again(f"status {answer.status_code}", _seconds(answer.headers.get("retry-after", "")))
        if answer.status_code != 200:
            raise ModelRefusesUs(f"{self._url} says {answer.status_code}: {data[:300].decode('utf-8', 'replace')}")
        return _object(data)

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
