"""Lists of known files in a bucket (SPEC A12): a list as an object, or an object for each hash, named by its MD5."""

import hashlib
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from redwell.adapters.aws.s3_source import S3Source
from redwell.core.errors import Permanent, UserError
from redwell.core.ids import uuid7
from redwell.core.patience import USUAL, Patience

REMEMBERED = 100_000  # answers


def fetched(url: str, folder: Path, patience: Patience = USUAL) -> Path:
    """A local copy of the list as it is now, named by its tag; older ones of the same place go."""
    source = S3Source(url, patience)
    try:
        found = source.look(url.rpartition("/")[2])
        head = hashlib.sha256(url.encode()).hexdigest()[:16]
        copy = folder / f"{head}-{hashlib.sha256(found.tag.encode()).hexdigest()[:16]}.nist"
        if not copy.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            older = list(folder.glob(f"{head}-*.nist"))
            part = folder / f"{uuid7().hex}.part"
            with part.open("wb") as file:
                for piece in source.parts(found):
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            part.rename(copy)
            for each in older:
                each.unlink(missing_ok=True)
    except (OSError, Permanent) as error:
        raise UserError(f"the list of known files {url} cannot be read: {error}") from None
    finally:
        source.close()
    return copy


class BucketOfHashes:
    """Keeps the promises of `ports.known_files.KnownList`; asked for each file, it is as the bucket is then."""

    count = 0  # nobody has counted them

    def __init__(self, url: str, patience: Patience = USUAL) -> None:
        self._source = S3Source(url, patience)
        self.name = url
        self._has = lru_cache(REMEMBERED)(self._ask)

    @property
    def note(self) -> Mapping[str, Any]:
        return {"sha256": "", "source": self.name}

    def __contains__(self, md5: bytes) -> bool:
        return self._has(md5.hex()) or self._has(md5.hex().upper())

    def _ask(self, name: str) -> bool:
        try:
            self._source.look(name)
        except FileNotFoundError:
            return False
        return True

    def close(self) -> None:
        self._source.close()
