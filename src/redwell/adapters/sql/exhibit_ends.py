"""What an exhibit's end adds to what its content is said to be. Called by settling."""

import msgspec

from redwell.adapters.sql.contents import Ending
from redwell.adapters.sql.statements import as_json
from redwell.core.media import expected_types
from redwell.core.outcomes import Code, Outcome

_OWN_PROBLEMS = frozenset({Code.LIMIT_REACHED, Code.TYPE_MISMATCH})  # an occurrence gets them when it ends


def ended(name: str, problems: str, content: Ending, limit: str | None = None) -> tuple[str, str]:
    """Its outcome and problems. `limit` kept the members of a container from being opened here."""
    outcome, told = content.outcome, _problems_of_reading(problems)
    if limit:
        outcome = Outcome.PARTIAL.value
        told.append({"code": Code.LIMIT_REACHED, "detail": f"{limit}: its members were not opened"})
    expected = expected_types(name)
    if expected and outcome != Outcome.EMPTY and content.media_type and content.media_type not in expected:
        told.append({"code": Code.TYPE_MISMATCH, "detail": f"the content is {content.media_type}"})
    return outcome, as_json(told) if told else "[]"


def _problems_of_reading(problems: str) -> list[dict[str, str]]:
    """A reopened occurrence ends a second time; what its first end added is said anew or not at all."""
    if problems == "[]":
        return []
    return [p for p in msgspec.json.decode(problems) if p["code"] not in _OWN_PROBLEMS]
