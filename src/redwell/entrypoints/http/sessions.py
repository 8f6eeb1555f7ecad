"""The cookie of somebody who has signed in: a signed secret, and the word that proves a form is our own."""

import hashlib
import hmac

from fastapi import Request, Response
from itsdangerous import BadSignature, Signer

COOKIE = "redwell_session"
VALID_S = 12 * 3600
LINK_S = 24 * 3600


class Sessions:
    def __init__(self, key: bytes) -> None:
        self._signer = Signer(key, salt="redwell.session", digest_method=hashlib.sha256)
        self._key = key

    def secret(self, request: Request) -> str | None:
        try:
            return self._signer.unsign(request.cookies.get(COOKIE, "")).decode()
        except (BadSignature, UnicodeError):
            return None

    def signed(self, secret: str) -> str:
        """The cookie's value."""
        return self._signer.sign(secret).decode()

    def give(self, request: Request, response: Response, secret: str) -> None:
        is_secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, self.signed(secret), max_age=VALID_S, httponly=True, samesite="lax", secure=is_secure, path="/"
        )

    def take(self, response: Response) -> None:
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")

    def csrf(self, secret: str) -> str:
        return hmac.digest(self._key, b"csrf " + secret.encode(), "sha256").hex()

    def is_ours(self, secret: str, word: str) -> bool:
        return hmac.compare_digest(self.csrf(secret).encode(), word.encode("utf-8", "replace"))
