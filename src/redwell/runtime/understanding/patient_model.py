"""A model that may be away: it is waited for, with longer and longer pauses, and that costs no document an attempt.

Which of the two is at fault, model or question, is found out by a question of our own that holds no evidence: where
that one is answered, it was the document's question, and that is a failed attempt of the document.
"""

import random
import threading
import time

from msgspec.structs import replace

from redwell.ports.language_model import (
    LanguageModel,
    ModelAway,
    ModelRefusesAll,
    ModelRefusesUs,
    ModelUnavailable,
    Question,
    Reply,
)
from redwell.runtime.monitor.outages import Outages

PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
_GO_ON = "what is open waits for a worker, or for `redwell understand`"
_PROBE = Question(
    system="You answer as JSON.",
    text="Is anybody there? Answer yes.",
    schema={
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": ["yes"]}},
        "required": ["answer"],
        "additionalProperties": False,
    },
    max_tokens=30,
)


class PatientModel:
    """Shared by all threads of a run: one of them finds out whether it is back, the others wait for that."""

    def __init__(self, model: LanguageModel, away_s: float, stopping: threading.Event) -> None:
        self.name = model.name
        self._model, self._away_s, self._stopping = model, away_s, stopping
        self._lock, self._outages, self._back_at = threading.Lock(), Outages(), 0.0
        self._unpaid = Reply(text="")  # by our own questions; the next answer bears it

    def ask(self, question: Question) -> Reply:
        while True:
            began = time.monotonic()
            try:
                reply = self._model.ask(question)
            except (ModelUnavailable, ModelRefusesUs):
                with self._lock:
                    is_back = self._back_at >= began or self._waited_for()
                if not is_back:
                    raise
            else:
                return self._with_probes(reply)

    def close(self) -> None:
        self._model.close()

    def _with_probes(self, reply: Reply) -> Reply:
        with self._lock:
            more, self._unpaid = self._unpaid, Reply(text="")
        return replace(reply, tokens_in=reply.tokens_in + more.tokens_in, tokens_out=reply.tokens_out + more.tokens_out)

    def _waited_for(self) -> bool:
        """True when it is back; False where it was never away: it is the question."""
        pause_s, was_away = PAUSE_S, False
        while (error := self._probed()) is not None:
            was_away = True
            self._outages.away(self.name, error)
            if self._outages.lasts_s(self.name) >= self._away_s:
                raise ModelAway(f"the model is away for {self._away_s:,.0f} s (model_away_s): {error}; {_GO_ON}")
            if self._stopping.wait(pause_s * random.uniform(0.5, 1.0)):
                raise ModelAway(f"the model is away: {error}; {_GO_ON}")
            pause_s = min(LONGEST_PAUSE_S, 2 * pause_s)
        if was_away:
            self._outages.back(self.name)
            self._back_at = time.monotonic()
        return was_away

    def _probed(self) -> ModelUnavailable | None:
        """Why it does not answer."""
        try:
            self._unpaid = self._model.ask(_PROBE)
        except ModelUnavailable as error:
            return error
        except ModelRefusesUs as error:
            raise ModelRefusesAll(f"{error}; see `redwell model show`, and choose again") from None
        return None
