"""A mailbox that is watched over IMAP: new mails by UID, kept as they are. Nothing in it is changed or marked."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from functools import partial
from typing import Any

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError

from redwell.core.errors import ServiceUnavailable, UserError
from redwell.ports.sources import Brought

_TIMEOUT_S = 60
_SAID = ("From", "To", "Subject", "Date", "Message-ID")
_LONGEST_IDLE_S = 600.0  # servers end a longer one


class ImapWatcher:
    """The cursor is `UIDVALIDITY/UID`. Where the mailbox was made anew, all of it is looked at again."""

    def __init__(self, settings: dict[str, Any], password: str) -> None:
        self._settings, self._password = settings, password
        self._client: IMAPClient | None = None

    def look(self, cursor: str) -> Iterator[Brought]:
        with self._named_failures():
            client = self._connected()
            state = client.select_folder(self._settings["folder"], readonly=True)
            validity = int(state[b"UIDVALIDITY"])
            known, _, last = cursor.partition("/")
            after = int(last) if known == str(validity) and last else 0
            uids = sorted(uid for uid in client.search(["UID", f"{after + 1}:*"]) if uid > after)
        for uid in uids:
            with self._named_failures():
                found = client.fetch([uid], ["BODY.PEEK[]"]).get(uid)
            if found is None:
                continue  # it was deleted meanwhile
            raw = bytes(found[b"BODY[]"])
            key = f"{validity}/{uid}"
            yield Brought(key=key, name=f"{uid}.eml", open=partial(io.BytesIO, raw), said=_said(raw), cursor=key)

    def wait(self, seconds: float) -> None:
        """By IDLE where the server has it, else by looking again."""
        with self._named_failures():
            client = self._connected()
            if not client.has_capability("IDLE"):
                client.noop()
                return
            client.idle()
            try:
                client.idle_check(timeout=min(seconds, _LONGEST_IDLE_S))
            finally:
                client.idle_done()

    def _connected(self) -> IMAPClient:
        if self._client is None:
            wanted = self._settings
            client = IMAPClient(wanted["host"], port=wanted["port"], ssl=wanted["tls"], timeout=_TIMEOUT_S)
            self._client = client  # from here on `close` ends it, whatever happens
            client.login(wanted["user"], self._password)
            client.select_folder(wanted["folder"], readonly=True)
        return self._client

    @contextmanager
    def _named_failures(self) -> Iterator[None]:
        try:
            yield
        except LoginError as error:
            self.close()
            raise UserError(f"{self._settings['host']} refuses the user or the password: {error}") from None
        except (IMAPClientError, OSError) as error:
            self.close()
            raise ServiceUnavailable(f"the mailbox at {self._settings['host']} can't be read: {error}") from None

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.logout()
            except (IMAPClientError, OSError):
                client.shutdown()


def _said(raw: bytes) -> dict[str, str]:
    """What a list of arrivals shows; headers alone, and none of them is trusted."""
    head = raw.partition(b"\r\n\r\n")[0][:65_536]
    mail = message_from_bytes(head, policy=policy.compat32)
    return {name.lower(): " ".join(str(mail[name]).split())[:500] for name in _SAID if mail[name]}
