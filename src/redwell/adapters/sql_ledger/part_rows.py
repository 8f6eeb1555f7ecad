"""Contents that a piece of work is about besides its own: volumes of a set, or parts of a document to be joined."""

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import artifact, blob, derivation
from redwell.adapters.sql_ledger.volumes import volumes_of
from redwell.core.artifacts import ArtifactKind
from redwell.core.blobs import Location
from redwell.core.work.kinds import TaskType
from redwell.core.work.page_ranges import reading_in
from redwell.core.work.records import ClaimedVolume
from redwell.core.work.volumes import scheme_in

_mine = select(derivation.c.document).where(derivation.c.id == bindparam("work")).scalar_subquery()
_PARTS = Prepared(
    select(derivation.c.context, artifact.c.number, *(blob.c[c] for c in ("sha256", "pack", "offset", "length")))
    .join_from(derivation, artifact, artifact.c.derivation == derivation.c.id)
    .join(blob, blob.c.sha256 == artifact.c.sha256)
    .where(
        derivation.c.document == _mine,
        artifact.c.kind == constant(ArtifactKind.SEARCHABLE_PDF),
        artifact.c.number > constant(0),
    )
    .order_by(artifact.c.number, derivation.c.id)
)


def volumes_for(tx: Connection, work: int, task: str, context: str) -> tuple[ClaimedVolume, ...]:
    if task == TaskType.COMBINE_PAGE_IMAGES:
        return _parts(tx, work, reading_in(context))
    return volumes_of(tx, work) if scheme_in(context) else ()


def _parts(tx: Connection, work: int, reading: str) -> tuple[ClaimedVolume, ...]:
    """In the order of their pages, of each the latest."""
    found = {
        number: ClaimedVolume(number=number, sha256=sha256, location=Location(*place))
        for context, number, sha256, *place in _PARTS.all(tx, work=work)
        if reading_in(context) == reading
    }
    return tuple(found.values())
