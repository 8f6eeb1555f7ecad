"""Calls of Google's documented HTTP APIs with an operator's own credentials: JSON in and out, failures by name.

No proxy of the environment is used and no redirect followed: only the hosts that are named here or in the
credentials are reached.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import google.auth.transport
import httpx
from google.auth.credentials import Credentials
from google.auth.exceptions import RefreshError, TransportError
from google.oauth2 import credentials as of_user
from google.oauth2 import service_account
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from redwell.core.errors import NotFound, ServiceUnavailable, UserError
from redwell.core.local_hosts import require_safe
from redwell.core.patience import Patience

_TOKENS = "https://oauth2.googleapis.com/token"
_LONGEST = 128 << 20  # a mail of 50 MB, as Google writes it
_of_service: Callable[..., Credentials] = service_account.Credentials.from_service_account_info
_TOO_MUCH = {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"}
_LONGEST_PAUSE_S = 8.0


class _Silent(ServiceUnavailable):
    """No answer came in the time that there was."""


class GoogleCalls:
    def __init__(self, key_file: str, scopes: Sequence[str], subject: str, patience: Patience) -> None:
        limits = httpx.Timeout(patience.read_s, connect=patience.connect_s)
        self._client = httpx.Client(timeout=limits, follow_redirects=False, trust_env=False)
        self._exchange = _Exchange(self._client)
        self._credentials = _credentials(Path(key_file), scopes, subject)
        self._tries = patience.tries

    def get(self, url: str, **asked: Any) -> Mapping[str, Any]:
        """NotFound where Google says so."""
        return self._patiently("GET", url, params=asked)

    def post(self, url: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._patiently("POST", url, json=dict(body))

    def post_and_wait(self, url: str, body: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        """A call that is held until there is something to say; nothing was said in so long: nothing. Tried once."""
        try:
            return self._once("POST", url, json=dict(body), timeout=seconds)
        except _Silent:
            return {}

    def _patiently(self, method: str, url: str, **call: Any) -> Mapping[str, Any]:
        again = Retrying(
            retry=retry_if_exception_type(ServiceUnavailable),
            stop=stop_after_attempt(self._tries),
            wait=wait_random_exponential(max=_LONGEST_PAUSE_S),
            reraise=True,
        )
        return again(self._once, method, url, **call)

    def _once(self, method: str, url: str, **call: Any) -> Mapping[str, Any]:
        try:
            with self._client.stream(method, url, headers=self._signed(), **call) as answer:
                data = _whole(answer)
        except httpx.ReadTimeout:
            raise _Silent(f"{_host(url)} does not answer in time") from None
        except httpx.HTTPError as error:
            raise ServiceUnavailable(f"{_host(url)} can't be reached: {type(error).__name__} {error}") from None
        try:
            told = json.loads(data or b"{}")
        except ValueError:
            told = None
        if answer.status_code == 200 and isinstance(told, dict):
            return told
        raise _failure(url, answer.status_code, told)

    def _signed(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        try:
            self._credentials.before_request(self._exchange, "GET", "", headers)  # type: ignore[no-untyped-call]
        except TransportError as error:
            raise ServiceUnavailable(f"no token could be had: {error}") from None
        except RefreshError as error:
            if error.retryable:
                raise ServiceUnavailable(f"no token could be had: {error}") from None
            raise UserError(f"Google refuses the credentials: {error}") from None
        return headers

    def close(self) -> None:
        self._client.close()


class _Exchange(google.auth.transport.Request):
    """Where google-auth asks for tokens: over the same client, to the host that the credentials name."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def __call__(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        **kwargs: Any,
    ) -> Any:
        try:
            answer = self._client.request(method, url, content=body, headers=headers)
        except httpx.HTTPError as error:
            told = f"{_host(url)} can't be reached: {error}"
            raise TransportError(told) from None  # type: ignore[no-untyped-call]
        return _Answer(answer)


class _Answer(google.auth.transport.Response):
    def __init__(self, answer: httpx.Response) -> None:
        self._answer = answer

    @property
    def status(self) -> int:
        return self._answer.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return self._answer.headers

    @property
    def data(self) -> bytes:
        return self._answer.content


def _credentials(file: Path, scopes: Sequence[str], subject: str) -> Credentials:
    """What Google hands out: a service account's key, or what a person agreed to once (`authorized_user`)."""
    try:
        told = json.loads(file.read_bytes())
        kind = told.get("type")
        require_safe(told.setdefault("token_uri", _TOKENS))
        if kind == "service_account":
            return _of_service(told, scopes=scopes, subject=subject)
        if kind == "authorized_user":
            named = {name: told[name] for name in ("refresh_token", "token_uri", "client_id", "client_secret")}
            return of_user.Credentials(None, scopes=list(scopes), **named)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, AttributeError, KeyError) as error:
        raise UserError(f"{file} can't be read as Google's credentials: {type(error).__name__} {error}") from None
    raise UserError(f"{file} is of the type {kind!r}; `service_account` and `authorized_user` are understood")


def _whole(answer: httpx.Response) -> bytes:
    data = bytearray()
    for part in answer.iter_bytes():
        data += part
        if len(data) > _LONGEST:
            raise ServiceUnavailable(f"{answer.url.host} sends more than {_LONGEST >> 20} MB for one answer")
    return bytes(data)


def _failure(url: str, status: int, told: Any) -> Exception:
    error = told.get("error") if isinstance(told, dict) else None
    words, reasons = "", set()
    if isinstance(error, dict):
        words = str(error.get("message", ""))[:300]
        reasons = {str(each.get("reason")) for each in error.get("errors") or () if isinstance(each, dict)}
    said = f"{_host(url)} says {status} {words}".rstrip()
    if status == 404:
        return NotFound(said)
    if status in (408, 429) or status >= 500 or reasons & _TOO_MUCH:
        return ServiceUnavailable(said)
    if status == 200:
        return ServiceUnavailable(f"{_host(url)} answers with something that is no object of JSON")
    return UserError(f"{said}: see that the account may read this, and that the API is enabled")


def _host(url: str) -> str:
    return urlsplit(url).netloc
