"""What has to hold between fields: `total = net + tax`, `total = sum(lines.amount)`, `due >= date`. Pure."""

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from redwell.core.errors import UserError
from redwell.core.understanding.values import number_of

_SIDES = re.compile(r"(?P<left>[^<>=]+?)\s*(?P<sign><=|>=|=|<|>)\s*(?P<right>[^<>=]+)")
_TERM = re.compile(r"(?P<sign>[+-])?\s*(?:sum\((?P<sum>[\w.-]+)\)|(?P<path>[a-z][\w.-]*)|(?P<number>\d+(?:\.\d+)?))\s*")
_CENT = Decimal("0.005")
_COMPARED: Mapping[str, Callable[[Decimal], bool]] = {
    "=": lambda difference: abs(difference) < _CENT,
    "<=": lambda difference: difference < _CENT,
    ">=": lambda difference: difference > -_CENT,
    "<": lambda difference: difference < 0,
    ">": lambda difference: difference > 0,
}
_ORDER: Mapping[str, Callable[[str, str], bool]] = {
    "=": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, slots=True)
class Term:
    sign: int
    path: str = ""
    is_sum: bool = False
    number: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Check:
    text: str
    left: tuple[Term, ...]
    sign: str
    right: tuple[Term, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(term.path for term in (*self.left, *self.right) if term.path)

    def holds(self, values: Mapping[str, str | Sequence[str]]) -> bool | None:
        """None where a value is not known, so that nothing can be said."""
        if any(values.get(path) in (None, "", [], ()) for path in self.paths):
            return None
        if len(self.left) == len(self.right) == 1 and self._compares_days(values):
            return _ORDER[self.sign](str(values[self.left[0].path]), str(values[self.right[0].path]))
        left, right = _total(self.left, values), _total(self.right, values)
        return None if left is None or right is None else _COMPARED[self.sign](left - right)

    def _compares_days(self, values: Mapping[str, str | Sequence[str]]) -> bool:
        sides = [values.get(term.path, "") for term in (*self.left, *self.right)]
        return all(isinstance(side, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", side) for side in sides)


def _total(terms: Sequence[Term], values: Mapping[str, str | Sequence[str]]) -> Decimal | None:
    total = Decimal(0)
    for term in terms:
        said: str | Sequence[str] = values.get(term.path, "") if term.path else str(term.number)
        each = [said] if isinstance(said, str) else list(said)
        numbers = [number_of(value) for value in each]
        if any(number is None for number in numbers):
            return None
        total += term.sign * sum((number for number in numbers if number is not None), Decimal(0))
    return total


def read_check(text: str, paths: Collection[str]) -> Check:
    sides = _SIDES.fullmatch(text.strip())
    if not sides:
        raise UserError(f"x-checks: {text!r} cannot be read; a check is written `total = sum(lines.amount)`")
    check = Check(text.strip(), _terms(sides["left"], text), sides["sign"], _terms(sides["right"], text))
    if unknown := [path for path in check.paths if path not in paths]:
        raise UserError(f"x-checks: {text!r} names {unknown[0]!r}, which is no field")
    return check


def _terms(side: str, text: str) -> tuple[Term, ...]:
    found, place = list[Term](), 0
    side = side.strip()
    while place < len(side):
        match = _TERM.match(side, place)
        if match is None or (found and not match["sign"]):
            raise UserError(f"x-checks: {text!r} cannot be read at {side[place:]!r}")
        number = Decimal(match["number"]) if match["number"] else Decimal(0)
        sign = -1 if match["sign"] == "-" else 1
        found.append(Term(sign, match["sum"] or match["path"] or "", bool(match["sum"]), number))
        place = match.end()
    return tuple(found)
