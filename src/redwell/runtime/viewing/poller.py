"""A task of an uploader: takes one document at a time from its queue and hands the PDF to the viewing engine.

Runs in a thread of whoever conducts the uploader, or as a process of its own (polling). What becomes of a message is
decided by the class of the error (SPEC E2, E4); what was handed over is a row, so a message that comes twice
changes nothing.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO

from redwell.core.case.rendition_states import RenditionState, rendition_states
from redwell.core.case.rows import Exhibit
from redwell.core.errors import Permanent, Recoverable
from redwell.core.events.event import Event, EventType
from redwell.core.events.joined import events_in
from redwell.core.jobs.queue_names import uploader_not_yet
from redwell.core.viewing.file_ids import MOST_EXHIBITS, FileId
from redwell.core.viewing.uploader_life import UploaderLife
from redwell.core.work.kinds import TaskType
from redwell.core.work.renderers import Goal, goal_of, is_rendition
from redwell.ports.messaging.queue import Delivery, Message, NoSuchQueue, Queue
from redwell.ports.viewing.uploader_compute import ComputeSpec
from redwell.ports.viewing.viewing_engine import EngineUnavailable, FlattenTimedOut, Pdf, ViewingEngine
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.delivery.task_queues import again_s, scale
from redwell.runtime.upkeep import rendering

WAIT_S = 1
LEASE_S = 30  # made longer while a document takes longer; after a kill another task has it then
PAUSE_S = 1.0
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Poller:
    """`link` makes an address at which the engine finds a file; empty: it is sent the bytes."""

    case: Case
    queue: Queue
    engine: ViewingEngine
    link: Callable[[str], str] = lambda _: ""
    wait_s: int = WAIT_S

    def __call__(self, spec: ComputeSpec, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                for each in self.queue.receive(spec.queue, 1, self.wait_s):
                    self.take(each, spec.batch)
            except NoSuchQueue:
                return
            except Recoverable as error:
                log.warning("the uploader of batch %s waits: %s", spec.batch, error)
                stop.wait(PAUSE_S)

    def take(self, each: Delivery, batch: int) -> None:
        try:
            event, *others = events_in(each.body)
        except Permanent as error:
            self._come_again(each, 0.0, f"a message that no uploader can take: {error}", None)
            return
        if others:
            self._part(each, [event, *others])
            return
        try:
            with self._held(each):
                self._hand_over(event, each.queue)
        except FlattenTimedOut as error:
            self._tell(event, str(error))
        except EngineUnavailable as error:
            self._come_again(each, error.after_s, str(error), event)
            return
        except Exception as error:  # whatever it is, it costs one document a receipt and not the task its life
            log.exception("the uploader failed of a document")
            self._tell(event, f"{type(error).__name__}: {error}")
            self._come_again(each, 0.0, str(error), None)
            return
        self.queue.acknowledge([each])

    def _part(self, each: Delivery, events: Sequence[Event]) -> None:
        """Each document is tried, waits and is given up by itself, and counts in the queue's depth (SPEC E6)."""
        self.queue.send(each.queue, [Message(body=event.to_json()) for event in events])
        self.queue.acknowledge([each])

    @contextmanager
    def _held(self, each: Delivery) -> Iterator[None]:
        over = threading.Event()
        thread = threading.Thread(target=self._extend, args=(each, over), name="uploader's lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _extend(self, each: Delivery, over: threading.Event) -> None:
        while not over.wait(LEASE_S / 4):
            with suppress(Recoverable, NoSuchQueue):  # a lease that is lost is no harm: what was handed over is a row
                self.queue.extend([each], LEASE_S)

    def _hand_over(self, event: Event, queue: str) -> None:
        if event.event_type == EventType.RENDITION_ADDED and not _is_of_pdf(event):
            return
        if event.document_id is None or not event.exhibit_ids:
            return
        document, batch = uuid.UUID(event.document_id).bytes, event.batch_id or 0
        if self.case.store.is_uploaded(batch, document):
            return
        found = self.case.rows.some(event.exhibit_ids[:MOST_EXHIBITS])
        exhibits = [each for each in found.values() if each.document == document]
        content = next(filter(None, (self._pdf(each) for each in exhibits)), None)
        if content is None:
            self._not_yet(event, queue, exhibits)
            return
        keys = tuple(sorted(each.id for each in exhibits))
        file = str(FileId(self.case.number, batch, document.hex(), keys))
        self.engine.flatten(self.engine.load(file, Pdf(open=content, link=self.link(file))))
        self.case.store.add_uploaded(batch, document, keys, file)

    def _pdf(self, exhibit: Exhibit) -> Callable[[], BinaryIO] | None:
        place = rendering.place_of(self.case.rows, exhibit, "pdf")
        return (lambda: self.case.blobs.open(place.sha256, place.location)) if place else None

    def _not_yet(self, event: Event, queue: str, exhibits: list[Exhibit]) -> None:
        """Lazy PDFs are told of when they are made. After the job's end none comes any more."""
        batch = event.batch_id or 0
        states = {self._state(each, batch) for each in exhibits}
        if states <= {RenditionState.LAZY.value}:
            return
        if self._life(batch).is_draining:
            log.info("batch %s: no PDF of document %s, it is left out", batch, event.document_id)
            return
        later = Message(body=event.to_json(), delay_s=int(self.case.settings.not_yet_s * scale(self.case)))
        self.queue.send(uploader_not_yet(queue), [later])

    def _state(self, exhibit: Exhibit, batch: int) -> str:
        settings = next(row.settings for row in self.case.rows.batches() if row.id == batch)
        parts = self.case.rows.parts([exhibit.id]).get(exhibit.id, [])
        return rendition_states(parts, settings)[Goal.PDF]

    def _life(self, batch: int) -> UploaderLife:
        return self.case.store.uploaders().get(batch, UploaderLife())

    def _come_again(self, each: Delivery, after_s: float, why: str, event: Event | None) -> None:
        """The queue makes a dead letter of what came too often; that it will is told with the last receipt."""
        most = self.case.settings.uploader_receives
        log.warning("queue %s: %s (receipt %s of %s)", each.queue, why, each.received, most)
        if each.received >= most and event:
            self._tell(event, f"given up after {most} tries: {why}")
        delay_s = max(again_s(self.case, each.received), after_s)
        self.queue.give_back([each], 0 if each.received >= most else int(delay_s))

    def _tell(self, event: Event, why: str) -> None:
        about = {"what": "the PDF was not handed to the viewing engine", "reason": why}
        self.case.store.warn_of_uploader(event.batch_id or 0, event.exhibit_ids, about)


def _is_of_pdf(event: Event) -> bool:
    task = str(event.event_detail.get("task", ""))
    return is_rendition(task) and goal_of(TaskType(task)) is Goal.PDF
