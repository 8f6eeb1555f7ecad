"""Secrets by reference: where a setting says where its value lies instead of what it is (SPEC D12).

`env:NAME`, `file:PATH`, `ssm:NAME` (Parameter Store), `secret:NAME` or `secret:NAME#KEY` (Secrets Manager). Each is
looked up once in a process, when it is first used: a command that needs no secret asks nobody for one.
"""

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from redwell.core.errors import RedwellError, UserError
from redwell.runtime.bootstrap.vendors import aws_adapter


def secret_of(setting: str, value: str) -> str:
    """The secret that a reference names; anything else is the value itself. What can't be had names the setting."""
    try:
        return _looked_up(value)
    except RedwellError as error:
        error.args = (f"setting {setting}: {error}",)
        raise


@cache
def _looked_up(value: str) -> str:
    kind, _, name = value.partition(":")
    look_up = _KINDS.get(kind)
    return look_up(name) if look_up and name else value


class LookedUp:
    """A setting that may be such a reference, in place of its slot: whoever reads it gets the secret."""

    def __init__(self, name: str, slot: Any) -> None:
        self.name, self.slot = name, slot

    def __get__(self, settings: Any, owner: type | None = None) -> Any:
        return self if settings is None else secret_of(self.name, self.slot.__get__(settings, owner))

    def __set__(self, settings: Any, value: str) -> None:
        self.slot.__set__(settings, value)

    @staticmethod
    def as_given(settings: Any, name: str) -> Any:
        """What somebody wrote, which may be shown nobody but is asked of nobody either."""
        held = getattr(type(settings), name)
        return held.slot.__get__(settings) if isinstance(held, LookedUp) else getattr(settings, name)


def _from_environment(name: str) -> str:
    try:
        return os.environ[name]
    except KeyError:
        raise UserError(f"it is env:{name}, and the environment has no {name}") from None


def _from_file(name: str) -> str:
    try:
        return Path(name).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"it is file:{name}, which can't be read: {error}") from None


def _from_parameter(name: str) -> str:
    return str(aws_adapter("secrets").parameter(name))


def _from_secret(name: str) -> str:
    secret, _, key = name.partition("#")
    text = str(aws_adapter("secrets").secret(secret))
    if not key:
        return text
    try:
        return str(json.loads(text)[key])
    except (ValueError, KeyError, TypeError):
        raise UserError(f"it is secret:{name}, and that secret has no key {key!r}") from None


_KINDS: dict[str, Callable[[str], str]] = {
    "env": _from_environment,
    "file": _from_file,
    "ssm": _from_parameter,
    "secret": _from_secret,
}
