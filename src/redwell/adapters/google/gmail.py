"""A mailbox of Gmail, watched over its API: new mails by the mailbox's history, told of by Pub/Sub where a
subscription is named. Nothing in it is changed or marked.

The subscription is pulled from: a laptop or a worker has no address that Google could push to (ADR 82).
"""

import base64
import binascii
import io
import json
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from redwell.adapters.google.calls import GoogleCalls
from redwell.core.errors import NotFound, ServiceUnavailable
from redwell.core.patience import USUAL, Patience
from redwell.core.uploads.mail_heads import told_by_head
from redwell.ports.sources import Brought, Sighted

GMAIL, PUBSUB = "https://gmail.googleapis.com", "https://pubsub.googleapis.com"
_READ, _SUBSCRIBE = "https://www.googleapis.com/auth/gmail.readonly", "https://www.googleapis.com/auth/pubsub"
_AT_ONCE, _NOTES_AT_ONCE = 500, 100
_DAY_S = 86_400.0  # a watch ends after seven days; Google advises to renew it daily
_LONGEST_PULL_S = 90.0


class GmailWatcher:
    """The cursor is the mailbox's `historyId`. One that Google has forgotten means looking at all of it again."""

    def __init__(self, settings: Mapping[str, Any], key_file: str, patience: Patience = USUAL) -> None:
        self._user, self._label = str(settings["user"]), str(settings["label"])
        self._topic, self._subscription = str(settings.get("topic", "")), str(settings.get("subscription", ""))
        endpoint = str(settings.get("endpoint", ""))
        self._mails = f"{endpoint or GMAIL}/gmail/v1/users/{self._user}"
        self._notes = f"{endpoint or PUBSUB}/v1/{self._subscription}"
        scopes = [_READ, *([_SUBSCRIBE] if self._subscription else [])]
        self._google = GoogleCalls(key_file, scopes, self._user, patience)
        self._watched_s = -_DAY_S

    def look(self, cursor: str) -> Iterator[Sighted]:
        if cursor:
            try:
                yield from self._since(cursor)
            except NotFound:
                pass  # too long ago: the API says 404 then
            else:
                return
        yield from self._everything()

    def _since(self, cursor: str) -> Iterator[Sighted]:
        """A mail that is moved into the label counts like one that comes there."""
        wanted = {"startHistoryId": cursor, "labelId": self._label, "historyTypes": ["messageAdded", "labelAdded"]}
        reached = ""
        for page in self._pages("history", wanted):
            reached = reached or str(page["historyId"])  # of the first page: what comes meanwhile is looked at again
            for record in page.get("history", ()):
                for change in (*record.get("messagesAdded", ()), *record.get("labelsAdded", ())):
                    if self._label in change["message"].get("labelIds", ()):
                        yield _sighted(change["message"], reached)

    def _everything(self) -> Iterator[Sighted]:
        """The cursor is taken before the list, so that nothing falls between the two."""
        reached = str(self._google.get(f"{self._mails}/profile")["historyId"])
        for page in self._pages("messages", {"labelIds": self._label}):
            for message in page.get("messages", ()):
                yield _sighted(message, reached)

    def _pages(self, what: str, wanted: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        token: dict[str, str] = {}
        while True:
            page = self._google.get(f"{self._mails}/{what}", **wanted, maxResults=_AT_ONCE, **token)
            yield page
            if not page.get("nextPageToken"):
                return
            token = {"pageToken": page["nextPageToken"]}

    def fetch(self, sighted: Sighted) -> Brought | None:
        """None where it was deleted meanwhile."""
        try:
            found = self._google.get(f"{self._mails}/messages/{sighted.place}", format="raw")
        except NotFound:
            return None
        try:
            raw = base64.urlsafe_b64decode(found["raw"] + "==")
        except (KeyError, TypeError, binascii.Error) as error:
            raise ServiceUnavailable(f"mail {sighted.place} came without its bytes: {error}") from None
        said = {"thread": found.get("threadId", ""), "labels": ",".join(found.get("labelIds", ()))}
        dated = {"stored_ms": int(found["internalDate"])} if str(found.get("internalDate", "")).isdigit() else {}
        return Brought(
            key=sighted.key, name=sighted.name, open=partial(io.BytesIO, raw), said=told_by_head(raw) | said | dated
        )

    def wait(self, seconds: float) -> None:
        """Until Pub/Sub tells of this mailbox. A note is a hint only: the history says what there is."""
        if not self._subscription:
            time.sleep(seconds)
            return
        self._keep_watched()
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            if self._told(min(left, _LONGEST_PULL_S)):
                return

    def _keep_watched(self) -> None:
        if self._topic and time.monotonic() - self._watched_s >= _DAY_S:
            wanted = {"topicName": self._topic, "labelIds": [self._label], "labelFilterBehavior": "include"}
            self._google.post(f"{self._mails}/watch", wanted)
            self._watched_s = time.monotonic()

    def _told(self, seconds: float) -> bool:
        try:
            found = self._google.post_and_wait(f"{self._notes}:pull", {"maxMessages": _NOTES_AT_ONCE}, seconds)
        except ServiceUnavailable:
            time.sleep(min(seconds, 1.0))  # the look that follows says what is wrong
            return False
        notes = found.get("receivedMessages", ())
        if notes:
            self._google.post(f"{self._notes}:acknowledge", {"ackIds": [each["ackId"] for each in notes]})
        return any(_mailbox(each) in ("", self._user.lower()) for each in notes)

    def close(self) -> None:
        self._google.close()


def _sighted(message: Mapping[str, Any], cursor: str) -> Sighted:
    key = str(message["id"])
    return Sighted(key=key, name=f"{key}.eml", place=key, cursor=cursor)


def _mailbox(note: Mapping[str, Any]) -> str:
    """Whose mailbox it is about, in small letters; empty where it doesn't say, which is looked at too."""
    try:
        told = json.loads(base64.b64decode(note["message"]["data"]))
        return str(told["emailAddress"]).lower()
    except (KeyError, TypeError, ValueError):
        return ""
