"""Renditions and recognition: work that follows from a content's reading, for every batch that wants it.

It is asked for when an exhibit ends, and when an artifact is there that it needs. Who wants what another batch has
asked for already is noted in `wanted`; nothing is made twice. A case whose jobs want no renditions pays nothing.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, null, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows
from redwell.adapters.sql.tables import derivation, document, ingestion, wanted
from redwell.adapters.sql_ledger.contents import ADD_WORK
from redwell.adapters.sql_ledger.open_renditions import TAKE_UP
from redwell.adapters.sql_ledger.rendition_inputs import Known, known_inputs
from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import says
from redwell.core.work.kinds import KINDS, Phase, Purpose, TaskType
from redwell.core.work.page_ranges import ranges_of, rendition_context
from redwell.core.work.recipe import ReadContent, Recipe
from redwell.core.work.renderers import Goal, stands_in
from redwell.core.work.transitions import Stage, Work

_READINGS = Prepared(
    select(
        *(derivation.c[c] for c in ("id", "document", "context", "task", "media_type", "outcome", "problems", "pages")),
        document.c.size,
    )
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .where(among(derivation.c.document, "documents"), derivation.c.purpose == constant(Purpose.READ))
    .where(derivation.c.state == constant(Work.DONE))
)
_OTHERS = Prepared(
    select(derivation.c.id, derivation.c.document, derivation.c.batch).where(
        among(derivation.c.document, "documents"),
        derivation.c.purpose != constant(Purpose.READ),
        derivation.c.state != constant(Work.DONE),
    )
)
_WANT = Prepared(insert_rows(wanted, wanted.c.keys()).on_conflict_do_nothing())
_WANTED_BY = Prepared(select(wanted).where(among(wanted.c.derivation, "ids")))
_ENDED = Prepared(
    select(
        *(derivation.c[c] for c in ("id", "document", "batch", "task", "outcome", "generation", "problems", "engine"))
    ).where(
        among(derivation.c.id, "ids"),
        derivation.c.purpose != constant(Purpose.READ),
        derivation.c.state == constant(Work.DONE),
    )
)
_EXHIBITS = Prepared(
    select(ingestion.c.document, ingestion.c.batch).where(
        among(ingestion.c.id, "ids"),
        ingestion.c.state == constant(Stage.DONE),
        ingestion.c.outcome != constant(Outcome.CANCELLED),
        ingestion.c.derivation.is_not(null()),
    )
)
_UNABLE = Prepared(
    select(*derivation.c, document.c.size)
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .where(
        among(derivation.c.document, "documents"),
        derivation.c.purpose != constant(Purpose.READ),
        derivation.c.state == constant(Work.DONE),
        derivation.c.outcome == constant(Outcome.UNSUPPORTED),
    )
)
_FORGET = Prepared(wanted.delete().where(among(wanted.c.derivation, "ids")))


class Content(msgspec.Struct, frozen=True, gc=False):
    """A content as its reading left it; the fields are those of the query, in order."""

    id: int  # of the reading
    document: int
    context: str
    task: str
    media_type: str | None
    outcome: str | None
    problems: str
    pages: int | None
    size: int

    @property
    def as_read(self) -> ReadContent:
        return ReadContent(self.task, self.media_type, self.outcome, says(self.problems, Code.OCR_PENDING))


class EndedWork(NamedTuple):
    """A rendition or recognition that is over; the fields are those of the query, in order."""

    id: int
    document: int
    batch: int | None
    task: str
    outcome: str
    generation: int
    problems: str
    engine: str

    @property
    def changes_exhibits(self) -> bool:
        """A PDF that was made says nothing new of a document, unless it could not be made before, or not as it was."""
        is_new = KINDS[TaskType(self.task)].phase is Phase.OCR or stands_in(self.engine)
        return is_new or self.generation > 1 or self.outcome != Outcome.SUCCESS or self.problems != "[]"


def want_renditions(tx: Connection, exhibits: Iterable[tuple[int, int]], recipe: Recipe) -> None:
    """Of each (document, batch): whatever the recipe asks for and can be made now."""
    if not recipe.renditions:
        return
    batches: dict[int, set[int]] = {}
    for key, batch in exhibits:
        batches.setdefault(key, set()).add(batch)
    if not batches:
        return
    documents = as_list(batches)
    known = known_inputs(tx, documents)
    contents = _READINGS.of(tx, Content, documents=documents)
    rows = [row for c in contents for row in _work(c, known[c.document, c.context], batches[c.document], recipe)]
    ADD_WORK.many(tx, rows)
    _note_wanted(tx, documents, batches)


def _work(content: Content, known: Known, batches: Set[int], recipe: Recipe) -> Iterator[Any]:
    """A row for each rendition, or for each range of its pages."""
    amounts = {kind: each.amount for kind, each in known.made.items()}
    for rendition in recipe.to_render(content.as_read, amounts, known.failed):
        by = rendition.renderer
        # of a record: what it stands for
        given = known.made[by.needs] if by.needs else known.made.get(ArtifactKind.NATIVE)
        if by.goal is Goal.COMBINED and given and given.amount != content.pages:
            continue  # some of its ranges are still to come
        of = (given.of or given.sha256) if given else None
        for pages in ranges_of(by.task, given.amount if given else content.pages):
            yield {
                "document": content.document,
                "purpose": KINDS[by.task].purpose.value,
                "task": by.task.value,
                "input": given.sha256 if given else None,
                "engine": by.engine,
                "settings": rendition.settings,
                "context": rendition_context(content.context, of, pages),
                "profile": by.profile.value,
                "lane": recipe.lane(given.size if given else content.size, by.task).value,
                "batch": min(batches),
            }


def _note_wanted(tx: Connection, documents: Any, batches: dict[int, set[int]]) -> None:
    """What another batch asked for first, or one that was cancelled since."""
    rows = _OTHERS.all(tx, documents=documents)
    TAKE_UP.many(tx, [{"key": key, "by": min(batches[doc])} for key, doc, batch in rows if batch is None])
    others = [(key, mine) for key, doc, batch in rows if batch for mine in batches[doc] if mine != batch]
    _WANT.many(tx, [{"derivation": key, "batch": mine} for key, mine in others])


def ended_exhibits(tx: Connection, exhibits: Iterable[int]) -> list[tuple[int, int]]:
    """Document and batch of those that have ended and have a content."""
    return [(key, batch) for key, batch in _EXHIBITS.all(tx, ids=as_list(exhibits))]


def unable(tx: Connection, documents: Iterable[int], recipe: Recipe) -> list[dict[str, Any]]:
    """Work of the kinds that a recipe has which nobody could do: an engine may be there by now."""
    keys, tasks = as_list(documents), {rendition.renderer.task for rendition in recipe.renditions}
    return [row for row in _UNABLE.rows(tx, documents=keys) if row["task"] in tasks] if keys else []


def ended_among(tx: Connection, works: Iterable[int]) -> list[EndedWork]:
    ids = as_list(works)
    return [EndedWork(*row) for row in _ENDED.all(tx, ids=ids)] if ids else []


def renditions_ended(tx: Connection, ended: Sequence[EndedWork], recipe: Recipe) -> None:
    """What needs their artifacts follows, for everybody who wanted them."""
    ids = as_list(each.id for each in ended)
    documents = {each.id: each.document for each in ended}
    by = [(each.document, each.batch) for each in ended if each.batch is not None]
    by += [(documents[key], batch) for batch, key in _WANTED_BY.all(tx, ids=ids)]
    _FORGET.run(tx, ids=ids)
    want_renditions(tx, by, recipe)
