"""What was filled into a PDF form: text, choices, buttons, signatures. Called by the handler of PDF in a child."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from redwell.handlers.pdf.pdf_objects import array, dictionary, name, text
from redwell.handlers.pdf.pdf_signatures import Signature, signature_in
from redwell.handlers.pdf.pdf_values import Filled, value_of

_MOST_FIELDS = 50_000
_DEEPEST = 50
_INHERITED = {"/FT": "kind", "/Ff": "flags", "/V": "value", "/RV": "rich", "/Opt": "options", "/I": "chosen"}
_FORMS_FIRST = re.compile(r"\[0\]")  # a form made for XFA numbers every part of a name


@dataclass(frozen=True, slots=True)
class FormField:
    """`path` is made of the field's name and those above it, `label` is what a reader of the form is told."""

    path: tuple[str, ...]
    label: str
    value: str  # empty where nothing was filled in
    is_chosen: bool  # rather than written
    signature: Signature | None = None


@dataclass(frozen=True, slots=True)
class _Node:
    own: Any
    path: tuple[str, ...] = ()
    depth: int = 0
    filled: Filled = field(default_factory=Filled)


def fields_of(pdf: Any, form: Any) -> list[FormField]:
    """All that can have a value, in the form's order; those that only a page knows come last."""
    seen: set[tuple[int, int]] = set()
    nodes = [*_fields(array(form.get("/Fields")), seen), *_fields(_on_pages(pdf), seen)]
    return [_form_field(node) for node in nodes]


def as_lines(fields: list[FormField]) -> list[str]:
    """Name and value of the filled-in ones; a label that no other has stands for the name, as the format wants it."""
    used = Counter(each.label for each in fields)
    filled = [each for each in fields if each.value]
    called = [each.label if used[each.label] == 1 and each.label else ".".join(each.path) for each in filled]
    return [": ".join(filter(None, (call, each.value))) for call, each in zip(called, filled, strict=True)]


def _form_field(node: _Node) -> FormField:
    signature = signature_in(node.filled.value) if node.filled.kind == "Sig" else None
    value = signature.words if signature else value_of(node.filled)
    label = " ".join(text(node.own.get("/TU")).split()).rstrip(" .:")
    return FormField(node.path, label, value, node.filled.kind in ("Btn", "Ch"), signature)


def _fields(listed: Iterable[Any], seen: set[tuple[int, int]]) -> Iterator[_Node]:
    """Every field that can have a value, from the topmost down; some writers list those below, too."""
    waiting = [_below(_Node({}), _topmost(each)) for each in reversed(list(listed))]
    while waiting and len(seen) < _MOST_FIELDS:
        node = waiting.pop()
        if not len(node.own) or node.depth > _DEEPEST or _is_known(node.own, seen):
            continue
        kids = [dictionary(kid) for kid in array(node.own.get("/Kids"))]
        widgets = tuple(kid for kid in kids if _is_widget(kid, node))
        if widgets or not kids:
            yield replace(node, filled=replace(node.filled, widgets=widgets or (node.own,)))
        waiting += [_below(node, kid) for kid in reversed(kids) if not _is_widget(kid, node)]


def _is_widget(kid: Any, above: _Node) -> bool:
    """A kid without a name, or which only repeats its field's, is no field but a place that shows it."""
    if "/Kids" in kid:
        return False
    return "/T" not in kid or (bool(above.filled.kind) and "/V" not in kid and kid["/T"] == above.own.get("/T"))


def _is_known(own: Any, seen: set[tuple[int, int]]) -> bool:
    """Says it at the second time; an object without a number of its own stands in one place only."""
    number = own.objgen if own.objgen != (0, 0) else (0, -len(seen))
    known = number in seen
    seen.add(number)
    return known


def _below(above: _Node, kid: Any) -> _Node:
    own = dictionary(kid)
    given = {fact: own[key] for key, fact in _INHERITED.items() if key in own}
    if "kind" in given:
        given["kind"] = name(given["kind"])
    part = _FORMS_FIRST.sub("", text(own.get("/T")))
    path = above.path if not part or part.startswith("#") else (*above.path, part)
    return _Node(own, path, above.depth + 1, replace(above.filled, **given))


def _on_pages(pdf: Any) -> Iterator[Any]:
    """What pages show: some writers list fewer fields in the form, or none."""
    for page in pdf.pages:
        yield from (
            note for note in array(page.obj.get("/Annots")) if name(dictionary(note).get("/Subtype")) == "Widget"
        )


def _topmost(node: Any) -> Any:
    for _ in range(_DEEPEST):
        above = dictionary(dictionary(node).get("/Parent"))
        if not len(above):
            break
        node = above
    return node
