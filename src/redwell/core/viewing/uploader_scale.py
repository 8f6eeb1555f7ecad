"""How many tasks an uploader has, and whether another one may begin (SPEC E5, E6). Pure."""

from math import ceil

# so many messages wait, and so much of the most there may be
_STEPS = ((5_000, 1.0), (2_000, 0.6), (500, 0.4), (200, 0.2))


def most_tasks(worker_limit: int, connections: int, otherwise: int) -> int:
    """`worker_limit` is what the job says; 0: nothing."""
    return max(1, ceil(worker_limit / max(1, connections)) if worker_limit else otherwise)


def tasks_for(depth: int, most: int) -> int:
    """The deeper the queue, the more; one while it is shallow."""
    share = next((share for above, share in _STEPS if depth > above), 0.0)
    return max(1, ceil(share * most))


def steps_of(most: int) -> tuple[int, ...]:
    """The tasks of each step, from the shallowest to the deepest."""
    return tuple(tasks_for(above + 1, most) for above, _ in reversed(_STEPS))


def is_throttled(running: int, connections: int, ceiling: int) -> bool:
    """Whether the tasks that run have more connections open than there may be."""
    return running * connections > ceiling
