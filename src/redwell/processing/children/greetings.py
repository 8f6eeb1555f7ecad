"""What the first child of each profile said of itself, or that it would not or could not work. In the parent."""

from collections import Counter
from collections.abc import Mapping

from redwell.core import wire
from redwell.core.errors import SandboxUnavailable, UserError
from redwell.core.work.kinds import Profile

_STARTS = 3


class Greetings:
    """Without the `needed` profile there is no work at all; of any other a refusal is noted, and work goes on."""

    def __init__(self, needed: Profile) -> None:
        self._needed = needed
        self._hellos: dict[Profile, wire.Hello] = {}
        self._failed_starts: Counter[Profile] = Counter()
        self._refusals: dict[Profile, str] = {}

    @property
    def refusals(self) -> Mapping[Profile, str]:
        return self._refusals

    def of(self, profile: Profile) -> wire.Hello | None:
        return self._hellos.get(profile)

    def met(self, profile: Profile, hello: wire.Hello) -> None:
        if profile in self._hellos or profile in self._refusals:
            return
        if refusal := hello.layers.get(wire.REFUSED):
            self._refuse(
                profile,
                SandboxUnavailable(
                    f"the sandbox can't be had here: {refusal}. "
                    "`--set sandbox=best` goes on with what there is, and the report says so"
                ),
            )
        else:
            self._hellos[profile] = hello

    def missed(self, profile: Profile, last_words: str) -> None:
        """A child ended before it said hello."""
        self._failed_starts[profile] += 1
        if self._failed_starts[profile] >= _STARTS:
            self._refuse(profile, UserError(f"children can't start: {last_words or 'they end without a word'}"))

    def _refuse(self, profile: Profile, reason: UserError) -> None:
        if profile is self._needed:
            raise reason
        self._refusals[profile] = str(reason)
