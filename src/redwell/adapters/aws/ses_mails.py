"""Mails that SES puts into a bucket (its action S3): each object below the prefix is a raw mail. Nothing is written."""

import tempfile
import time
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from redwell.adapters.aws.s3_source import S3Source
from redwell.core.patience import USUAL, Patience
from redwell.core.uploads.mail_heads import told_by_head
from redwell.ports.remote_source import Changed, RemoteObject
from redwell.ports.sources import Brought, Sighted

_SET_UP = "AMAZON_SES_SETUP_NOTIFICATION"  # put there once, when the rule is made: no mail
_IN_MEMORY, _HEAD = 8 << 20, 65_536


class SesMails:
    """SES names its objects by chance, so that there is no cursor: what is listed and was seen before is known."""

    def __init__(self, url: str, patience: Patience = USUAL) -> None:
        self._bucket = S3Source(url, patience)

    def look(self, cursor: str) -> Iterator[Sighted]:
        for found in self._bucket.listed():
            name = found.place.rpartition("/")[2]
            if name != _SET_UP:
                yield Sighted(key=f"{found.place}/{found.tag}", name=f"{name}.eml", place=found.place)

    def fetch(self, sighted: Sighted) -> Brought | None:
        """Not what was put in its place: that is seen as another arrival."""
        try:
            found = self._bucket.look(sighted.place)
            if sighted.key != f"{found.place}/{found.tag}":
                return None
            mail = self._read(found)
        except (FileNotFoundError, Changed):
            return None
        said = told_by_head(mail.read(_HEAD)) | {"object": found.place, "stored_ms": found.modified_ms}
        return Brought(key=sighted.key, name=sighted.name, open=partial(_from_start, mail), said=said)

    def _read(self, found: RemoteObject) -> BinaryIO:
        mail = tempfile.SpooledTemporaryFile(_IN_MEMORY)
        for part in self._bucket.parts(found):
            mail.write(part)
        return _from_start(mail)  # type: ignore[arg-type]

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def close(self) -> None:
        self._bucket.close()


def _from_start(mail: BinaryIO) -> BinaryIO:
    mail.seek(0)
    return mail
