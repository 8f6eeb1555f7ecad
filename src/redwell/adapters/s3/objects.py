"""Objects below one prefix of a bucket, and what the store and the way to it can do wrong. Used by the blob store.

Region, credentials and endpoint come from AWS's own environment variables, or the role of the machine.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    PermissionDeniedError,
    UnauthenticatedError,
)
from obstore.store import S3Store

from redwell.core.errors import Permanent, ServiceUnavailable, UserError
from redwell.core.patience import USUAL, Patience

PART = 16 << 20  # of an upload; there may be 10,000
LONGEST_LINK = timedelta(days=7)


class Objects:
    """Safe to use from several threads."""

    def __init__(self, url: str, patience: Patience = USUAL) -> None:
        parts = urlsplit(url)
        if parts.scheme != "s3" or not parts.netloc or parts.query:
            raise UserError(f"{url!r} is no place for blobs: s3://bucket/prefix")
        self.url = url
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
        self._store = S3Store(
            parts.netloc,
            prefix=parts.path.strip("/") or None,
            client_options={
                "connect_timeout": timedelta(seconds=patience.connect_s),
                "read_timeout": timedelta(seconds=patience.read_s),
                "timeout": timedelta(minutes=10),
                "allow_http": endpoint.startswith("http://"),
            },
            retry_config={"max_retries": patience.tries - 1, "retry_timeout": timedelta(minutes=2)},
        )

    def put_new(self, key: str, data: bytes) -> None:
        """A whole object that was not there; never over another one."""
        with self._named(key):
            try:
                obstore.put(self._store, key, data, mode="create", use_multipart=False)
            except AlreadyExistsError:
                # our own: the answer to an earlier attempt was lost
                if self.read(key) != data:
                    raise Permanent(
                        f"{self.url}/{key} is there with other bytes; it was not put there by Redwell"
                    ) from None

    def put_file(self, key: str, path: Path) -> None:
        """In parts, several at once; the object is there when all of them are."""
        with self._named(key):
            obstore.put(self._store, key, path, chunk_size=PART)

    def size(self, key: str) -> int | None:
        with self._named(key):
            try:
                return int(obstore.head(self._store, key)["size"])
            except FileNotFoundError:  # the library raises the built-in one
                return None

    def read(self, key: str) -> bytes:
        with self._named(key):
            return bytes(obstore.get(self._store, key).bytes())

    def range(self, key: str, start: int, length: int) -> bytes:
        """Shorter where the object ends before."""
        if not length:
            return b""
        with self._named(key):
            try:
                return bytes(obstore.get_range(self._store, key, start=start, length=length))
            except BaseError:
                size = self.size(key)
                if size is None or start < size:
                    raise
                return b""  # beyond its end

    def parts(self, key: str) -> Iterator[bytes]:
        """All of it, as it comes."""
        with self._named(key):
            for part in obstore.get(self._store, key):
                yield bytes(part)

    def names(self, prefix: str) -> Iterator[tuple[str, int]]:
        """Every object below, with its size; `prefix` ends with a slash."""
        with self._named(prefix):
            for some in obstore.list(self._store, prefix=prefix):
                for each in some:
                    yield each["path"], each["size"]

    def delete(self, key: str) -> None:
        with self._named(key):
            obstore.delete(self._store, key)

    def link(self, key: str, valid: timedelta) -> str:
        if valid > LONGEST_LINK:
            raise ValueError(f"a signed link holds for {LONGEST_LINK.days} days at most")
        with self._named(key):
            return obstore.sign(self._store, "GET", key, valid)

    @contextmanager
    def _named(self, key: str) -> Iterator[None]:
        place = f"{self.url}/{key}"
        try:
            yield
        except FileNotFoundError as error:
            raise Permanent(f"{place} is missing from the case; run 'redwell verify' to see what it held") from error
        except (PermissionDeniedError, UnauthenticatedError) as error:
            raise UserError(f"{place}: the object store refuses: {_said(error)}") from error
        except (BaseError, OSError) as error:
            raise ServiceUnavailable(f"{place}: the object store cannot be reached or fails: {_said(error)}") from error


def _said(error: Exception) -> str:
    """Its first line; the others repeat it with the library's own names."""
    return str(error).strip().partition("\n")[0]
