"""The value of one field of a PDF form, as its reader sees it. Called by the reader of forms in a child."""

import io
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from redwell.core.errors import InvalidFile
from redwell.handlers.pdf.pdf_objects import array, name, text
from redwell.handlers.structures.xml_text import Grammar, XmlText

_OFF = "Off"
_PUSH_BUTTON = 1 << 16
_RICH = Grammar(text=frozenset({"body"}), after={"p": "\n", "br": "\n"})


@dataclass(frozen=True, slots=True)
class Filled:
    """What a field says of its value, by itself or through those above it; `widgets` are the places that show it."""

    kind: str = ""
    flags: Any = 0
    value: Any = None
    rich: Any = None
    options: Any = None
    chosen: Any = None  # places among the options
    widgets: tuple[Any, ...] = ()


def value_of(field: Filled) -> str:
    """Empty where nothing was filled in or chosen."""
    match field.kind:
        case "Tx":
            return _plain(_value(field)) or _rich(field.rich)
        case "Ch":
            return "; ".join(_choices(field))
        case "Btn" if not _is_push_button(field):
            return _state(field)
    return ""


def _is_push_button(field: Filled) -> bool:
    return isinstance(field.flags, int) and bool(field.flags & _PUSH_BUTTON)


def _value(field: Filled) -> Any:
    """The field's own, or what a writer has put into a widget instead."""
    return field.value if field.value is not None else next(filter(None, (w.get("/V") for w in field.widgets)), None)


def _plain(value: Any) -> str:
    """A string's text; some writers put a name or a number in its place."""
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return str(value)
    return text(value) or name(value)


def _rich(value: Any) -> str:
    """The words of formatted text, which stands beside the plain text or, rarely, alone."""
    said: list[str] = []
    try:
        said += XmlText(_RICH).read(io.BytesIO(text(value).encode()))
    except InvalidFile:
        pass  # what stood before the damage has been taken
    return "".join(said).strip()


def _choices(field: Filled) -> list[str]:
    """What the list shows for each chosen value, with the value where that is another one."""
    options = [array(option) or [option] for option in array(field.options)]
    shown = {_plain(option[0]): _plain(option[-1]) for option in reversed(options)}
    value = _value(field)
    values = [said for item in array(value) or [value] if (said := _plain(item))]
    if not values:
        places = [place for place in array(field.chosen) if isinstance(place, int)]
        values = [_plain(options[place][0]) for place in places if 0 <= place < len(options)]
    return [_with(shown.get(said, ""), said) for said in values]


def _state(field: Filled) -> str:
    """The state of a check box or of a group of radio buttons, by the name that the form gives it."""
    told = _plain(_value(field)).removeprefix("/")  # some writers make the name a string, with its slash
    states = [name(widget.get("/AS")) for widget in field.widgets]
    if told in ("", _OFF):
        told = next((state for state in states if state not in ("", _OFF)), "")
    if not told:
        return ""
    at = states.index(told) if told in states else None
    options = [_plain(option) for option in array(field.options)]
    if options and (named := _option(options, told, at)):
        return named
    is_apart = at is not None and len(field.widgets) > 1
    return _with(text(field.widgets[at].get("/TU")) if at is not None and is_apart else "", told)


def _option(options: list[str], state: str, at: int | None) -> str:
    """Where a button has options there is one for each widget, and states are their numbers."""
    if state in options and not state.isdecimal():
        return state
    place = int(state) if state.isdecimal() else at
    return options[place] if place is not None and place < len(options) else ""


def _with(shown: str, stored: str) -> str:
    return f"{shown} ({stored})" if shown and shown != stored else stored
