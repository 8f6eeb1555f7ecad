"""Passwords as argon2 keeps them. Part of the accounts' store; the library's own defaults are those of RFC 9106."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()


def hashed(password: str) -> str:
    return _hasher.hash(password)


def fits(password: str, kept: str) -> bool:
    """As slow where nothing is kept, so that nobody learns by the clock which names there are."""
    try:
        return _hasher.verify(kept or _nobodys(), password) and bool(kept)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys() -> str:
    return _hasher.hash("the password of nobody")
