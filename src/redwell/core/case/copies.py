"""Duplicates: which families are copies of each other, and which of them is kept in front. Pure.

Only heads of families are compared; what is attached follows its mail, so a family is never torn apart. Nothing is
removed: a copy stays an exhibit, and says of which one it is.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from redwell.core.case.mail_recipe import key_of
from redwell.core.outcomes import Outcome

NO_COPIES_OF = frozenset({Outcome.CANCELLED, Outcome.FILTERED})  # nobody looked at them


class Scope(StrEnum):
    """The setting `dedupe`, fixed with each batch."""

    GLOBAL = "global"  # one family in the case is kept in front
    CUSTODIAN = "custodian"  # one of each custodian
    NONE = "none"


class Method(StrEnum):
    """The setting `dedupe_mail`."""

    RECIPE = "recipe"
    MIH = "mih"  # by the Message-ID alone; a mail without one by the recipe


class Rule(msgspec.Struct, frozen=True):
    """How a batch looks for copies."""

    scope: Scope = Scope.GLOBAL
    method: Method = Method.RECIPE


class Candidate(msgspec.Struct, frozen=True):
    """The head of a family that has copies; the fields say in which order they are preferred."""

    custodian: int  # the batch that brought the custodian into the case
    source: int  # in the order in which sources were named
    path: str
    ordinal: int
    id: int
    is_settled: bool = False  # its batch has ended once: what was decided then stays

    @property
    def rank(self) -> tuple[int, int, str, int, int]:
        return self.custodian, self.source, self.path, self.ordinal, self.id


class Standing(msgspec.Struct, frozen=True):
    """What an exhibit's entry says of its copies."""

    original: str = ""  # the control number of the one in front; empty: this one is
    custodians: tuple[str, ...] = ()  # of all copies, where there are some
    is_copied: bool = False


ALONE = Standing()


def content_parts(sha256: bytes) -> list[bytes]:
    return [b"content", sha256]


def in_scope(parts: Sequence[bytes], scope: Scope, custodian: str | None) -> bytes | None:
    """The key by which heads of families find their copies; None: they are not compared."""
    if scope is Scope.NONE:
        return None
    mine = [(custodian or "").encode("utf-8", "surrogatepass")] if scope is Scope.CUSTODIAN else []
    return key_of([scope.encode(), *mine, *parts])


def in_front(standing: Candidate | None, newcomers: Sequence[Candidate]) -> Candidate:
    """The one that is kept in front, whatever order they came in. Before its batch ends it may give way to another."""
    if standing is not None and standing.is_settled:
        return standing
    return min((*newcomers, *([standing] if standing is not None else [])), key=lambda each: each.rank)
