"""Sends what waits in a case's outbox. For workers, which post nothing yet; any number may run at once.

A post goes out after the rows it follows from and is removed after it was taken; a crash in between sends it twice,
which every receiver stands.
"""

from collections.abc import Sequence
from itertools import groupby

from redwell.adapters.sql.outbox import OUTBOX
from redwell.core.errors import Recoverable
from redwell.core.posts import Post
from redwell.ports.bus import Bus
from redwell.ports.queue import Delivery, Message, NoSuchQueue, NotSent, Queue

LONGEST_PAUSE_S = 60
Waiting = tuple[Delivery, Post]


class Relay:
    def __init__(self, outbox: Queue, queues: Queue, bus: Bus) -> None:
        self._outbox, self._queues, self._bus = outbox, queues, bus

    def send_some(self, limit: int = 100, wait_s: int = 0) -> int:
        """How many were sent; what a service refuses or cannot take now waits and is tried again."""
        waiting = [(each, Post.from_json(each.body)) for each in self._outbox.receive(OUTBOX, limit, wait_s)]
        waiting.sort(key=_target)
        return sum(self._send(target, list(group)) for target, group in groupby(waiting, key=_target))

    def _send(self, target: str, group: Sequence[Waiting]) -> int:
        kept: set[int] = set()
        try:
            self._hand_over(target, [post for _, post in group])
        except NoSuchQueue:
            pass  # its job is over and nobody waits; if somebody does, the ledger's open rows are sent anew
        except NotSent as error:
            kept = set(error.refused)
        except Recoverable:
            kept = set(range(len(group)))
        for position in kept:
            self._outbox.give_back([group[position][0]], _pause_s(group[position][0].received))
        self._outbox.acknowledge([each for position, (each, _) in enumerate(group) if position not in kept])
        return len(group) - len(kept)

    def _hand_over(self, target: str, posts: Sequence[Post]) -> None:
        if target:
            self._queues.send(target, [Message(body=post.body) for post in posts])
        else:
            self._bus.publish([post.event for post in posts if post.event])


def _target(waiting: Waiting) -> str:
    return waiting[1].queue


def _pause_s(received: int) -> int:
    return min((1 << min(received, 10)) - 1, LONGEST_PAUSE_S)
