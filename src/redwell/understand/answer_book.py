"""The answers about one document until they are written: with its result, or sooner where the model takes its time."""

import time

from redwell.core.understanding.models import ModelChoice
from redwell.core.understanding.turns import Answer, Reserved
from redwell.ports.understanding import UnderstandingStore

_SOON_S = 1.0  # of paid answers that a kill may cost; to write each takes as long as a fast model


class AnswerBook:
    """Of one thread. Whoever ends the document takes what is left in it."""

    def __init__(self, store: UnderstandingStore, choice: ModelChoice) -> None:
        self._store, self._choice = store, choice
        self._open: dict[bytes, Answer] = {}
        self._written = time.monotonic()

    def find(self, key: bytes) -> Answer | None:
        return self._open.get(key) or self._store.answer(key)

    def reserve(self, tokens: int) -> Reserved | None:
        """None: the budget of the case would be passed."""
        wanted = Reserved(tokens, self._choice.cost(tokens, tokens // 4))
        if not self._choice.has_budget:
            return Reserved(0, 0)
        return wanted if self._store.reserve(self._choice, wanted) else None

    def give_back(self, reserved: Reserved) -> None:
        if reserved.tokens:
            self._store.give_back(reserved)

    def keep(self, answer: Answer) -> None:
        self._open[answer.key] = answer
        if time.monotonic() - self._written >= _SOON_S:
            self._store.keep_answers(self.take())

    def take(self) -> list[Answer]:
        """Whoever takes them writes them."""
        taken, self._open, self._written = list(self._open.values()), {}, time.monotonic()
        return taken
