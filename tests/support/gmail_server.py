"""A server that follows Gmail's and Pub/Sub's documented HTTP APIs as far as a watcher asks them, faults included.

The caller's tokens are checked as Google checks them: an assertion signed by the account's key, for the mailbox and
the scopes that it names.
"""

import base64
import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from queue import Empty, Queue
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from tests.support.http_server import LocalServer, Quiet

USER, TOPIC, SUBSCRIPTION = "ann@example.org", "projects/p/topics/mails", "projects/p/subscriptions/redwell"
_ACCOUNT = "redwell@p.iam.gserviceaccount.com"
_TOKEN = {"access_token": "of-ann", "expires_in": 3600, "token_type": "Bearer"}
_ON_A_PAGE = 2


class GmailServer(LocalServer):
    def __init__(self) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._mails: dict[str, dict[str, Any]] = {}
        self._history: list[tuple[int, str, str]] = []  # when, what, whose
        self._now, self._oldest = 1000, 1000
        self.notes: Queue[str] = Queue()
        self.watches: list[dict[str, Any]] = []
        self.acknowledged: list[str] = []
        self.asked: list[str] = []
        self.faults: list[tuple[str, int, bytes]] = []  # the first whose words are in what is asked is answered, once
        self.is_refused = False
        super().__init__(_handler(self))

    def write_key(self, path: Path) -> str:
        """What an operator gets from Google's console."""
        pem = self._key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        told = {"type": "service_account", "client_email": _ACCOUNT, "private_key": pem.decode(), "private_key_id": "1"}
        path.write_text(json.dumps(told | {"token_uri": f"{self.url}/token"}))
        return str(path)

    def write_consent(self, path: Path) -> str:
        """What a person's own consent leaves behind."""
        told = {"type": "authorized_user", "refresh_token": "agreed", "client_id": "c", "client_secret": "s"}
        path.write_text(json.dumps(told | {"token_uri": f"{self.url}/token"}))
        return str(path)

    def deliver(self, key: str, raw: bytes, label: str = "INBOX") -> None:
        encoded = base64.urlsafe_b64encode(raw).decode().rstrip("=")
        self._mails[key] = {"id": key, "threadId": f"t-{key}", "labelIds": [label], "raw": encoded}
        self._mails[key]["internalDate"] = "1700000000000"
        self._happened("messagesAdded", key)

    def move(self, key: str, label: str) -> None:
        self._mails[key]["labelIds"] = [label]
        self._happened("labelsAdded", key)

    def delete(self, key: str) -> None:
        del self._mails[key]

    def forget_history(self) -> None:
        self._now += 1
        self._oldest = self._now

    def note(self, mailbox: str = USER) -> None:
        self.notes.put(
            base64.b64encode(json.dumps({"emailAddress": mailbox, "historyId": self._now}).encode()).decode()
        )

    def _happened(self, what: str, key: str) -> None:
        self._now += 1
        self._history.append((self._now, what, key))

    def token(self, form: dict[str, list[str]]) -> tuple[int, Any]:
        if self.is_refused:
            return 400, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
        if form["grant_type"] == ["refresh_token"]:
            assert (form["refresh_token"], form["client_id"], form["client_secret"]) == (["agreed"], ["c"], ["s"])
            return 200, _TOKEN
        head, body, signature = form["assertion"][0].split(".")
        signed = base64.urlsafe_b64decode(signature + "==")
        self._key.public_key().verify(signed, f"{head}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256())
        claims = json.loads(base64.urlsafe_b64decode(body + "=="))
        assert (claims["iss"], claims["sub"], claims["aud"]) == (_ACCOUNT, USER, "https://oauth2.googleapis.com/token")
        assert "https://www.googleapis.com/auth/gmail.readonly" in claims["scope"].split()
        return 200, _TOKEN

    def answer(self, path: str, asked: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        self.asked.append(path)
        mailbox = f"/gmail/v1/users/{USER}/"
        if path.startswith(mailbox):
            return self._of_mailbox(path.removeprefix(mailbox), asked, body)
        if path == f"/v1/{SUBSCRIPTION}:pull":
            return 200, self._pulled()
        if path == f"/v1/{SUBSCRIPTION}:acknowledge":
            self.acknowledged += body["ackIds"]
            return 200, {}
        return _error(404, "notFound")

    def _of_mailbox(self, what: str, asked: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        if what == "profile":
            return 200, {"emailAddress": USER, "historyId": str(self._now)}
        if what == "watch":
            self.watches.append(body)
            return 200, {"historyId": str(self._now), "expiration": str(int(time.time() * 1000) + 7 * 86_400_000)}
        if what == "messages":
            found = [each for each in self._mails.values() if asked["labelIds"][0] in each["labelIds"]]
            return 200, _page("messages", [_named(each) for each in reversed(found)], asked)
        if what == "history":
            return self._since(asked)
        mail = self._mails.get(what.removeprefix("messages/"))
        return (200, mail) if mail and asked["format"] == ["raw"] else _error(404, "notFound")

    def _since(self, asked: dict[str, list[str]]) -> tuple[int, Any]:
        start, label = int(asked["startHistoryId"][0]), asked["labelId"][0]
        if start < self._oldest:
            return _error(404, "notFound")
        kinds = {f"{kind.replace('Added', 's')}Added" for kind in asked["historyTypes"]}
        records = [
            {"id": str(number), "messages": [{"id": key}], what: [{"message": _named(self._mails[key])}]}
            for number, what, key in self._history
            if number > start and what in kinds and key in self._mails and label in self._mails[key]["labelIds"]
        ]
        return 200, _page("history", records, asked) | {"historyId": str(self._now)}

    def _pulled(self) -> Any:
        try:
            data = self.notes.get(timeout=0.5)
        except Empty:
            return {}
        return {"receivedMessages": [{"ackId": f"ack-{data}", "message": {"data": data, "messageId": "1"}}]}


def _named(mail: dict[str, Any]) -> dict[str, Any]:
    return {key: mail[key] for key in ("id", "threadId", "labelIds")}


def _page(what: str, rows: list[Any], asked: dict[str, list[str]]) -> dict[str, Any]:
    first = int(asked.get("pageToken", ["0"])[0])
    rest = {"nextPageToken": str(first + _ON_A_PAGE)} if len(rows) > first + _ON_A_PAGE else {}
    some = rows[first : first + _ON_A_PAGE]
    return ({what: some} if some else {}) | rest  # the API leaves out what is empty


def _error(status: int, reason: str) -> tuple[int, Any]:
    return status, {"error": {"code": status, "message": reason, "errors": [{"reason": reason}]}}


def _handler(server: GmailServer) -> type[BaseHTTPRequestHandler]:
    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answered(lambda path, asked: server.answer(path, asked, None))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/token":
                self._answered(lambda _path, _asked: server.token(parse_qs(body.decode())), is_signed=False)
            else:
                self._answered(lambda path, asked: server.answer(path, asked, json.loads(body)))

        def _answered(self, ask: Callable[..., tuple[int, Any]], is_signed: bool = True) -> None:
            parts = urlsplit(self.path)
            fault = next((each for each in server.faults if each[0] in self.path), None)
            if fault:
                server.faults.remove(fault)
                status, data = fault[1], fault[2]
            elif is_signed and self.headers["Authorization"] != "Bearer of-ann":
                status, data = 401, b'{"error": {"message": "Invalid Credentials"}}'
            else:
                status, told = ask(parts.path, parse_qs(parts.query))
                data = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data) + (status == 206)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
