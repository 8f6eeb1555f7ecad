"""What was made of exhibits besides their reading, as a reader asks for it."""

from collections.abc import Sequence

from redwell.adapters.sql_reader.session import Session
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.exhibit_look import (
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
from redwell.core.case.rows import MadeArtifact
from redwell.core.work.kinds import Purpose
from redwell.core.work.page_ranges import beginning, input_in, reading_in
from redwell.core.work.renderers import stands_in

# what the reading gives besides the text: of records and volumes what came with them, of spreadsheets their cells
_WHEN_READ = (ArtifactKind.NATIVE, ArtifactKind.PAGE_LIST, ArtifactKind.LOAD_FILE, ArtifactKind.CELL_MAP)
_GIVEN = ", ".join(f"'{kind}'" for kind in _WHEN_READ)
_READ = f"""SELECT i.id, i.document, i.outcome, i.problems, d.context, d.outcome, d.problems, coalesce(t.amount, 0)
    FROM ingestion i JOIN derivation d ON d.id = i.derivation
    LEFT JOIN artifact t ON t.derivation = d.id AND t.kind = '{ArtifactKind.TEXT}' AND t.number = 0
    WHERE i.outcome IS NOT NULL"""
_TEXTS = f"""SELECT d.document, d.id, d.context, a.number, a.sha256, a.amount, a.figures
    FROM derivation d JOIN artifact a ON a.derivation = d.id AND a.kind = '{ArtifactKind.OCR_TEXT}'
    WHERE d.document IN :documents AND d.purpose <> '{Purpose.READ}'"""

_PARTS = f"""SELECT {", ".join(f"d.{name}" for name in MadePart.__struct_fields__)} FROM derivation d
    WHERE d.document IN :documents AND d.purpose <> '{Purpose.READ}'"""
# which cell a line is goes for the text that was read, not for one that an overlay gave
_ARTIFACTS = f"""SELECT d.id, d.engine, d.context, a.kind, a.number, a.media_type, a.sha256, a.size, a.amount, a.figures
    FROM derivation d JOIN artifact a ON a.derivation = d.id
    WHERE d.document = :document AND (d.purpose <> '{Purpose.READ}' OR a.kind IN ({_GIVEN}))
        AND NOT (a.kind = '{ArtifactKind.CELL_MAP}' AND EXISTS (
            SELECT 1 FROM exhibit x WHERE x.id = :exhibit AND x.given_text IS NOT NULL))"""

# of one page; which PDF it belongs to, the others tell
_WHOLE = f"('{ArtifactKind.PDF}', '{ArtifactKind.NATIVE}')"
_OF_PAGE = f" AND (a.number = :page OR a.kind IN {_WHOLE})"
_LAST_IMAGES = f""" AND (a.kind IN {_WHOLE} OR (a.kind = '{ArtifactKind.PAGE_IMAGE}' AND a.number = (
    SELECT max(b.number) FROM artifact b WHERE b.derivation = d.id AND b.kind = '{ArtifactKind.PAGE_IMAGE}')))"""

# what a PDF's pages are shown by
_OF_PDF = frozenset({ArtifactKind.PAGE_IMAGE, ArtifactKind.THUMBNAIL, ArtifactKind.PAGE_TEXT, ArtifactKind.WORD_BOXES})


def parts(session: Session, exhibits: Sequence[int]) -> dict[int, list[MadePart]]:
    """The works on the contents of these exhibits besides the reading, the latest of each kind and range."""
    asked = _read(session, exhibits)
    found: dict[int, list[MadePart]] = {}
    for row in session.all(_PARTS, documents=sorted({each.document for each in asked})) if asked else ():
        found.setdefault(row[0], []).append(MadePart(*row))
    return {each.id: parts_for(each, found.get(each.document, [])) for each in asked}


def looks(session: Session, exhibits: Sequence[int]) -> dict[int, Look]:
    """How these are to be shown, for verify."""
    asked = _read(session, exhibits)
    made, texts = parts(session, exhibits), _texts(session, asked)
    return {
        each.id: look_of(each, made[each.id], texts_for(each, texts.get(each.document, [])))
        for each in asked
        if made[each.id]
    }


def artifacts(session: Session, exhibit: int, page: int | None = None) -> list[MadeArtifact]:
    """What was made of its content besides the text, or given: of each kind and page the best, then the latest. With
    `page` what there is of that one alone: a document may have ten thousand."""
    return _best(session, exhibit) if page is None else _best(session, exhibit, _OF_PAGE, page=page)


def last_page_image(session: Session, exhibit: int) -> int:
    found = _best(session, exhibit, _LAST_IMAGES)
    return max((made.number for made in found if made.kind == ArtifactKind.PAGE_IMAGE), default=0)


def _best(session: Session, exhibit: int, only: str = "", **values: int) -> list[MadeArtifact]:
    best: dict[tuple[str, int], MadeArtifact] = {}
    for each in _read(session, [exhibit]):
        rows = session.all(_ARTIFACTS + only, document=each.document, exhibit=exhibit, **values)
        rows = sorted(rows, key=lambda row: (not stands_in(row[1]), int(row[0])))
        mine = [(input_in(row[2]), MadeArtifact(*row[3:])) for row in rows if reading_in(row[2]) == each.context]
        shown = next((beginning(made.sha256) for _, made in reversed(mine) if made.kind == ArtifactKind.PDF), "")
        own = {beginning(made.sha256) for _, made in mine if made.kind == ArtifactKind.NATIVE}
        for of, made in mine:
            if made.kind not in _OF_PDF or of in {"", shown, *own}:  # pages of another PDF are none of this one
                best[made.kind, made.number] = made
    return list(best.values())


def _read(session: Session, exhibits: Sequence[int]) -> list[ReadExhibit]:
    return [ReadExhibit(*row) for row in session.all(f"{_READ} AND i.id IN :keys", keys=list(exhibits))]


def recognised_texts(session: Session, exhibits: Sequence[int]) -> dict[int, list[RecognisedPage]]:
    """Page and blob of each text that was recognised in these exhibits."""
    asked = _read(session, exhibits)
    texts = _texts(session, asked)
    return {each.id: in_order(texts_for(each, texts.get(each.document, []))) for each in asked}


def _texts(session: Session, asked: Sequence[ReadExhibit]) -> dict[int, list[PageText]]:
    """By document."""
    texts: dict[int, list[PageText]] = {}
    for row in session.all(_TEXTS, documents=sorted({each.document for each in asked})) if asked else ():
        texts.setdefault(row[0], []).append(PageText(*row))
    return texts
