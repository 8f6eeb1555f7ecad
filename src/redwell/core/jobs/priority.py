"""The order of jobs (SPEC A4). Pure; the one implementation for workers, listings and the registry."""

DEFAULT = 50
LOWEST = 127


def order(priority: int, created_ms: int) -> int:
    """Lower first: strict priority, the older one within it."""
    return priority << 56 | created_ms


def effective(priority: int, waited_ms: int, step_ms: int) -> int:
    """A job that nobody serves gains one step per interval, so that none waits for ever; 0 as interval: never.

    A clock that was set back makes no one wait longer than from the start.
    """
    return max(0, priority - max(0, waited_ms) // step_ms) if step_ms else priority
