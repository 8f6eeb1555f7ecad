"""`make bench PART=understanding`: what understanding costs beside the model, against a bare loop over the same calls.

python -m benchmarks.understanding [--documents N]; writes the last part of docs/model-eval.md. The model answers over
HTTP on this machine, at once, and its time is taken off on both sides: that on the clock, and that of the processor.
The bare loop is the script that one would write by hand: read a text, ask the same questions, check the answer against
the schema, find the quotes, write one row and commit. It claims nothing, keeps no windows and answers, and writes no
audit log.
"""

import argparse
import json
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.support.model_server import ModelServer
from tests.support.review_cases import case_with_exhibits

from benchmarks.understood_documents import documents
from redwell.adapters.json_schema.validation import wrong_in_answer
from redwell.adapters.llm.openai import OpenAiModel
from redwell.adapters.rapidfuzz_quotes.likest import likest
from redwell.adapters.sql_understanding.store import SqlUnderstandingStore
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.case.rows import Exhibit
from redwell.core.understanding import judging, prompts
from redwell.core.understanding.evidence import Haystack, proven
from redwell.core.understanding.models import ModelChoice
from redwell.core.understanding.rules import by_rules
from redwell.core.understanding.schemas import DataSchema, read_schema
from redwell.ports.language_model import Question, Reply
from redwell.ports.understanding import Wish
from redwell.runtime.understanding.heartbeat import Heartbeat
from redwell.runtime.understanding.run import Run
from redwell.understand.pipeline import Document, Tools

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "model-eval.md"
HEADING = "## What it costs beside the model\n"
GOAL = 1.1
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds on the clock, and of the processor in the thread that works."""

    clock: float
    processor: float

    @classmethod
    def now(cls) -> "Took":
        return cls(time.monotonic(), time.thread_time())

    def __add__(self, other: "Took") -> "Took":
        return Took(self.clock + other.clock, self.processor + other.processor)

    def __sub__(self, other: "Took") -> "Took":
        return Took(self.clock - other.clock, self.processor - other.processor)


class TimedRun(Run):
    """Notes what its one thread took; the heartbeat beside it sleeps."""

    took = Took(0.0, 0.0)

    def _loop(self, heart: Heartbeat) -> None:
        began = Took.now()
        super()._loop(heart)
        self.took = Took.now() - began


class TimedModel:
    """The time in which the model is asked is the model's own."""

    def __init__(self, model: OpenAiModel) -> None:
        self._model, self.name, self.took, self.asked = model, model.name, Took(0.0, 0.0), 0

    def ask(self, question: Question) -> Reply:
        began = Took.now()
        try:
            return self._model.ask(question)
        finally:
            self.took += Took.now() - began
            self.asked += 1

    def close(self) -> None:
        self._model.close()


def answer(question: Mapping[str, Any]) -> Any:
    """The first words of the document for every field: as much to be proven as in a good answer."""
    form = question["response_format"]["json_schema"]["schema"]["properties"]
    if "kind" in form:
        return {"kind": "invoice"}
    lines = [line for line in question["messages"][1]["content"].splitlines() if ":" in line][-8:]
    filled = {}
    for name, wanted in form.items():
        if wanted["type"] == "array":
            filled[name] = [{**dict.fromkeys(wanted["items"]["properties"], "1.00"), "quote": each} for each in lines]
        else:
            filled[name] = {"value": lines[0].partition(":")[2].strip() or "x", "quote": lines[0]}
    return filled


def texts(count: int) -> list[str]:
    """Each is another content: nothing is remembered."""
    return [
        f"{number}\n" + "\n".join(made.lines)
        for number, made in enumerate(documents(5 * count))
        if "total" in made.data and "seller" in made.data
    ][:count]


def ours(folder: Path, url: str, given: Sequence[str], body: str) -> tuple[Took, int]:
    database = SqliteDatabase(folder / "case.sqlite")
    case_with_exhibits(database, len(given))
    store, choice = SqlUnderstandingStore(database), ModelChoice(kind="openai", name="m", url=url)
    store.add_schema("invoice", body, "bench")
    store.wish([Wish(exhibit=number, uploader="bench") for number in range(1, len(given) + 1)])
    model = TimedModel(OpenAiModel(choice, ""))

    def document(exhibit: int) -> Document:
        return Document(exhibit=exhibit, row=row_of(exhibit), text=given[exhibit - 1])

    tools = Tools(
        store=store,
        document=document,
        words=lambda _exhibit, _page: None,
        likest=likest,
        wrong_in_answer=wrong_in_answer,
        found_by_query=lambda _: {},
        model=model,
        choice=choice,
    )
    run = TimedRun(tools)
    assert run.until_none_is_left().completed == len(given)
    model.close()
    database.close()
    return run.took - model.took, model.asked


