"""Keeps whoever scales services in from taking a worker away in the midst of its work (SPEC A3)."""

from typing import Protocol


class TaskProtection(Protocol):
    def set(self, *, working: bool) -> None:
        """Called with every look for work; what can't be told costs the worker nothing."""
        ...
