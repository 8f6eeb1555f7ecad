"""What was made of exhibits besides their reading, as a reader asks for it."""

from collections.abc import Sequence

from redwell.adapters.sql_reader.session import Session
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.exhibit_look import PageText, ReadExhibit, in_order, texts_for
from redwell.core.work.kinds import Purpose

_READ = f"""SELECT i.id, i.document, i.outcome, i.problems, d.context, d.outcome, d.problems, coalesce(t.amount, 0)
    FROM ingestion i JOIN derivation d ON d.id = i.derivation
    LEFT JOIN artifact t ON t.derivation = d.id AND t.kind = '{ArtifactKind.TEXT}' AND t.number = 0
    WHERE i.outcome IS NOT NULL"""
_TEXTS = f"""SELECT d.document, d.id, d.context, a.number, a.sha256, a.amount
    FROM derivation d JOIN artifact a ON a.derivation = d.id AND a.kind = '{ArtifactKind.OCR_TEXT}'
    WHERE d.document IN :documents AND d.purpose <> '{Purpose.READ}'"""


def recognised_texts(session: Session, exhibits: Sequence[int]) -> dict[int, list[tuple[int, bytes]]]:
    """Page and blob of each text that was recognised in these exhibits."""
    asked = [ReadExhibit(*row) for row in session.all(f"{_READ} AND i.id IN :keys", keys=list(exhibits))]
    texts: dict[int, list[PageText]] = {}
    for row in session.all(_TEXTS, documents=sorted({each.document for each in asked})) if asked else ():
        texts.setdefault(row[0], []).append(PageText(*row))
    return {each.id: in_order(texts_for(each, texts.get(each.document, []))) for each in asked}
