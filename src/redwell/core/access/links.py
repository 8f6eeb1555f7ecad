"""Signed links: one file of one case, for whoever has the link, until it ends. Pure."""

import hashlib
import hmac
from dataclasses import dataclass

LONGEST_S = 7 * 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What is signed: nothing of it can be changed."""

    file: str  # core.viewing.file_ids
    ext: str
    account: int  # of whoever made it, whose rights it has
    ends_s: int


def signature(key: bytes, link: Link) -> str:
    told = "\n".join(("redwell link", link.file, link.ext, str(link.account), str(link.ends_s)))
    return hmac.digest(hmac.digest(key, b"links", "sha256"), told.encode(), hashlib.sha256).hex()


def is_good(key: bytes, link: Link, given: str, now_s: float) -> bool:
    """Compared in constant time; one that would last longer than links may is none of ours."""
    fits = hmac.compare_digest(signature(key, link).encode(), given.encode("utf-8", "replace"))
    return fits and now_s < link.ends_s <= now_s + LONGEST_S
