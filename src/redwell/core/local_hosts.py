"""Which addresses are this machine's own, and where something may be sent that nobody else should read. Pure."""

from urllib.parse import urlsplit

from redwell.core.errors import UserError

LOCAL_HOSTS = {"127.0.0.1", "::1", "localhost"}


def require_safe(url: str) -> str:
    """UserError where what is sent there could be read on the way."""
    parts = urlsplit(url)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOCAL_HOSTS):
        return url.rstrip("/")
    raise UserError(f"{url}: only https, or http on this machine")
