"""The webhook's endpoint over HTTP. Used by those who tell others, in the process that works on a case."""

import time

import httpx
import msgspec
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from redwell.core.errors import ServiceUnavailable
from redwell.core.events.event import Event
from redwell.core.events.webhooks import Address, body_of, iso_date, signature
from redwell.ports.messaging.endpoint import Refused

TRIES, FIRST_PAUSE_S, LONGEST_PAUSE_S = 3, 0.2, 2.0  # of one call; who calls waits longer, and calls again
_AGAIN = {408, 425, 429}  # and everything from 500 on


class HttpEndpoint:
    """Keeps the promise of `messaging.endpoint.Endpoint`; follows no redirect, and reads an answer's head only."""

    def __init__(self, address: Address, secret: str, digest: str, connect_s: float = 5, answer_s: float = 10) -> None:
        self._address, self._secret, self._digest = address, secret, digest
        self._client = httpx.Client(timeout=httpx.Timeout(answer_s, connect=connect_s), follow_redirects=False)
        self._patiently = Retrying(
            retry=retry_if_exception_type(ServiceUnavailable),
            wait=wait_exponential_jitter(max=LONGEST_PAUSE_S, jitter=FIRST_PAUSE_S, multiplier=FIRST_PAUSE_S),
            stop=stop_after_attempt(TRIES),
            reraise=True,
        )

    def post(self, event: Event, case: str) -> None:
        url = httpx.URL(self._address.url(event.case_id, event.batch_id or 0))
        self._patiently(self._post, url, msgspec.json.encode(body_of(event, case)))

    def _post(self, url: httpx.URL, body: bytes) -> None:
        try:
            with self._client.stream("POST", url, content=body, headers=self._headers(url)) as answer:
                code = answer.status_code
        except httpx.TransportError as error:
            raise ServiceUnavailable(f"the webhook's endpoint cannot be reached or went away: {error!r}") from None
        if code >= 500 or code in _AGAIN:
            raise ServiceUnavailable(f"the webhook's endpoint asks for patience: it answered {code}")
        if code >= 300:
            raise Refused(f"the endpoint answered {code}")

    def _headers(self, url: httpx.URL) -> dict[str, str]:
        """What is signed is the whole path as it is sent, that of the URL's base included."""
        date = iso_date(time.time_ns() // 1_000_000)
        path = url.raw_path.decode().partition("?")[0]
        signed = signature(self._secret, "POST", path, date, self._digest)
        return {"Content-Type": "application/json", "API-Authorization": signed, "API-Date": date}

    def close(self) -> None:
        self._client.close()
