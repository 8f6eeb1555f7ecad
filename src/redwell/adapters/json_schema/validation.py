"""JSON Schema itself: whether a schema is one, and whether an answer fits it."""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs


def wrong_in_schema(body: Mapping[str, Any]) -> str:
    """Empty where it is a JSON Schema; formats of our own are only names to it."""
    try:
        jsonschema_rs.validator_for(_without_formats(body))
    except (ValueError, jsonschema_rs.ValidationError) as error:
        return str(error).splitlines()[0]
    return ""


def wrong_in_answer(schema: Mapping[str, Any], answer: Any) -> str:
    found = next(iter(jsonschema_rs.validator_for(dict(schema)).iter_errors(answer)), None)
    return str(found.message) if found else ""


def _without_formats(body: Any) -> Any:
    if isinstance(body, dict):
        return {
            key: _without_formats(value) for key, value in body.items() if key != "format" or not isinstance(value, str)
        }
    return [_without_formats(each) for each in body] if isinstance(body, list) else body
