"""What was made of exhibits besides their reading, and how they are shown by it. Called by the load, and at the end of
such work.

A case without renditions pays one look into an index for each chunk of its load.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

from sqlalchemy import Connection, and_, bindparam, func, literal_column, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, new_values
from redwell.adapters.sql.tables import artifact, derivation, ingestion, load_pending
from redwell.adapters.sql_exhibits import kept_counts
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.checkpoints import Checkpoint, before
from redwell.core.case.exhibit_look import (
    AS_READ,
    COLUMNS,
    Look,
    MadePart,
    PageText,
    ReadExhibit,
    in_order,
    look_of,
    parts_for,
    texts_for,
)
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.work.kinds import Purpose
from redwell.core.work.transitions import Stage

T = TypeVar("T", MadePart, PageText)
_later = (among(derivation.c.document, "documents"), derivation.c.purpose != constant(Purpose.READ))
_PARTS = Prepared(select(*(derivation.c[name] for name in MadePart.__struct_fields__)).where(*_later))
_TEXTS = Prepared(
    select(
        *(derivation.c[name] for name in ("document", "id", "context")),
        *(artifact.c[name] for name in ("number", "sha256", "amount", "figures")),
    )
    .join_from(derivation, artifact, artifact.c.derivation == derivation.c.id)
    .where(*_later, artifact.c.kind == constant(ArtifactKind.OCR_TEXT))
)
_text = and_(
    artifact.c.derivation == derivation.c.id,
    artifact.c.kind == constant(ArtifactKind.TEXT),
    artifact.c.number == constant(0),
)
_READ = Prepared(
    select(
        *(ingestion.c[name] for name in ("id", "document", "outcome", "problems")),
        *(derivation.c[name] for name in ("context", "outcome", "problems")),
        func.coalesce(artifact.c.amount, constant(0)),
    )
    .join_from(ingestion, derivation, ingestion.c.derivation == derivation.c.id)
    .join(artifact, _text, isouter=True)
    .where(
        among(ingestion.c.id, "ids"), func.coalesce(ingestion.c.outcome, literal_column("''")) != literal_column("''")
    )
)
_SHOW = Prepared(exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(COLUMNS)))
_ended = (
    select(exhibit.c.id)
    .join_from(exhibit, ingestion, ingestion.c.id == exhibit.c.id)
    .where(among(exhibit.c.document, "documents"), ingestion.c.state == constant(Stage.DONE))
)
_PENDING = Prepared(
    upsert(load_pending)
    .from_select(["exhibit"], _ended)
    .on_conflict_do_update(index_elements=["exhibit"], set_={"taken": constant(0)})
)
_PUT_BACK = Prepared(
    update(exhibit)
    .where(exhibit.c.id.in_(_ended), exhibit.c.checkpoint > bindparam("reached"))
    .values(checkpoint=bindparam("reached"))
)


def load_all_with(tx: Connection, documents: Iterable[int]) -> None:
    """Something became of a part of these contents: all their exhibits that have ended are shown and indexed anew."""
    keys = as_list(sorted(set(documents)))
    if keys:
        _PENDING.run(tx, documents=keys)
        _PUT_BACK.run(tx, documents=keys, reached=before(Checkpoint.PAGES))


def looks(tx: Connection, contents: Mapping[int, int], shown: Iterable[int]) -> dict[int, Look]:
    """How exhibits are to be shown: those with parts, and those that were not shown as the ledger says until now.

    `contents` has the document of each exhibit, `shown` are the latter.
    """
    found = dict.fromkeys(shown, AS_READ)
    documents = as_list(sorted(set(contents.values())))
    parts = _by_document(_PARTS.of(tx, MadePart, documents=documents)) if documents else {}
    concerned = [key for key, document in contents.items() if document in parts]
    if concerned:
        texts = _by_document(_TEXTS.of(tx, PageText, documents=as_list(parts)))
        for each in _READ.of(tx, ReadExhibit, ids=as_list(concerned)):
            pages = texts_for(each, texts.get(each.document, []))
            found[each.id] = look_of(each, parts_for(each, parts[each.document]), pages)
    return found


def recognised_texts(tx: Connection, exhibits: Iterable[int]) -> dict[int, list[RecognisedPage]]:
    """Page and blob of each text that was recognised in these exhibits."""
    asked = _READ.of(tx, ReadExhibit, ids=as_list(exhibits))
    texts = _by_document(_TEXTS.of(tx, PageText, documents=as_list({each.document for each in asked})))
    return {each.id: in_order(texts_for(each, texts.get(each.document, []))) for each in asked}


def _by_document(rows: Sequence[T]) -> dict[int, list[T]]:
    ordered = sorted(rows, key=lambda row: row.document)
    return {key: list(some) for key, some in groupby(ordered, key=lambda row: row.document)}


def show(tx: Connection, looks: Mapping[int, Look]) -> None:
    kept_counts.forget_with(tx, looks)
    _SHOW.many(tx, [{"key": key, **{name: getattr(look, name) for name in COLUMNS}} for key, look in looks.items()])
