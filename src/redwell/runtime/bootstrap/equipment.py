"""What the handlers of this process are, as one of its children says. Nothing is started for who never asks."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from redwell.core import wire
from redwell.core.work.kinds import Profile
from redwell.processing.children.limits import ChildConfig
from redwell.processing.children.offers import equipment_of
from redwell.processing.children.pool import Pool
from redwell.runtime.bootstrap.child_profiles import of_profile, parsers
from redwell.runtime.bootstrap.handler_modules import discover
from redwell.runtime.bootstrap.settings import Settings


def ask_a_child(config: ChildConfig) -> wire.Hello:
    """Start one, hear what it says, end it."""
    pool = Pool(config, 1)
    try:
        return pool.hello()
    finally:
        pool.close()


def hello_of(settings: Settings, profile: Profile = Profile.PARSER) -> wire.Hello:
    """The same without a case: of a child that is given nothing to read."""
    modules = discover()
    with tempfile.TemporaryDirectory(prefix="redwell-child-") as scratch:
        config = parsers(settings, modules[Profile.PARSER], [], Path(scratch))
        is_parser = profile is Profile.PARSER
        return ask_a_child(config if is_parser else of_profile(profile, config, modules[profile]))


class Equipment:
    """A pool that runs anyway is learnt from; else a child is started for the answer, once."""

    def __init__(self, config: Callable[[], ChildConfig]) -> None:
        self._config = config
        self._hello: wire.Hello | None = None

    def learn(self, hello: wire.Hello) -> None:
        self._hello = hello

    def __str__(self) -> str:
        return equipment_of(self.hello)

    @property
    def hello(self) -> wire.Hello:
        self._hello = self._hello or ask_a_child(self._config())
        return self._hello
