"""What is to be known of a kind of document: a JSON Schema, read into fields. Pure.

Beside the words of JSON Schema it may say: `x-labels` (what stands before a value), `x-checks` (what has to hold
between fields), `x-for` (which documents get it) and `x-words` (by which its documents are known).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from redwell.core.errors import UserError
from redwell.core.understanding.checks import Check, read_check
from redwell.core.understanding.values import Format

NONE = "none"  # what a document is that fits no schema
_MOST_FIELDS = 200
_NAME = "letters, digits, dashes and underscores, 1 to 60 of them, beginning with a letter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    name: str
    format: Format
    description: str = ""
    labels: tuple[str, ...] = ()
    is_required: bool = False
    columns: "tuple[Field, ...]" = ()  # of lines


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRule:
    """Which documents get a schema without being asked about; each part that is named has to fit."""

    type: str = ""  # a kind or a media type
    folder: str = ""  # a pattern of the path
    tag: str = ""
    query: str = ""

    @property
    def says_something(self) -> bool:
        return bool(self.type or self.folder or self.tag or self.query)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSchema:
    name: str
    title: str
    fields: tuple[Field, ...]
    checks: tuple[Check, ...] = ()
    rule: DocumentRule = DocumentRule()
    words: tuple[str, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def paths(self) -> set[str]:
        """`total`, and of lines also `lines.amount`."""
        return _paths(self.fields)

    def field_of(self, path: str) -> Field | None:
        """By path: `total`, or `lines[2].amount`."""
        head, _, column = path.partition("].")
        found = next((each for each in self.fields if each.name == head.partition("[")[0]), None)
        if found is None or not column:
            return found
        return next((each for each in found.columns if each.name == column), None)


def _paths(fields: tuple[Field, ...]) -> set[str]:
    return {each.name for each in fields} | {f"{each.name}.{c.name}" for each in fields for c in each.columns}


def read_schema(text: str, name: str = "") -> DataSchema:
    """UserError says what is wrong and where."""
    try:
        body = json.loads(text)
    except ValueError as error:
        raise UserError(f"the schema is no JSON: {error}") from None
    if not isinstance(body, dict) or not isinstance(body.get("properties"), dict) or not body["properties"]:
        raise UserError('a schema is an object with "properties", one for each field')
    name = _checked(name or str(body.get("name") or body.get("title") or ""))
    fields = tuple(_fields(body))
    if sum(1 + len(each.columns) for each in fields) > _MOST_FIELDS:
        raise UserError(f"a schema has at most {_MOST_FIELDS} fields")
    return DataSchema(
        name=name,
        title=str(body.get("title") or name),
        fields=fields,
        checks=tuple(read_check(str(text), _paths(fields)) for text in body.get("x-checks", ())),
        rule=_rule(body.get("x-for", {})),
        words=tuple(str(word).casefold() for word in body.get("x-words", ()) or (name,)),
        body=body,
    )


def _checked(name: str) -> str:
    name = name.strip().lower().replace(" ", "-")
    plain = name.replace("-", "").replace("_", "")
    if not (plain.isascii() and plain.isalnum() and name[0].isalpha() and len(name) <= 60) or name == NONE:
        raise UserError(f"{name!r} is no name of a schema: {_NAME}")
    return name


def _rule(said: Any) -> DocumentRule:
    if not isinstance(said, dict) or set(said) - {"type", "folder", "tag", "query"}:
        raise UserError("x-for names type, folder, tag or query")
    return DocumentRule(**{key: str(value) for key, value in said.items()})


def _fields(body: Mapping[str, Any], in_lines: bool = False) -> Iterator[Field]:
    required = set(body.get("required", ()))
    for name, said in body["properties"].items():
        if not isinstance(said, dict):
            raise UserError(f"properties.{name} has to be an object")
        yield _field(_checked(str(name)), said, name in required, in_lines)


def _field(name: str, said: Mapping[str, Any], is_required: bool, in_lines: bool) -> Field:
    form = _format(name, said)
    if form is Format.LINES and in_lines:
        raise UserError(f"properties.{name}: lines inside lines are not understood")
    columns: tuple[Field, ...] = ()
    if form is Format.LINES:
        items = said.get("items")
        if not isinstance(items, dict) or not isinstance(items.get("properties"), dict):
            raise UserError(f"properties.{name}: a list of lines has items with properties")
        columns = tuple(_fields(items, in_lines=True))
    labels = tuple(str(label) for label in said.get("x-labels", ())) or _own_labels(name, said)
    return Field(
        name=name,
        format=form,
        description=str(said.get("description", "")),
        labels=labels,
        is_required=is_required,
        columns=columns,
    )


def _own_labels(name: str, said: Mapping[str, Any]) -> tuple[str, ...]:
    words = name.replace("_", " ").replace("-", " ")
    return tuple(dict.fromkeys((str(said.get("title", words)), words)))


_FORMATS = {form.value: form for form in Format} | {
    "string": Format.TEXT,
    "number": Format.NUMBER,
    "integer": Format.NUMBER,
    "array": Format.LINES,
}


def _format(name: str, said: Mapping[str, Any]) -> Format:
    kind = said.get("format") or said.get("type", "string")
    if kind not in _FORMATS:
        known = ", ".join(form.value for form in Format)
        raise UserError(f"properties.{name}: {kind!r} is no format; there are {known}")
    return _FORMATS[kind]
