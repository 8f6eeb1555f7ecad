"""Evidence in a bucket, by `s3://bucket/prefix`: every object below the prefix, or the one object of that name.

Names are taken as they are: a client that tidies up paths would lose objects with two slashes in a row.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from botocore.exceptions import ClientError

from redwell.adapters.aws.clients import client, code_of, named_failures
from redwell.core.errors import RedwellError, UserError
from redwell.core.patience import USUAL, Patience
from redwell.ports.remote_source import SCHEME, Changed, RemoteObject

PART = 1 << 20
_GONE = {"NoSuchKey", "404", "NotFound"}
_OTHERS = {"PreconditionFailed", "412"}
_REFUSED = {"AccessDenied", "403", "Forbidden", "InvalidObjectState"}  # the last: archived, to be restored first


class S3Source:
    """Keeps the promises of `ports.remote_source.RemoteSource`."""

    def __init__(self, url: str, patience: Patience = USUAL) -> None:
        bucket, _, prefix = url.removeprefix(SCHEME).partition("/")
        if not url.startswith(SCHEME) or not bucket:
            raise UserError(f"{url!r} names no bucket: s3://bucket/prefix")
        self._url, self._bucket, self._prefix = url, bucket, prefix.rstrip("/")
        self._s3: Any = client("s3", patience)

    def listed(self) -> Iterator[RemoteObject]:
        """What only marks a folder is none of them."""
        if self._single:
            yield self._single
            return
        below = f"{self._prefix}/" if self._prefix else ""
        with named_failures(self._url):
            for page in self._s3.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=below):
                for row in page.get("Contents", ()):
                    place = row["Key"][len(below) :]
                    if place and (row["Size"] or not place.endswith("/")):
                        yield _object(place, row["Size"], row)

    @cached_property
    def _single(self) -> RemoteObject | None:
        """The source is an object itself, and no folder."""
        try:
            return self._look(self._prefix.rpartition("/")[2], self._prefix) if self._prefix else None
        except FileNotFoundError:
            return None

    def look(self, place: str) -> RemoteObject:
        return self._look(place, self._key(place))

    def _look(self, place: str, key: str) -> RemoteObject:
        with _as_of_a_file(place), named_failures(self._url):
            row = self._s3.head_object(Bucket=self._bucket, Key=key)
        return _object(place, row["ContentLength"], row)

    def parts(self, found: RemoteObject) -> Iterator[bytes]:
        with _as_of_a_file(found.place), named_failures(self._url):
            answer = self._s3.get_object(Bucket=self._bucket, Key=self._key(found.place), IfMatch=f'"{found.tag}"')
            yield from answer["Body"].iter_chunks(PART)

    def _key(self, place: str) -> str:
        if self._single:
            return self._prefix
        return f"{self._prefix}/{place}" if self._prefix else place

    def close(self) -> None:
        self._s3.close()


@contextmanager
def _as_of_a_file(place: str) -> Iterator[None]:
    """What is about one object only is told like that of a file; a service that is away stays what it is."""
    try:
        yield
    except RedwellError as error:
        code = code_of(error.__cause__) if isinstance(error.__cause__, ClientError) else ""
        if code in _GONE:
            raise FileNotFoundError(errno.ENOENT, "no such object", place) from error
        if code in _OTHERS:
            raise Changed from error
        if code in _REFUSED:
            raise PermissionError(errno.EACCES, f"the bucket refuses it ({code})", place) from error
        raise


def _object(place: str, size: int, row: Any) -> RemoteObject:
    return RemoteObject(place, size, int(row["LastModified"].timestamp() * 1_000), row["ETag"].strip('"'))
