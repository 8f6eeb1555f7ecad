"""Asks a model about one document, window by window; each window ends in a named state, and none is dropped."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol

from msgspec.structs import replace

from redwell.core.ids import uuid7_bytes
from redwell.core.understanding import prompts
from redwell.core.understanding.models import ModelChoice
from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.schemas import DataSchema, Field
from redwell.core.understanding.turns import Answer, Window
from redwell.core.understanding.windows import Span, halves, page_windows, pages_of, windows
from redwell.ports.language_model import Finish, LanguageModel, Picture, Question, Reply
from redwell.ports.viewing.view import PageImage
from redwell.understand.answer_book import AnswerBook

_OVER_BUDGET = "the budget of the case is spent"
ANSWERED, REMEMBERED, SMALLER, GAP = "answered", "remembered", "asked again smaller", "gap"
_CHARS_A_TOKEN = 3
_TOKENS_A_PICTURE = 1_600
_HEAD = 4_000
WrongInAnswer = Callable[[Mapping[str, Any], Any], str]  # schema, answer: what does not fit

ImageOfPage = Callable[[int, int], PageImage | None]  # exhibit, page


class Asked(Protocol):
    """What the questions are about."""

    @property
    def exhibit(self) -> int: ...
    @property
    def text(self) -> str: ...


@dataclass(slots=True)
class Asking:
    model: LanguageModel
    choice: ModelChoice
    book: AnswerBook
    wrong: WrongInAnswer
    image: ImageOfPage
    windows: list[Window] = field(default_factory=list)

    @property
    def has_gaps(self) -> bool:
        return any(window.state == GAP for window in self.windows)

    def proposals(self, schema: DataSchema, about: Asked) -> list[Proposal]:
        """Of each field the first window that has it; rows of lines from all of them, each once."""
        found: dict[str, Proposal] = {}
        rows = _Rows()
        for part, fields in enumerate(prompts.parts(schema)):
            for span in self._windows(about.text):
                for answer in self._answers(schema, fields, about, span, part):
                    for each in prompts.proposals_of(fields, answer):
                        if "[" in each.path:
                            rows.add(each)
                        else:
                            found.setdefault(each.path, each)
                    rows.end_of_answer()
        return [*found.values(), *rows.kept]

    def kind(self, schemas: Sequence[DataSchema], about: Asked) -> str:
        """The name of a schema, or `none`; empty where the model could not be asked, or gave no answer to be used."""
        system, text, form = prompts.sorting(schemas, about.text[:_HEAD])
        pictures = self._pictures(about, range(1, 2))
        question = Question(system=system, text=text, schema=form, max_tokens=50, pictures=pictures)
        answer, _ = self._answer(question, about, 1)
        return str(answer["kind"]) if answer else ""

    def _answers(
        self, schema: DataSchema, fields: tuple[Field, ...], about: Asked, span: Span, part: int
    ) -> Iterator[Mapping[str, Any]]:
        system, text = prompts.question_text(schema.title, fields, about.text[span.start : span.stop])
        pages = pages_of(about.text, span)
        form, pictures = prompts.answer_schema(fields), self._pictures(about, pages)
        question = Question(system=system, text=text, schema=form, pictures=pictures)
        answer, state = self._answer(question, about, pages[0])
        smaller = [] if answer is not None or state == _OVER_BUDGET else halves(span)
        named = state if answer is not None else SMALLER if smaller else GAP
        detail = "" if answer is not None else state
        self.windows.append(Window(start=span.start, stop=span.stop, part=part, state=named, detail=detail))
        if answer is not None:
            yield answer
        for half in smaller:
            yield from self._answers(schema, fields, about, half, part)

    def _windows(self, text: str) -> Iterator[Span]:
        size, pages = self.choice.window_chars, self.choice.image_pages
        return page_windows(text, size, pages) if pages else windows(text, size)

    def _pictures(self, about: Asked, pages: Sequence[int]) -> list[Picture]:
        """Of those pages that have been made, within what the case allows."""
        wanted = [(page, self.image(about.exhibit, page)) for page in pages[: self.choice.image_pages]]
        return [Picture(page=page, media_type=made.media_type, data=made.data) for page, made in wanted if made]

    def _answer(self, question: Question, about: Asked, page: int) -> tuple[Mapping[str, Any] | None, str]:
        hashes = [sha256(each.data).hexdigest() for each in question.pictures]
        key = prompts.key_of(self.model.name, (question.system, question.text), question.schema, hashes)
        if kept := self.book.find(key):
            answer, wrong = self._read(kept.text, question.schema)
            return answer, REMEMBERED if answer is not None else wrong
        tokens = len(question.text) // _CHARS_A_TOKEN + _TOKENS_A_PICTURE * len(question.pictures)
        reserved = self.book.reserve(tokens + question.max_tokens)
        if reserved is None:
            return None, _OVER_BUDGET
        try:
            reply = self.model.ask(question)
        except BaseException:
            self.book.give_back(reserved)
            raise
        answer, wrong = self._read(reply.text, question.schema)
        if reply.finish is not Finish.STOP:
            answer, wrong = None, f"the answer was {reply.finish}"
        used = key if answer is not None else _never_asked_again()
        kept = self._kept(used, reply, self._sent(question, page), about.exhibit)
        self.book.keep(replace(kept, reserved=reserved))
        return answer, ANSWERED if answer is not None else wrong

    def _sent(self, question: Question, page: int) -> dict[str, Any]:
        """As the audit log says it."""
        shown = [
            {"page": each.page, "bytes": len(each.data), "sha256": sha256(each.data).hexdigest()}
            for each in question.pictures
        ]
        return {
            **({"images": shown} if shown else {}),
            "sha256": sha256(question.text.encode("utf-8", "replace")).hexdigest(),
            "first_page": page,
            "characters": len(question.text),
            "host": self.choice.host or "this process",
        }

    def _kept(self, key: bytes, reply: Reply, sent: Mapping[str, Any], exhibit: int) -> Answer:
        return Answer(
            key=key,
            model=self.model.name,
            text=reply.text,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost=self.choice.cost(reply.tokens_in, reply.tokens_out),
            sent=sent,
            exhibit=exhibit,
        )

    def _read(self, text: str, schema: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, str]:
        try:
            answer = json.loads(text)
        except ValueError:
            return None, "the answer is no JSON"
        wrong = self.wrong(schema, answer)
        return (None, f"the answer does not fit: {wrong[:200]}") if wrong else (answer, "")


def _never_asked_again() -> bytes:
    """What could not be used is paid for and logged, but never taken for an answer."""
    return uuid7_bytes()


class _Rows:
    """Rows of several answers, numbered anew; one that stood in two windows is one."""

    def __init__(self) -> None:
        self.kept: list[Proposal] = []
        self._seen: set[tuple[tuple[str, str], ...]] = set()
        self._open: dict[str, list[Proposal]] = {}
        self._number = 0

    def add(self, each: Proposal) -> None:
        self._open.setdefault(each.path.partition("]")[0], []).append(each)

    def end_of_answer(self) -> None:
        for cells in self._open.values():
            key = (("", cells[0].quote), *((each.path.partition("].")[2], each.value) for each in cells))
            if key in self._seen:
                continue
            self._seen.add(key)
            for each in cells:
                head, _, rest = each.path.partition("[")
                self.kept.append(replace(each, path=f"{head}[{self._number}]{rest.partition(']')[2]}"))
            self._number += 1
        self._open.clear()
