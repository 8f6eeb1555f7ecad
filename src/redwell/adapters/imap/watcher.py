"""A mailbox that is watched over IMAP: new mails by UID, kept as they are. Nothing in it is changed or marked."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError

from redwell.core.errors import ServiceUnavailable, UserError
from redwell.core.uploads.mail_heads import told_by_head
from redwell.ports.sources import Brought, Sighted

_TIMEOUT_S = 60
_LONGEST_IDLE_S = 600.0  # servers end a longer one


class ImapWatcher:
    """The cursor is `UIDVALIDITY/UID`. Where the mailbox was made anew, all of it is looked at again."""

    def __init__(self, settings: dict[str, Any], password: str) -> None:
        self._settings, self._password = settings, password
        self._client: IMAPClient | None = None
        self._validity = ""  # of the mailbox as it was selected last

    def look(self, cursor: str) -> Iterator[Sighted]:
        with self._named_failures():
            client = self._connected()
            validity = self._selected(client)
            known, _, last = cursor.partition("/")
            after = int(last) if known == str(validity) and last else 0
            uids = sorted(uid for uid in client.search(["UID", f"{after + 1}:*"]) if uid > after)
        is_again = bool(known) and known != str(validity)
        for uid in uids:
            key = f"{validity}/{uid}"
            yield Sighted(key=key, name=f"{uid}.eml", place=key, cursor=key, is_again=is_again)

    def fetch(self, sighted: Sighted) -> Brought | None:
        """None where it was deleted, or its number means another mail now, which is seen by the next look."""
        validity, _, uid = sighted.place.partition("/")
        with self._named_failures():
            client = self._connected()
            if validity != self._validity:
                return None
            found = client.fetch([int(uid)], ["BODY.PEEK[]"]).get(int(uid))
        if found is None:
            return None
        raw = bytes(found[b"BODY[]"])
        return Brought(key=sighted.key, name=sighted.name, open=partial(io.BytesIO, raw), said=told_by_head(raw))

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
            self._selected(client)
        return self._client

    def _selected(self, client: IMAPClient) -> int:
        state = client.select_folder(self._settings["folder"], readonly=True)
        self._validity = str(int(state[b"UIDVALIDITY"]))
        return int(self._validity)

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
