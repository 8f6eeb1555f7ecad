"""Rules of core.case (numbers, families, exhibit_outcome) as expressions of SQL, for the checks of verify.

Made of the same constants, and compared with the rules themselves by the tests.
"""

from redwell.core.case.families import MEMBER_OF, MEMBER_ROLES
from redwell.core.case.numbers import DIGITS, MEMBER_DIGITS, MEMBER_MARK
from redwell.core.outcomes import Code, Outcome


def _padded(number: str, digits: int) -> str:
    """Like Python's f"{number:0{digits}d}", in words that every database knows."""
    full = 10**digits
    return (
        f"(CASE WHEN {number} < {full} THEN substr(CAST({full} + {number} AS TEXT), 2) ELSE CAST({number} AS TEXT) END)"
    )


def has_digits_of(control: str, number: str) -> str:
    """True where a control number is one with these digits, whatever its prefix."""
    digits = _padded(number, DIGITS)
    return f"substr({control}, length({control}) - length({digits}) + 1) = {digits}"


def member_control_number(parent: str, ordinal: str) -> str:
    return f"({parent} || '{MEMBER_MARK}' || {_padded(f'({ordinal} + 1)', MEMBER_DIGITS)})"


def control_fits(member: str, parent: str, ordinal: str) -> str:
    """Of an exhibit and its parent's: a head has digits of its own, or, in a case of old, those of its container."""
    own = has_digits_of(f"{member}.control", f"{member}.number")
    control = member_control_number(f"{parent}.control", ordinal)
    below = f"({member}.number = {parent}.number AND {member}.control = {control})"
    heads = f"WHEN {parent}.id IS NULL THEN {own} WHEN {member}.family = {member}.id THEN {own} OR {below}"
    return f"(CASE {heads} ELSE {below} END)"


def member_path(container: str, name: str) -> str:
    return f"({container} || '{MEMBER_OF}' || {name})"


_MEMBER_ROLES = ", ".join(f"'{role}'" for role in sorted(MEMBER_ROLES))


def family_of(member: str, parent: str) -> str:
    """Of a row of the ledger, by its parent's exhibit."""
    own = f"{member}.role IN ({_MEMBER_ROLES}) AND {parent}.family = {parent}.id"
    return f"(CASE WHEN {own} THEN {member}.id ELSE {parent}.family END)"


def says(column: str, code: Code) -> str:
    """True where the problems in this column have one with the code."""
    return f"replace({column}, '\"{code}\"', '') <> {column}"


def exhibit_outcome(content: str) -> str:
    """Of an exhibit that no limit kept closed, by the work on its content."""
    pending = f"{content}.outcome = '{Outcome.SUCCESS}' AND {says(f'{content}.problems', Code.OCR_PENDING)}"
    return f"(CASE WHEN {pending} THEN '{Outcome.PARTIAL}' ELSE {content}.outcome END)"
