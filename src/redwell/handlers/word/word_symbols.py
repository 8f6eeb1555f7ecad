"""Reads one part of Word's XML documents, with what symbols, readings and fields of old forms show. Runs in a child.

None is text at its place: a symbol is a place in a font, a ticked box a flag, a chosen entry its number in a list.
"""

from redwell.handlers.structures.xml_text import Attributes, Grammar, XmlText

_CAPITALS = dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True))  # Greek
_SMALL = dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))  # Greek
_SIGNS = {0xA3: "≤", 0xA5: "∞", 0xAE: "→", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•"}  # noqa: RUF001
_FONTS = {
    "symbol": _CAPITALS | _SMALL | _SIGNS,
    "wingdings": {
        **dict.fromkeys((0x6F, 0x70, 0x71, 0x72, 0xA8), "☐"),
        0x78: "☒",
        0xFD: "☒",
        0xFE: "☑",
        0xFB: "✗",
        0xFC: "✓",
        0xE0: "→",
        0xDF: "←",
        0x4A: "☺",
        0x4C: "☹",
    },
    "wingdings 2": {**dict.fromkeys((0x2A, 0xA3), "☐"), 0x50: "✓", 0x4F: "✗", 0x52: "☑", 0x53: "☒", 0x54: "☒"},
}
_FORMS = frozenset({"ddList", "checkBox"})
_BOXES = {False: "☐", True: "☒"}


class WordText(XmlText):
    """One part's text, symbols and choices at their places."""

    heard = frozenset({"sym", "rt", "rubyBase", *_FORMS, "listEntry", "checked", "result", "default"})

    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar)
        self._form = ""  # the kind of field that is open
        self._chosen, self._entry = -1, 0
        self._reading = ""  # how the characters that follow are pronounced, as small print above them says

    def _hear(self, name: str, attributes: Attributes, full_name: str) -> None:
        if self._skip:
            return
        told = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        if name == "sym":
            self._out.append(symbol(told.get("font", ""), told.get("char", "")))
        elif name == "rt":
            self._outer.append((self._out, self._lines))
            self._out = []
        elif name in _FORMS:
            self._form, self._chosen, self._entry = name, -1, 0
        elif self._form:
            self._choose(name, told.get("val", "1"))

    def _choose(self, name: str, value: str) -> None:
        if name == "listEntry":
            self._out += [value] if self._entry == max(0, self._chosen) else []
            self._entry += 1
        elif name in ("checked", "result") or (name == "default" and self._chosen < 0):
            self._chosen = _number(value)

    def _hear_end(self, name: str, full_name: str) -> None:
        if self._skip:
            return
        if name == self._form:
            self._out += [_BOXES[self._chosen > 0]] if name == "checkBox" else []
            self._form = ""
        elif name == "rt" and self._outer:
            self._reading = "".join(self._out)
            self._out, self._lines = self._outer.pop()
        elif name == "rubyBase" and self._reading:
            self._out.append(f" ({self._reading})")
            self._reading = ""


def symbol(font: str, place: str) -> str:
    """The character at this place of a font of symbols; empty where it has none."""
    try:
        return _FONTS.get(font.lower(), {}).get(int(place, 16) & 0xFF, "")
    except ValueError:
        return ""


def _number(value: str) -> int:
    """Flags are written as numbers or words."""
    return int(value) if value.isdecimal() and len(value) < 9 else int(value in ("true", "on"))
