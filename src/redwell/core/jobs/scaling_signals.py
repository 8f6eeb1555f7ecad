"""What a worker tells whoever scales its service (SPEC A15). Pure."""

NEUTRAL = 0.65  # neither a reason to add workers nor to take some away


def capacity_usage(measured: float, *, changed: bool) -> float:
    """Right after a change of state the measure says nothing yet."""
    return NEUTRAL if changed else measured
