"""When the renditions and recognition of a batch have their turn beside its text (SPEC A4, ADR 80). Pure.

Search must not wait for them: neither for a slot nor for a LibreOffice that starts while texts are read. They must not
wait for ever either: text may be with a worker that died, want more room than there is, or be one mailbox of hours.
"""

from redwell.core.work.transitions import Standing

TEXT_S = 10.0  # without a text that this worker could have begun; then its slots would only be idle
LOAD_S = 60.0  # the same while the last texts go into the index
ONE = 1  # documents of a message while files are still read, or text waits for another slot
FEW = 10  # while the last texts are at work: they may have members


def have_turn(standing: Standing, lull_s: float) -> bool:
    """Whether a worker begins any: `lull_s` is how long it has found no text of the batch to begin."""
    if standing.has_reached(Standing.RENDERING):
        return True
    return lull_s >= (LOAD_S if standing is Standing.UNINDEXED else TEXT_S)


def most_beside(limit: int, *, waiting: bool, at_work: bool, blocked: bool) -> int:
    """How many make a message, by what is open of the text. `blocked`: some waits for room that is in use, which no
    rendition may take from under it."""
    if blocked:
        return 0
    if waiting:
        return min(ONE, limit)
    return min(FEW, limit) if at_work else limit
