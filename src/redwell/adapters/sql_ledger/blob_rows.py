"""Where bytes lie in the blob store: a row for each content, text or rendition, whoever brings it first."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from redwell.adapters.sql.list_parameters import among_hashes, as_hashes
from redwell.adapters.sql.prepared import Prepared, insert_rows
from redwell.adapters.sql.tables import blob
from redwell.core.blobs import Location, Stored

_BLOBS = Prepared(select(blob).where(among_hashes(blob.c.sha256)))
_ADD = Prepared(insert_rows(blob, blob.c.keys()).on_conflict_do_nothing())


def known_blobs(tx: Connection, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
    rows = _BLOBS.all(tx, **as_hashes(sha256s))
    return {sha256: Location(pack, offset, length) for sha256, pack, offset, length in rows}


def add_blobs(tx: Connection, stored: Iterable[Stored]) -> None:
    rows = [
        {
            "sha256": s.digests.sha256,
            "pack": s.location.pack,
            "offset": s.location.offset,
            "length": s.location.length,
        }
        for s in stored
    ]
    _ADD.many(tx, rows)
