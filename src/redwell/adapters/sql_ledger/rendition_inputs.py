"""What renditions are made of: what there is of a content as it was read, and whose work on it failed."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, select

from redwell.adapters.sql.list_parameters import among
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import artifact, derivation
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.exhibit_look import MADE
from redwell.core.work.kinds import Purpose
from redwell.core.work.page_ranges import reading_in
from redwell.core.work.recipe import Tried
from redwell.core.work.renderers import stands_in
from redwell.core.work.transitions import Work

_MADE = Prepared(
    select(
        *(derivation.c[c] for c in ("engine", "id", "document", "context")),
        *(artifact.c[c] for c in ("kind", "sha256", "size", "amount")),
    )
    .join_from(derivation, artifact, artifact.c.derivation == derivation.c.id)
    .where(among(derivation.c.document, "documents"), artifact.c.number == constant(0))
)
_PARTS = Prepared(
    select(
        *(derivation.c[c] for c in ("document", "context")),
        *(artifact.c[c] for c in ("number", "last", "sha256", "size")),
    )
    .join_from(derivation, artifact, artifact.c.derivation == derivation.c.id)
    .where(
        among(derivation.c.document, "documents"),
        artifact.c.kind == constant(ArtifactKind.SEARCHABLE_PDF),
        artifact.c.number > constant(0),
    )
    .order_by(artifact.c.number, derivation.c.id)
)
_FAILED = Prepared(
    select(*(derivation.c[c] for c in ("document", "context", "engine", "settings"))).where(
        among(derivation.c.document, "documents"),
        derivation.c.purpose.in_([constant(Purpose.PDF), constant(Purpose.SHEETS)]),
        derivation.c.state == constant(Work.DONE),
        derivation.c.outcome.not_in([constant(outcome) for outcome in MADE]),
    )
)


class Made(NamedTuple):
    sha256: bytes
    size: int
    amount: int
    of: bytes = b""  # a digest of all of it, where it is in parts and `sha256` is the first


class Part(NamedTuple):
    """The pages of a range, as a PDF."""

    number: int
    last: int
    sha256: bytes
    size: int


class Known(msgspec.Struct):
    """What was made of a content as it was read, and whose work on it failed."""

    made: dict[ArtifactKind, Made] = {}
    failed: set[Tried] = set()


def known_inputs(tx: Connection, documents: Any) -> dict[tuple[int, str], Known]:
    """Of each artifact the best: one that stands in for another counts where there is no other, then the latest."""
    known = defaultdict[tuple[int, str], Known](Known)
    made = _MADE.all(tx, documents=documents)
    for _, _, key, context, kind, *about in sorted(made, key=lambda row: (not stands_in(row[0]), row[1])):
        if kind != ArtifactKind.SEARCHABLE_PDF:
            known[key, reading_in(context)].made[ArtifactKind(kind)] = Made(*about)
    for key, context, engine, settings in _FAILED.all(tx, documents=documents):
        known[key, reading_in(context)].failed.add((engine, settings))
    parts = defaultdict[tuple[int, str], dict[int, Part]](dict)
    for key, context, *about in _PARTS.all(tx, documents=documents):
        parts[key, reading_in(context)][about[0]] = Part(*about)
    for whose, each in parts.items():
        known[whose].made[ArtifactKind.SEARCHABLE_PDF] = _in_parts(list(each.values()))
    return known


def _in_parts(parts: Sequence[Part]) -> Made:
    """They are pages in one run where each begins behind the one before; else there is nothing to be joined yet."""
    follows = all(part.number == before.last + 1 for before, part in pairwise(parts))
    is_run = len(parts) > 1 and parts[0].number == 1 and follows
    key = hashlib.sha256(b"".join(part.sha256 for part in parts)).digest()
    return Made(parts[0].sha256, sum(part.size for part in parts), parts[-1].last if is_run else 0, key)
