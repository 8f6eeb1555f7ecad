"""Reads comments of PowerPoint's and Excel's packages, each behind the name of who made it. Runs in a child.

A comment has a person's key alone; names are in a part of their own.
"""

from collections.abc import Mapping

from redwell.core.errors import InvalidFile, TooLarge
from redwell.handlers.structures.xml_text import Attributes, Grammar, Leaf, XmlText, leaves
from redwell.handlers.structures.zip_package import Package

_LISTS = ("commentauthors+xml", "powerpoint.authors+xml", "ms-excel.person+xml")
_PEOPLE = frozenset({"cmAuthor", "author", "person"})


def people(package: Package) -> dict[str, str]:
    """Names by key; a damaged list of them costs the names, never the comments."""
    found = {}
    for part, kind in package.content_types.items():
        if kind.lower().endswith(_LISTS):
            for name, attributes, _ in _elements(package, part):
                if name in _PEOPLE:
                    found[attributes.get("id", "")] = attributes.get("displayName") or attributes.get("name", "")
    return found


def _elements(package: Package, part: str) -> list[Leaf]:
    try:
        return leaves(package.open(part))
    except (InvalidFile, TooLarge):
        return []


class CommentText(XmlText):
    """One part's text; a part without comments is read as by anybody."""

    heard = frozenset({"cm", "reply", "threadedComment"})

    def __init__(self, grammar: Grammar, people: Mapping[str, str]) -> None:
        super().__init__(grammar)
        self._people = people

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        who = self._people.get(attributes.get("authorId") or attributes.get("personId") or "")
        self._out += [f"{who}: "] if who and not self._skip else []
