"""Which schema a document gets: by a rule of the schema, else by its words, else none. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from redwell.core.understanding.schemas import DataSchema, DocumentRule

HEAD = 2_000  # characters in which a document says what it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A document as rules see it."""

    exhibit: int
    path: str
    kind: str
    media_type: str
    tags: Collection[str] = ()


def fits(rule: DocumentRule, document: Described, found: Mapping[str, Collection[int]]) -> bool:
    """`found`: the exhibits that each rule's query finds."""
    if not rule.says_something:
        return False
    is_type = not rule.type or rule.type in (document.kind, document.media_type)
    path = document.path.replace("\\", "/").casefold()
    pattern = rule.folder.casefold().rstrip("/")
    is_there = not pattern or fnmatchcase(path, f"{pattern}/*") or fnmatchcase(path, pattern)
    is_tagged = not rule.tag or rule.tag.casefold() in {tag.casefold() for tag in document.tags}
    return is_type and is_there and is_tagged and (not rule.query or document.exhibit in found.get(rule.query, ()))


def by_rule(
    schemas: Sequence[DataSchema], document: Described, found: Mapping[str, Collection[int]]
) -> DataSchema | None:
    return next((schema for schema in schemas if fits(schema.rule, document, found)), None)


def by_words(schemas: Sequence[DataSchema], text: str) -> DataSchema | None:
    """The one whose words the head of the document has; None where none or more than one would do."""
    head = f" {' '.join(text[:HEAD].casefold().split())} "
    fitting = [schema for schema in schemas if any(word in head for word in schema.words)]
    return fitting[0] if len(fitting) == 1 else None
