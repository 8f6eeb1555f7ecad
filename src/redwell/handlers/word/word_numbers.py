"""Reads one part of a Word package with the numbers that Word shows before its paragraphs. Runs in a child."""

from redwell.handlers.structures.list_numbers import number_in
from redwell.handlers.structures.xml_text import Attributes, Grammar, Leaf, leaves
from redwell.handlers.structures.zip_package import Package
from redwell.handlers.word.word_lists import Lists, Numbering, Place, lists
from redwell.handlers.word.word_symbols import WordText

_TOLD = frozenset({"pStyle", "numId", "ilvl"})
_DEEPEST = 2  # in the properties of a paragraph; what they were before a change lies deeper


def numbered_lists(package: Package, main: str) -> Lists:
    """What the package says of its lists; raises `InvalidFile` or `TooLarge` where it cannot be read."""
    kinds = dict(package.relationships(main).values())
    numbering = _elements(package, kinds.get("numbering", ""))
    return lists(numbering, _elements(package, kinds.get("styles", "")) if numbering else [])


def _elements(package: Package, part: str) -> list[Leaf]:
    return leaves(package.open(part)) if part in package else []


class NumberedText(WordText):
    """One part's text, each paragraph behind its number."""

    heard = WordText.heard | {"pPr"} | _TOLD

    def __init__(self, grammar: Grammar, lists: Lists) -> None:
        super().__init__(grammar)
        self._numbering = Numbering(lists)
        self._told: dict[str, str] = {}

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        if name == "pPr":
            self._told = self._told if self._skip else {}
        elif name in _TOLD and self._skip <= _DEEPEST:
            self._told[name] = next((value for key, value in attributes.items() if key.rpartition(":")[2] == "val"), "")
        else:
            super()._hear(name, attributes, full_name)

    def _hear_end(self, name: str, full_name: str) -> None:
        if name == "pPr" and self._skip == 1 and self._told:
            self._out.append(self._label())
        else:
            super()._hear_end(name, full_name)

    def _label(self) -> str:
        level = number_in(self._told["ilvl"]) if "ilvl" in self._told else None
        return self._numbering.label(Place(num=self._told.get("numId"), level=level), self._told.get("pStyle", ""))
