"""Artifacts: what the work on a content gave, each a row that points at bytes. Written with the work's result."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, as_json, insert_rows
from redwell.adapters.sql.tables import artifact
from redwell.adapters.sql_ledger.blob_rows import add_blobs
from redwell.adapters.sql_ledger.seals import ARTIFACT, artifact_seal
from redwell.core.work.records import Artifact

_ADD = Prepared(insert_rows(artifact, (*ARTIFACT, "seal")))
_FORGET = Prepared(artifact.delete().where(among(artifact.c.derivation, "ids")))


def add_artifacts(tx: Connection, made: Sequence[tuple[int, Artifact]]) -> None:
    """Of each (derivation, artifact); their bytes are in the store already."""
    if made:
        add_blobs(tx, [each.stored for _, each in made])
        _ADD.many(tx, [_row(key, each) for key, each in made])


def replace_artifacts(tx: Connection, keys: Iterable[int], made: Sequence[tuple[int, Artifact]]) -> None:
    """What was made before by an earlier generation gives way."""
    _FORGET.run(tx, ids=as_list(keys))
    add_artifacts(tx, made)


def _row(key: int, made: Artifact) -> dict[str, Any]:
    row: dict[str, Any] = {
        "derivation": key,
        "kind": made.kind.value,
        "number": made.number,
        "last": made.last,
        "media_type": made.media_type,
        "sha256": made.stored.digests.sha256,
        "size": made.stored.size,
        "amount": made.amount,
        "figures": as_json(made.figures) if made.figures else "{}",
    }
    row["seal"] = artifact_seal(row)
    return row
