"""Sends what waits in a case's outbox. A thread beside the work on a case with task queues; any number may run at once.

A post goes out after the rows it follows from and is removed after it was taken; a crash in between sends it twice,
which every receiver stands.
"""

import threading
from collections.abc import Callable, Sequence
from itertools import groupby

from redwell.core.errors import Recoverable
from redwell.core.events.outbox_posts import OUTBOX, Post
from redwell.core.trip import trip
from redwell.ports.messaging.queue import Delivery, Message, NoSuchQueue, NotSent, Queue

LONGEST_PAUSE_S = 60
LOOK_S = 0.5  # for what others have posted; what this process posts wakes it up
Waiting = tuple[Delivery, Post]


class OutboxRelay:
    def __init__(self, outbox: Queue, queues: Queue, on_sent: Callable[[], None] = lambda: None) -> None:
        self._outbox, self._queues, self._on_sent = outbox, queues, on_sent
        self._news, self._stop = threading.Event(), threading.Event()

    def wake(self) -> None:
        """Something was posted."""
        self._news.set()

    def run(self) -> None:
        """Until `stop`, and then what is left if the service takes it."""
        while not self._stop.is_set():
            self._news.clear()
            if not self.send_some():
                self._news.wait(LOOK_S)
        while self.send_some():
            pass

    def stop(self) -> None:
        self._stop.set()
        self._news.set()

    def send_some(self, limit: int = 100) -> int:
        """How many were sent; what a service refuses or cannot take now waits and is tried again."""
        waiting = [(each, Post.from_json(each.body)) for each in self._outbox.receive(OUTBOX, limit)]
        waiting.sort(key=_target)
        sent = sum(self._send(target, list(group)) for target, group in groupby(waiting, key=_target))
        if sent:
            self._on_sent()
        return sent

    def _send(self, target: str, group: Sequence[Waiting]) -> int:
        kept: set[int] = set()
        try:
            self._queues.send(target, [Message(body=post.body) for _, post in group])
        except NoSuchQueue:
            pass  # its job is over and nobody waits; if somebody does, the ledger's open rows are sent anew
        except NotSent as error:
            kept = set(error.refused)
        except Recoverable:
            kept = set(range(len(group)))
        trip("relay.after_send")
        for position in kept:
            self._outbox.give_back([group[position][0]], _pause_s(group[position][0].received))
        self._outbox.acknowledge([each for position, (each, _) in enumerate(group) if position not in kept])
        return len(group) - len(kept)


def _target(waiting: Waiting) -> str:
    return waiting[1].queue


def _pause_s(received: int) -> int:
    return min((1 << min(received, 10)) - 1, LONGEST_PAUSE_S)
