"""Handler that lets a model answer one question, which is its document. Runs in a child; it is asked for by name."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, HandlerSpec, Options, Piece, Source
from redwell.core.understanding.gguf import GGUF_ENGINE, read_order, read_question
from redwell.core.work.kinds import TaskType

SPEC = HandlerSpec(name=GGUF_ENGINE, media_types=frozenset({"application/json"}), task=TaskType.EXTRACT_TEXT, version=1)


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    from redwell.handlers.engines import llama

    said = llama.answer(read_order(options.order), read_question(source.read()))
    data = msgspec.json.encode(said)
    yield Artifact(kind=ArtifactKind.STRUCTURED_DATA, data=data, media_type="application/json", amount=1)
