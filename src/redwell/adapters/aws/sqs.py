"""Queues in Amazon SQS. Used by every worker of a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from botocore.exceptions import ClientError

from redwell.adapters.aws.clients import BATCH, batches, client, code_of, named_failures
from redwell.core.errors import ServiceUnavailable
from redwell.core.jobs.queue_names import checked
from redwell.core.patience import USUAL, Patience
from redwell.ports.messaging.queue import Delivery, Depth, Message, NoSuchQueue, NotSent, QueueSpec, require_sendable

_GONE = {"NonExistentQueue", "QueueDoesNotExist"}
_EXISTS = {"QueueNameExists", "QueueAlreadyExists"}
_KEPT_S = 14 * 24 * 3600
_MOMENT_S = 30  # that dead letters are hidden from others while one looks at them or moves them
_DEPTH = {
    "waiting": "ApproximateNumberOfMessages",
    "leased": "ApproximateNumberOfMessagesNotVisible",
    "delayed": "ApproximateNumberOfMessagesDelayed",
}


class SqsQueue:
    """Keeps the promises of `ports.messaging.queue.Queue`; safe to use from several threads."""

    def __init__(self, patience: Patience = USUAL) -> None:
        self._client = client("sqs", patience)
        self._urls: dict[str, str] = {}

    def create(self, spec: QueueSpec) -> None:
        attributes = {"VisibilityTimeout": str(spec.lease_s), "MessageRetentionPeriod": str(_KEPT_S)}
        if spec.dead_letters:
            policy = {"deadLetterTargetArn": self.address(spec.dead_letters), "maxReceiveCount": spec.max_receives}
            attributes["RedrivePolicy"] = msgspec.json.encode(policy).decode()
        with named_failures(f"queue {spec.name}"):
            try:
                self._client.create_queue(QueueName=checked(spec.name), Attributes=attributes, tags=dict(spec.tags))
            except ClientError as error:
                if code_of(error) not in _EXISTS:
                    raise
                self._bring_into_line(spec, attributes)

    def _bring_into_line(self, spec: QueueSpec, attributes: Mapping[str, str]) -> None:
        url = self._url(spec.name)
        self._client.set_queue_attributes(QueueUrl=url, Attributes=attributes)
        if spec.tags:
            self._client.tag_queue(QueueUrl=url, Tags=dict(spec.tags))

    def delete(self, name: str) -> None:
        try:
            with self._using(name) as url:
                self._client.delete_queue(QueueUrl=url)
        except NoSuchQueue:
            pass
        self._urls.pop(name, None)

    def names(self, prefix: str) -> list[str]:
        with named_failures("queues"):
            pages = self._client.get_paginator("list_queues").paginate(QueueNamePrefix=prefix)
            return sorted(url.rpartition("/")[2] for page in pages for url in page.get("QueueUrls", ()))

    def tags(self, name: str) -> Mapping[str, str]:
        with self._using(name) as url:
            return dict(self._client.list_queue_tags(QueueUrl=url).get("Tags", {}))

    def address(self, name: str) -> str:
        """As other services of AWS call the queue."""
        with self._using(name) as url:
            answer = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
            return str(answer["Attributes"]["QueueArn"])

    def allow(self, name: str, policy: Mapping[str, Any]) -> None:
        with self._using(name) as url:
            text = msgspec.json.encode(policy).decode()
            self._client.set_queue_attributes(QueueUrl=url, Attributes={"Policy": text})

    def send(self, queue: str, messages: Sequence[Message]) -> None:
        require_sendable(messages)
        refused: dict[int, str] = {}
        with self._using(queue) as url:
            for group in batches(messages, lambda each: len(each.body.encode())):
                entries = [
                    {"Id": str(position), "MessageBody": each.body, "DelaySeconds": each.delay_s}
                    for position, each in group
                ]
                answer = self._client.send_message_batch(QueueUrl=url, Entries=entries)
                refused |= {int(each["Id"]): str(each.get("Message")) for each in answer.get("Failed", ())}
        if refused:
            raise NotSent(refused)

    def receive(self, queue: str, limit: int = 10, wait_s: int = 0, lease_s: int | None = None) -> list[Delivery]:
        lease = {} if lease_s is None else {"VisibilityTimeout": lease_s}
        taken: list[Delivery] = []
        with self._using(queue) as url:
            while len(taken) < limit:
                some = self._client.receive_message(
                    QueueUrl=url,
                    MaxNumberOfMessages=min(BATCH, limit - len(taken)),
                    WaitTimeSeconds=0 if taken else wait_s,
                    MessageSystemAttributeNames=["ApproximateReceiveCount"],
                    **lease,
                ).get("Messages", [])
                if not some:
                    break
                taken += [_delivery(queue, each) for each in some]
        return taken

    def extend(self, deliveries: Sequence[Delivery], lease_s: int) -> list[Delivery]:
        return self._of_holder(self._client.change_message_visibility_batch, deliveries, VisibilityTimeout=lease_s)

    def acknowledge(self, deliveries: Sequence[Delivery]) -> list[Delivery]:
        return self._of_holder(self._client.delete_message_batch, deliveries)

    def give_back(self, deliveries: Sequence[Delivery], delay_s: int = 0) -> list[Delivery]:
        return self._of_holder(self._client.change_message_visibility_batch, deliveries, VisibilityTimeout=delay_s)

    def depth(self, queue: str) -> Depth:
        with self._using(queue) as url:
            said = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=list(_DEPTH.values()))["Attributes"]
        return Depth(**{part: int(said[name]) for part, name in _DEPTH.items()})

    def peek(self, queue: str, limit: int = 100) -> list[Delivery]:
        seen = self.receive(queue, limit, lease_s=_MOMENT_S)
        self.give_back(seen)
        return seen

    def redrive(self, source: str, target: str, limit: int = 1000) -> int:
        """By hand: the service's own way takes dead letters only back to where they came from."""
        moved = 0
        while moved < limit and (some := self.receive(source, min(BATCH, limit - moved), lease_s=_MOMENT_S)):
            self.send(target, [Message(body=each.body) for each in some])
            self.acknowledge(some)
            moved += len(some)
        return moved

    def close(self) -> None:
        self._client.close()

    def _of_holder(self, call: Any, deliveries: Sequence[Delivery], **values: Any) -> list[Delivery]:
        """Returns those that the service calls the holder's own fault: the receipt is no longer good."""
        lost: list[Delivery] = []
        for _, group in _by_queue(deliveries):
            with self._using(group[0][1].queue) as url:
                entries = [{"Id": str(n), "ReceiptHandle": each.receipt, **values} for n, each in group]
                failed = call(QueueUrl=url, Entries=entries).get("Failed", ())
            if not all(each["SenderFault"] for each in failed):
                raise ServiceUnavailable(f"queue {group[0][1].queue}: {failed[0].get('Message')}")
            lost += [deliveries[int(each["Id"])] for each in failed]
        return lost

    @contextmanager
    def _using(self, name: str) -> Iterator[str]:
        with named_failures(f"queue {name}"):
            try:
                yield self._url(name)
            except ClientError as error:
                if code_of(error) not in _GONE:
                    raise
                self._urls.pop(name, None)
                raise NoSuchQueue(f"there is no queue {name}") from error

    def _url(self, name: str) -> str:
        if name not in self._urls:
            self._urls[name] = self._client.get_queue_url(QueueName=name)["QueueUrl"]
        return self._urls[name]


class _Notification(msgspec.Struct, rename="pascal"):
    """What the bus wraps an event into on its way to a queue."""

    type: str
    topic_arn: str
    message: str


def _delivery(queue: str, message: Mapping[str, Any]) -> Delivery:
    return Delivery(
        queue=queue,
        id=message["MessageId"],
        body=unwrapped(message["Body"]),
        received=int(message["Attributes"]["ApproximateReceiveCount"]),
        receipt=message["ReceiptHandle"],
    )


def unwrapped(body: str) -> str:
    """The event that a notification carries; any other body as it is."""
    try:
        return msgspec.json.decode(body, type=_Notification).message
    except msgspec.MsgspecError:
        return body


def _by_queue(deliveries: Sequence[Delivery]) -> Iterator[tuple[str, list[tuple[int, Delivery]]]]:
    """Batches for one call each, with the positions in the whole."""
    for queue in dict.fromkeys(each.queue for each in deliveries):
        of_queue = [(n, each) for n, each in enumerate(deliveries) if each.queue == queue]
        for group in batches(of_queue):
            yield queue, [pair for _, pair in group]
