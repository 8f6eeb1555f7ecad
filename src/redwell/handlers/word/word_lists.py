"""Which list and level each paragraph of a Word package belongs to, from its numbering and styles. Runs in a child."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from redwell.handlers.structures.list_numbers import LEVELS, Counters, Level, Levels, number_in
from redwell.handlers.structures.xml_text import Leaf

_ENDS = {"space": " ", "nothing": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A list by the number that paragraphs call it with, and a level of it; None where it is not said."""

    num: str | None = None
    level: int | None = None

    def over(self, other: "Place") -> "Place":
        return Place(
            num=other.num if self.num is None else self.num,
            level=other.level if self.level is None else self.level,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedList:
    """Lists of one `family` are counted on together; `starts` are numbers that this one begins anew with."""

    family: str
    levels: Levels
    starts: Mapping[int, int] = field(default_factory=dict)
    by_style: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """What the package says of its lists."""

    lists: Mapping[str, NumberedList]
    styles: Mapping[str, Place]


NO_LISTS = Lists(lists={}, styles={})


class Numbering:
    """Counts through one story of the document."""

    def __init__(self, lists: Lists) -> None:
        self._lists = lists
        self._counters: dict[str, Counters] = {}
        self._begun: set[str] = set()

    def label(self, place: Place, style: str) -> str:
        """What Word shows before a paragraph of this style that says this of itself."""
        place = place.over(self._lists.styles.get(style, Place()))
        found = self._lists.lists.get(place.num or "")
        if found is None:
            return ""
        level = found.by_style.get(style, 0) if place.level is None else place.level
        counters = self._counters.setdefault(found.family, Counters())
        if place.num not in self._begun:
            self._begun.add(place.num or "")
            for at, start in found.starts.items():
                counters.restart(at, start)
        return counters.label(found.levels, level)


def lists(numbering: list[Leaf], styles: list[Leaf]) -> Lists:
    """From all elements of the two parts."""
    reader = _Reader()
    for name, attributes, _ in numbering:
        reader.take(name, attributes)
    return Lists(lists=reader.lists(), styles=_styles(styles))


class _Reader:
    """Elements come in the order of their ends, so whatever is in one is known when it comes."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}  # of the element that is open
        self._levels: dict[int, Level] = {}
        self._by_style: dict[str, int] = {}
        self._starts: dict[int, int] = {}
        self._families: dict[str, tuple[dict[int, Level], dict[str, int], str]] = {}
        self._linked: dict[str, str] = {}  # style of lists: the family that describes it
        self._nums: dict[str, tuple[str, dict[int, Level], dict[int, int]]] = {}

    def take(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "lvl":
            self._level(attributes)
        elif name == "lvlOverride":
            if "startOverride" in self._told:
                self._starts[number_in(attributes.get("ilvl"))] = number_in(self._told.pop("startOverride"))
        elif name == "abstractNum":
            self._family(attributes.get("abstractNumId", ""))
        elif name == "num":
            self._nums[attributes.get("numId", "")] = (self._told.get("abstractNumId", ""), self._levels, self._starts)
            self._told, self._levels, self._starts = {}, {}, {}
        else:
            self._told[name] = attributes.get("val", "")

    def _level(self, attributes: Mapping[str, str]) -> None:
        told, at = self._told, number_in(attributes.get("ilvl"))
        self._levels[at] = Level(
            kind=told.get("numFmt", "decimal"),
            text=told.get("lvlText", ""),
            start=number_in(told.get("start"), 0),
            restarts_after=number_in(told.get("lvlRestart"), LEVELS),
            legal=told.get("isLgl", "0") not in ("0", "false", "off"),
            end=_ENDS.get(told.get("suff", ""), " "),
        )
        if "pStyle" in told:
            self._by_style[told["pStyle"]] = at
        self._told = {
            name: value for name, value in told.items() if name in ("styleLink", "numStyleLink", "abstractNumId")
        }

    def _family(self, key: str) -> None:
        self._families[key] = (self._levels, self._by_style, self._told.get("numStyleLink", ""))
        if "styleLink" in self._told:
            self._linked[self._told["styleLink"]] = key
        self._told, self._levels, self._by_style = {}, {}, {}

    def lists(self) -> dict[str, NumberedList]:
        found = {}
        for num, (family, levels, starts) in self._nums.items():
            link = self._families.get(family, ({}, {}, ""))[2]
            family = self._linked.get(link, family)
            base, by_style, _ = self._families.get(family, ({}, {}, ""))
            found[num] = NumberedList(family=family, levels=base | levels, starts=starts, by_style=by_style)
        return found


def _styles(elements: list[Leaf]) -> dict[str, Place]:
    """The list that a style puts its paragraphs into, its own or that of the style it is based on."""
    own: dict[str, tuple[Place, str]] = {}
    told: dict[str, str] = {}
    for name, attributes, _ in elements:
        if name in ("numId", "ilvl", "basedOn"):
            told[name] = attributes.get("val", "")
        elif name == "style":
            level = number_in(told["ilvl"]) if "ilvl" in told else None
            own[attributes.get("styleId", "")] = (Place(num=told.get("numId"), level=level), told.get("basedOn", ""))
            told = {}
    return {style: inherited(style, own) for style in own}


def inherited(style: str, own: Mapping[str, tuple[Place, str]]) -> Place:
    """A style's place in a list, where need be from the styles below it."""
    place = Place()
    for _ in range(20):  # styles may be based on one another in a circle
        if style not in own:
            break
        base, style = own[style]
        place = place.over(base)
    return place
