"""Secrets that leave the system once: links, sessions, tokens. Only their digests are kept. Pure but for chance."""

import hashlib
import secrets

TOKEN_PREFIX = "rw_"  # by which people and scanners of leaked secrets know one
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 1024


def new_secret() -> str:
    """256 bits, fit for an address."""
    return secrets.token_urlsafe(32)


def new_token() -> str:
    return TOKEN_PREFIX + new_secret()


def digest(secret: str) -> bytes:
    """A secret of 256 bits needs no slow hash: nobody guesses it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def weakness(password: str) -> str:
    """Why it is refused; empty where it is good enough."""
    if len(password) < SHORTEST_PASSWORD:
        return f"a password has at least {SHORTEST_PASSWORD} characters; a few words in a row are easy to keep in mind"
    if len(password) > LONGEST_PASSWORD:
        return f"a password has at most {LONGEST_PASSWORD} characters"
    return "" if len(set(password)) > 4 else "a password of so few different characters is guessed at once"
