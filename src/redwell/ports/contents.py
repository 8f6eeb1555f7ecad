"""How a stage keeps small contents: each once, whatever the case has already. The caller syncs."""

from collections.abc import Mapping

from redwell.core.blobs import Digests, Stored
from redwell.ports.blob_store import BlobStore
from redwell.ports.ledger import KnownBlobs


def keep(contents: Mapping[Digests, bytes], ledger: KnownBlobs, blobs: BlobStore) -> dict[Digests, Stored]:
    """Append what is new; where each content lies. Rows may point there after `blobs.sync()`."""
    if not contents:
        return {}
    known = ledger.known_blobs([digests.sha256 for digests in contents])
    kept = {}
    for digests, data in contents.items():
        if digests.sha256 not in known:
            known[digests.sha256] = blobs.append(digests.sha256, data)
        kept[digests] = Stored(digests, len(data), known[digests.sha256])
    return kept