def row_of(exhibit: int) -> Exhibit:
    given = {"id": exhibit, "path": "a.txt", "kind": "text", "media_type": "text/plain", "sha256": b"s" * 32}
    return Exhibit(**dict.fromkeys(Exhibit.__struct_fields__) | given | {"metadata": {}})


def bare(folder: Path, url: str, given: Sequence[str], body: str) -> tuple[Took, int]:
    schema = read_schema(body, "invoice")
    model = TimedModel(OpenAiModel(ModelChoice(kind="openai", name="m", url=url), ""))
    with closing(sqlite3.connect(folder / "bare.sqlite")) as rows:
        rows.execute("PRAGMA journal_mode=WAL")
        rows.execute("PRAGMA synchronous=FULL")
        rows.execute("CREATE TABLE result (id INTEGER PRIMARY KEY, body TEXT)")
        began = Took.now()
        for number, text in enumerate(given):
            told = understood(schema, text, model)
            rows.execute("INSERT INTO result VALUES (?, ?)", (number, json.dumps(told)))
            rows.commit()
        took = Took.now() - began - model.took
    model.close()
    return took, model.asked


def understood(schema: DataSchema, text: str, model: TimedModel) -> Any:
    system, asked, form = prompts.sorting([schema], text[:4_000])
    json.loads(model.ask(Question(system=system, text=asked, schema=form, max_tokens=50)).text)
    found = []
    for fields in prompts.parts(schema):
        system, asked = prompts.question_text(schema.title, fields, text)
        form = prompts.answer_schema(fields)
        said = json.loads(model.ask(Question(system=system, text=asked, schema=form)).text)
        assert not wrong_in_answer(form, said)
        found += prompts.proposals_of(fields, said)
    haystack = Haystack(text, likest)
    merged = judging.merged(schema, by_rules(schema, text, {}, "text"), found)
    sure = [proven(each, field, haystack) for each in merged if each.value and (field := schema.field_of(each.path))]
    verdict = judging.judged(schema, sure, {}, False)
    return judging.structured(schema, {each.path: each.value for each in verdict.proposals})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=100)
    args = parser.parse_args()
    given = texts(args.documents)
    body = (ROOT / "examples" / "schemas" / "invoice.json").read_text()
    took: dict[str, list[Took]] = {"ours": [], "bare": []}
    asked = {}
    with ModelServer(answer) as server:
        for _ in range(ROUNDS):
            for name, measured in (("bare", bare), ("ours", ours)):
                with tempfile.TemporaryDirectory() as folder:
                    spent, asked[name] = measured(Path(folder), server.url, given, body)
                    took[name].append(spent)
    assert asked["ours"] == asked["bare"], "both ask the same"
    told = figures(took, len(given), asked["ours"])
    print(told)
    text = PAGE.read_text().partition(HEADING)[0].rstrip("\n")
    PAGE.write_text(f"{text}\n\n{HEADING}\n{told}\n")


def figures(took: Mapping[str, Sequence[Took]], count: int, asked: int) -> str:
    def middle(name: str, kind: str) -> float:
        return 1000 * statistics.median(getattr(each, kind) for each in took[name]) / count

    def ratio(kind: str) -> float:
        pairs = zip(took["ours"], took["bare"], strict=True)
        return statistics.median(getattr(a, kind) / getattr(b, kind) for a, b in pairs)

    said = "met" if ratio("clock") <= GOAL else "not met"
    return "\n".join(
        (
            f"`make bench PART=understanding`, {datetime.now(UTC):%d %B %Y}: {count} documents, {asked} questions to a",
            f"model that answers at once, whose own time is taken off; the middle of {ROUNDS} rounds, load"
            f" {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores.",
            "",
            "| | Redwell, ms a document | bare loop over the same calls | times |",
            "|---|---|---|---|",
            f"| on the clock | {middle('ours', 'clock'):.1f} | {middle('bare', 'clock'):.1f} | {ratio('clock'):.2f} |",
            f"| of the processor | {middle('ours', 'processor'):.1f} | {middle('bare', 'processor'):.1f} |"
            f" {ratio('processor'):.2f} |",
            "",
            f"The goal of {GOAL} is {said} on the clock. The loop syncs the disk once for each document. Redwell",
            "claims and writes about a second's work at once, with the answers that were paid for and their lines in",
            "the audit log; the rows that it writes for each document, and the look for an answer that is there",
            "already, are the rest.",
        )
    )


if __name__ == "__main__":
    main()
