"""Nutrient Document Engine over HTTP (SPEC E2). Used by the tasks of an uploader.

It follows no redirect and uses no proxy of the environment: evidence reaches the engine that was chosen, or none. The
two calls are those of the specification; docs/viewing.md says which of them the vendor's own guides confirm.
"""

import json
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx

from redwell.ports.viewing.viewing_engine import EngineUnavailable, FlattenTimedOut, Pdf

CONNECT_S, LOAD_S, LOOK_S = 10.0, 240.0, 5.0
MOST_BYTES = 4 << 20  # of an answer
FLATTEN = {"parts": [{"document": {"id": "#self"}}], "actions": [{"type": "flatten"}]}
log = logging.getLogger(__name__)


class NutrientEngine:
    """Keeps the promises of `ports.viewing.viewing_engine.ViewingEngine`."""

    def __init__(self, url: str, token: str, flatten_s: float, load_s: float = LOAD_S) -> None:
        self._url, self._flatten_s, self._load_s = url.rstrip("/"), flatten_s, load_s
        self._client = httpx.Client(
            headers={"Authorization": f"Token token={token}"},
            timeout=httpx.Timeout(load_s, connect=CONNECT_S),
            follow_redirects=False,
            trust_env=False,
        )

    def is_there(self) -> bool:
        try:
            self._client.get(f"{self._url}/healthcheck", timeout=LOOK_S)
        except httpx.HTTPError:
            return False
        return True

    def load(self, file: str, pdf: Pdf) -> str:
        named: dict[str, Any] = {"document_id": file, "overwrite_existing_document": True}
        path = "/api/documents"
        if pdf.link:
            answer = self._posted(path, self._load_s, json={"url": pdf.link, **named})
        else:
            with pdf.open() as data:
                parts = {"file": (f"{file}.pdf", data, "application/pdf")}
                fields = {key: str(value).lower() if value is True else value for key, value in named.items()}
                answer = self._posted(path, self._load_s, files=parts, data=fields)
        told = answer.get("data")
        if not isinstance(told, dict) or not isinstance(told.get("document_id"), str):
            raise EngineUnavailable("the viewing engine answered without the document's id")
        if errors := told.get("errors"):
            log.warning("the viewing engine could not read all of %s: %s", file, str(errors)[:500])
        return str(told["document_id"])

    def flatten(self, document: str) -> None:
        path = f"/api/documents/{quote(document, safe='')}/apply_instructions"
        try:
            self._posted(path, self._flatten_s, json=FLATTEN)
        except httpx.TimeoutException:
            raise FlattenTimedOut(f"flattening took more than {self._flatten_s:g} s (setting flatten_s)") from None

    def close(self) -> None:
        self._client.close()

    def _posted(self, path: str, within_s: float, **body: Any) -> Mapping[str, Any]:
        """The answer's object. Only flattening has a time-out of its own; of any other call it is one more failure."""
        is_flatten = path.endswith("/apply_instructions")
        try:
            status, data, after_s = self._once(path, within_s, body)
        except httpx.ConnectTimeout as error:
            raise EngineUnavailable(f"the viewing engine can't be reached: {error!r}") from None
        except httpx.TimeoutException as error:
            if is_flatten:
                raise
            raise EngineUnavailable(f"the viewing engine gave no answer in {within_s:g} s: {error!r}") from None
        except httpx.HTTPError as error:
            raise EngineUnavailable(f"the viewing engine can't be reached, or went away: {error!r}") from None
        if status != 200:
            raise EngineUnavailable(f"the viewing engine answered {status}{_why(status, data)}", after_s)
        try:
            found = json.loads(data)
        except ValueError:
            raise EngineUnavailable("the viewing engine's answer is no JSON") from None
        if not isinstance(found, dict):
            raise EngineUnavailable("the viewing engine's answer is no object")
        return found

    def _once(self, path: str, within_s: float, body: Mapping[str, Any]) -> tuple[int, bytes, float]:
        """An answer that trickles in is ended in time too."""
        ends, data = time.monotonic() + within_s, b""
        limits = httpx.Timeout(within_s, connect=CONNECT_S)
        with self._client.stream("POST", f"{self._url}{path}", timeout=limits, **body) as answer:
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > MOST_BYTES:
                    raise EngineUnavailable(f"the viewing engine answered with more than {MOST_BYTES:,} bytes")
                if time.monotonic() > ends:
                    raise httpx.ReadTimeout(f"no end after {within_s:g} s")
            return answer.status_code, data, _seconds(answer.headers.get("retry-after", ""))


def _seconds(said: str) -> float:
    return float(said) if said.isdigit() else 0.0


def _why(status: int, data: bytes) -> str:
    if status in (401, 403):
        return ": it does not know the token (setting viewer_token)"
    said = data[:300].decode("utf-8", "replace").strip()
    return f": {said}" if said else ""
