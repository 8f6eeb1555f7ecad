"""One ingestion from its claim to its result: text, schema, rules, model, evidence, verdict."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from msgspec.structs import replace

from redwell.core.case.rows import Exhibit
from redwell.core.errors import DiskFull, NotFound, ServiceUnavailable
from redwell.core.page_words import PageWords
from redwell.core.understanding import choosing, judging
from redwell.core.understanding.calibration import thresholds
from redwell.core.understanding.evidence import Haystack, Likest, boxed, proven
from redwell.core.understanding.models import ModelChoice
from redwell.core.understanding.proposals import Doubt, Proposal
from redwell.core.understanding.rules import by_rules
from redwell.core.understanding.schemas import DataSchema, read_schema
from redwell.core.understanding.turns import Claimed, Ended, Result
from redwell.ports.language_model import LanguageModel, ModelAway, ModelRefusesAll, ModelUnavailable
from redwell.ports.understanding import KeptSchema, UnderstandingStore
from redwell.understand.answer_book import AnswerBook
from redwell.understand.asking import Asking, ImageOfPage, WrongInAnswer

FoundByQuery = Mapping[str, Collection[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    exhibit: int
    row: Exhibit
    text: str
    tags: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What the pipeline is given; nothing of it knows where the case lies."""

    store: UnderstandingStore
    document: Callable[[int], Document | None]
    words: Callable[[int, int], PageWords | None]  # exhibit, page
    likest: Likest
    wrong_in_answer: WrongInAnswer
    image: ImageOfPage = lambda _exhibit, _page: None  # what there is of pages, for models that take images
    found_by_query: Callable[[Sequence[str]], FoundByQuery]
    model: LanguageModel | None = None
    step: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()  # of whoever logs
    choice: ModelChoice = field(default_factory=ModelChoice)


class Pipeline:
    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        kept = tools.store.schemas()
        self._kept = {each.id: each for each in tools.store.schemas(every=True)}
        self._schemas = [(each, read_schema(each.body, each.name)) for each in kept]
        self._trusted = {each.name: thresholds(tools.store.decided(each.name)) for each in kept}
        queries = [schema.rule.query for _, schema in self._schemas if schema.rule.query]
        self._found = tools.found_by_query(queries) if queries else {}

    def book(self) -> AnswerBook:
        """For answers until they are written; of one thread."""
        return AnswerBook(self._tools.store, self._tools.choice)

    def run(self, claim: Claimed, book: AnswerBook) -> Ended:
        """An outage of what all documents need is raised: it is no attempt."""
        try:
            return Ended(claim=claim, result=self._result_of(claim, book))
        except Exception as error:  # of any library below: it costs this document an attempt, and no other
            if _is_outage(error):
                self._tools.store.keep_answers(book.take())
                raise
            return Ended(claim=claim, detail=f"{type(error).__name__}: {error}")

    def trial(self, claim: Claimed, kept: KeptSchema) -> Result:
        """By this schema, whether the case has it or not; whatever goes wrong is raised."""
        self._kept[kept.id] = kept
        book = self.book()
        try:
            return self._result_of(claim, book)
        finally:
            self._tools.store.keep_answers(book.take())

    def _result_of(self, claim: Claimed, book: AnswerBook) -> Result:
        with self._tools.step("transcription"):
            document = self._tools.document(claim.exhibit)
        if document is None:
            raise NotFound(f"exhibit {claim.exhibit} is not there any more")
        asking = self._asking(book)
        with self._tools.step("classification"):
            chosen = self._chosen(claim, document, asking)
        if chosen is None:
            return self._none_fits()
        kept, schema = chosen
        with self._tools.step("extraction"):
            proposals = self._proposed(schema, document, asking)
        result = self._result(kept, schema, document, proposals)
        return replace(result, windows=asking.windows) if asking else result

    def _none_fits(self) -> Result:
        return Result(
            schema=None,
            name="",
            proposals=(),
            data=None,
            is_flagged=False,
            doubt=0,
            model=self._tools.choice.told,
            detail="no schema of the case fits",
        )

    def _asking(self, book: AnswerBook) -> Asking | None:
        tools = self._tools
        return Asking(tools.model, tools.choice, book, tools.wrong_in_answer, tools.image) if tools.model else None

    def _chosen(
        self, claim: Claimed, document: Document, asking: Asking | None
    ) -> tuple[KeptSchema, DataSchema] | None:
        if claim.schema is not None:
            kept = self._kept[claim.schema]
            return kept, read_schema(kept.body, kept.name)
        row, every = document.row, [schema for _, schema in self._schemas]
        described = choosing.Described(
            exhibit=row.id, path=row.path, kind=row.kind or "", media_type=row.media_type or "", tags=document.tags
        )
        fitting = choosing.by_rule(every, described, self._found)
        name = asking.kind(every, document) if fitting is None and every and asking else ""
        if fitting is None:
            named = next((schema for schema in every if schema.name == name), None)
            fitting = named if name else choosing.by_words(every, document.text)
        return next((pair for pair in self._schemas if fitting and pair[1].name == fitting.name), None)

    def _proposed(self, schema: DataSchema, document: Document, asking: Asking | None) -> list[Proposal]:
        rules = by_rules(schema, document.text, document.row.metadata, document.row.kind or "")
        model = asking.proposals(schema, document) if asking else []
        haystack = Haystack(document.text, self._tools.likest)
        told = list[Proposal]()
        for each in judging.merged(schema, rules, model):
            field = schema.field_of(each.path)
            if field is None:
                continue
            each = self._placed(proven(each, field, haystack), document) if each.value else each
            told.append(each.with_doubts([Doubt.GAP]) if asking and asking.has_gaps else each)
        return told

    def _placed(self, each: Proposal, document: Document) -> Proposal:
        if each.place is None or each.place.page == 0:
            return each
        said = document.text[each.place.start : each.place.end]
        words = self._tools.words(document.exhibit, each.place.page)
        return replace(each, place=boxed(each.place, said, words))

    def _result(
        self, kept: KeptSchema, schema: DataSchema, document: Document, proposals: Sequence[Proposal]
    ) -> Result:
        sha256 = document.row.sha256.hex() if document.row.sha256 else str(document.exhibit)
        verdict = judging.judged(schema, proposals, self._trusted.get(schema.name, {}), judging.in_sample(sha256))
        sure = [each.place.confidence for each in verdict.proposals if each.place and each.place.boxes]
        values = {each.path: each.value for each in verdict.proposals}
        return Result(
            schema=kept.id,
            name=schema.name,
            proposals=verdict.proposals,
            data=judging.structured(schema, values),
            is_flagged=verdict.is_flagged,
            doubt=round(verdict.doubt * 1000),
            model=self._tools.choice.told,
            quality=round(100 * sum(sure) / len(sure)) if sure else None,
            detail="; ".join(f"fails: {check}" for check in verdict.failed_checks),
        )


def _is_outage(error: Exception) -> bool:
    """Of what every document needs; a model that was asked in vain says so of one question."""
    if isinstance(error, ModelUnavailable):
        return False
    return isinstance(error, ServiceUnavailable | DiskFull | ModelAway | ModelRefusesAll)
