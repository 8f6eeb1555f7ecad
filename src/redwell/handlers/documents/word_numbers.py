"""Reads one part of a Word package with the numbers that Word shows before its paragraphs. Runs in a child."""

from collections.abc import Mapping

from redwell.handlers.documents.list_numbers import number_in
from redwell.handlers.documents.package import Package
from redwell.handlers.documents.word_lists import Lists, Numbering, Place, lists
from redwell.handlers.documents.word_symbols import WordText
from redwell.handlers.documents.xml_text import Attributes, Grammar, Leaf, leaves

_TOLD = frozenset({"pStyle", "numId", "ilvl"})


def numbered_lists(package: Package, main: str) -> Lists:
    """What the package says of its lists; raises `InvalidFile` or `TooLarge` where it cannot be read."""
    kinds = dict(package.relationships(main).values())
    numbering = _elements(package, kinds.get("numbering", ""))
    return lists(numbering, _elements(package, kinds.get("styles", "")) if numbering else [])


def _elements(package: Package, part: str) -> list[Leaf]:
    return leaves(package.open(part)) if part in package else []


class NumberedText(WordText):
    """One part's text, each paragraph behind its number."""

    def __init__(self, grammar: Grammar, lists: Lists) -> None:
        super().__init__(grammar)
        self._numbering = Numbering(lists)
        self._properties = 0  # how deep in those of a paragraph; what they were before a change lies deeper
        self._told: dict[str, str] = {}

    def _start(self, name: str, attributes: Attributes) -> None:
        if self._properties:
            self._properties += 1
            self._tell(name.rpartition(":")[2], attributes)
        elif name.endswith("pPr") and name.rpartition(":")[2] == "pPr" and not self._skip:
            self._properties, self._told = 1, {}
        super()._start(name, attributes)

    def _tell(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in _TOLD and self._properties <= 3:
            self._told[name] = next((value for key, value in attributes.items() if key.rpartition(":")[2] == "val"), "")

    def _end(self, name: str) -> None:
        super()._end(name)
        if self._properties:
            self._properties -= 1
            if not self._properties and self._told:
                self._out.append(self._label())

    def _label(self) -> str:
        level = number_in(self._told["ilvl"]) if "ilvl" in self._told else None
        return self._numbering.label(Place(num=self._told.get("numId"), level=level), self._told.get("pStyle", ""))
