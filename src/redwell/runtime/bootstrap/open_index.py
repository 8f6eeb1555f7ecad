"""Opens the search index of a case on the engine that the settings name. Part of bootstrap's joining."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from redwell.core.errors import UserError
from redwell.core.search.stems import Stems
from redwell.load.project import entries_of
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.ports.search_index import SearchIndex, SearchReader
from redwell.runtime.bootstrap.settings import Settings


def is_shared(settings: Settings) -> bool:
    """Whether every machine can search every case."""
    return settings.search == "opensearch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """What an index is of, and what it is made of and checked with."""

    case: str  # its uid
    folder: Path | None  # where an embedded index lies; None on a machine that does not keep the case
    rows: CaseReader
    blobs: BlobReader


def open_index(settings: Settings, of: Indexed) -> SearchIndex:
    """For whoever loads."""
    return _opened(settings, of, None, read_only=False)


def open_index_reader(settings: Settings, of: Indexed, stems: Stems) -> SearchReader:
    """For whoever only looks. UserError where a finished case has no index on this engine: nothing would be found."""
    index = _opened(settings, of, stems, read_only=True)
    if not index.is_there() and any(batch.finished_ms for batch in of.rows.batches()) and of.rows.counts():
        index.close()
        raise UserError(
            f"the case has no index on {settings.search}; run 'redwell reindex', or mend the setting search"
        )
    return index


def _opened(settings: Settings, of: Indexed, stems: Stems | None, *, read_only: bool) -> SearchIndex:
    read = partial(entries_of, of.rows, of.blobs)
    if is_shared(settings):
        from redwell.adapters.opensearch.client import Client, Patience
        from redwell.adapters.opensearch.index import OpenSearchIndex

        if not settings.opensearch:
            raise UserError("search=opensearch needs the setting opensearch, the URL of the cluster")
        case = of.case.replace("-", "")
        patience = Patience(settings.opensearch_s, settings.opensearch_retries, max(1, settings.opensearch_bulk))
        client = Client(settings.opensearch, patience=patience)
        return OpenSearchIndex(client, settings.name_prefix, case, read, stems)
    from redwell.adapters.tantivy.index import TantivyIndex  # takes a while, and most looks need none

    assert of.folder is not None, "who keeps a case has its folder"
    return TantivyIndex(of.folder, read, stems, read_only=read_only)
