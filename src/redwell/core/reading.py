"""What is said of one content by whoever read it. Each field stands here once: frames, records and columns follow."""

from operator import attrgetter
from typing import Any

import msgspec

from redwell.core.handler import MetaValue
from redwell.core.outcomes import Code, Outcome


class Problem(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True, gc=False):
    code: Code
    detail: str


def says(problems: str, code: Code) -> bool:
    """Whether problems, as JSON, have one with the code; the same as adapters.sql_audit.rule_sql says of a column."""
    return f'"{code}"' in problems


class Reading(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, gc=False):
    outcome: Outcome
    detail: str = ""
    media_type: str = "application/octet-stream"
    kind: str = "other"
    handler: str = ""  # with its version, as in eml/3
    pages: int | None = None
    container: bool = False
    declared: int | None = None
    metadata: dict[str, MetaValue] = {}
    problems: list[Problem] = []


FIELDS = Reading.__struct_fields__
_values = attrgetter(*FIELDS)


def fields_of(reading: Reading) -> dict[str, Any]:
    """The value of each field, by its name."""
    return dict(zip(FIELDS, _values(reading), strict=True))
