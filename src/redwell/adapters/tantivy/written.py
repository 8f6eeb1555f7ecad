"""Which exhibits a writer has to delete before it adds them. Used by the index adapter.

To delete one that is not there costs a fifth of what adding it costs, and most are new. Exhibits do not come in
order, so the largest one alone does not tell.
"""


class Written:
    """`highest`: of the exhibits that the index held when the writer was opened; up to it any may be there."""

    def __init__(self, highest: int) -> None:
        self._highest = highest
        self._since = bytearray()  # a byte for each exhibit above it

    def note(self, exhibit: int) -> bool:
        """Whether it may be in the index already; it is from now on."""
        place = exhibit - self._highest - 1
        if place < 0:
            return True
        if place >= len(self._since):
            self._since.extend(bytes(place + 1 - len(self._since) + len(self._since) // 2))
        known = bool(self._since[place])
        self._since[place] = True
        return known
