"""Events through Amazon SNS to queues in SQS, filtered on the way. Used by every publisher of a cluster."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from botocore.exceptions import ClientError

from redwell.adapters.aws.clients import batches, client, code_of, named_failures
from redwell.adapters.aws.sqs import SqsQueue
from redwell.core.events.event import Event, Filter
from redwell.core.events.joined import joined
from redwell.core.patience import USUAL, Patience
from redwell.ports.messaging.queue import Message, NotSent, require_sendable

_FIELDS = {"eventType": "event_types", "caseId": "case_ids", "batchId": "batch_ids"}
FILTER_S = 60  # that a filter is known for; a changed one may take a quarter of an hour to hold anyway


class SnsBus:
    """Keeps the promises of `ports.messaging.bus.Bus`; safe to use from several threads."""

    def __init__(self, topic: str, queues: SqsQueue, together: int = 1, patience: Patience = USUAL) -> None:
        self._client = client("sns", patience)
        self._queues, self._together = queues, together
        self._filters: dict[str, tuple[Filter, float]] = {}  # by reference, with when it was asked for
        with named_failures(f"topic {topic}"):
            self._topic = self._client.create_topic(Name=topic)["TopicArn"]

    def publish(self, events: Sequence[Event]) -> None:
        refused: dict[int, str] = {}
        messages = list(joined(events, self._together))
        require_sendable([Message(body=each.body) for each in messages])
        with named_failures("the bus"):
            for group in batches(messages, lambda each: len(each.body.encode())):
                entries = [
                    {"Id": str(n), "Message": each.body, "MessageAttributes": _attributes(each.first)}
                    for n, each in group
                ]
                answer = self._client.publish_batch(TopicArn=self._topic, PublishBatchRequestEntries=entries)
                for each in answer.get("Failed", ()):
                    positions = messages[int(each["Id"])].positions
                    refused |= dict.fromkeys(positions, str(each.get("Message")))
        if refused:
            raise NotSent(refused)

    def subscribe(self, queue: str, wanted: Filter) -> str:
        address = self._queues.address(queue)
        self._queues.allow(queue, _may_send(self._topic, address))
        policy = _policy(wanted)
        with named_failures(f"subscription of {queue}"):
            reference = self._reference(address, policy)
            self._client.set_subscription_attributes(
                SubscriptionArn=reference, AttributeName="FilterPolicy", AttributeValue=policy
            )
            return reference

    def _reference(self, address: str, policy: str) -> str:
        """With its filter from the first moment on, if the subscription is new."""
        try:
            return self._subscribed(address, FilterPolicy=policy)
        except ClientError as error:
            if code_of(error) not in {"InvalidParameter", "InvalidParameterException"}:
                raise
        return self._subscribed(address)  # it is there with another filter

    def _subscribed(self, address: str, **attributes: str) -> str:
        answer = self._client.subscribe(
            TopicArn=self._topic, Protocol="sqs", Endpoint=address, Attributes=attributes, ReturnSubscriptionArn=True
        )
        return str(answer["SubscriptionArn"])

    def unsubscribe(self, queue: str) -> None:
        with named_failures(f"subscription of {queue}"):
            for name, reference in list(self._references()):
                if name == queue:
                    self._client.unsubscribe(SubscriptionArn=reference)

    def wanted(self) -> Filter | None:
        """A call for each subscription that is new, or was not asked for its filter for a while."""
        with named_failures("the bus"):
            now = time.monotonic()
            known = {
                reference: self._filters[reference]
                if reference in self._filters and now - self._filters[reference][1] < FILTER_S
                else (self._filter(reference), now)
                for _, reference in self._references()
            }
        self._filters = known
        return Filter.covering(wanted for wanted, _ in known.values())

    def subscriptions(self) -> Mapping[str, Filter]:
        with named_failures("the bus"):
            return {name: self._filter(reference) for name, reference in self._references()}

    def _references(self) -> Iterator[tuple[str, str]]:
        """Without those that nobody has confirmed: they get nothing."""
        pages = self._client.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=self._topic)
        for page in pages:
            for each in page["Subscriptions"]:
                if each["SubscriptionArn"].startswith("arn:"):
                    yield each["Endpoint"].rpartition(":")[2], each["SubscriptionArn"]

    def _filter(self, reference: str) -> Filter:
        """One that is gone meanwhile, or has rules of another kind, is taken to let all through."""
        try:
            said = self._client.get_subscription_attributes(SubscriptionArn=reference)["Attributes"]
        except ClientError as error:
            if code_of(error) not in {"NotFound", "NotFoundException"}:
                raise
            return Filter()
        if said.get("FilterPolicyScope") == "MessageBody":
            return Filter()
        policy = msgspec.json.decode(said.get("FilterPolicy") or "{}")
        return Filter(**{own: _values(policy.get(name, ())) for name, own in _FIELDS.items()})

    def close(self) -> None:
        self._client.close()


def _attributes(event: Event) -> dict[str, Any]:
    numbers = {"caseId": event.case_id, "batchId": event.batch_id}
    return {
        "eventType": {"DataType": "String", "StringValue": event.event_type},
        **{n: {"DataType": "Number", "StringValue": str(v)} for n, v in numbers.items() if v is not None},
    }


def _policy(wanted: Filter) -> str:
    """Sorted: the same filter must be the same text, or it counts as another one."""
    rules: dict[str, list[Any]] = {
        "eventType": sorted(wanted.event_types),
        "caseId": [{"numeric": ["=", case]} for case in sorted(wanted.case_ids)],
        "batchId": [{"numeric": ["=", batch]} for batch in sorted(wanted.batch_ids)],
    }
    return msgspec.json.encode({name: rule for name, rule in rules.items() if rule}).decode()


def _values(rules: Sequence[Any]) -> frozenset[Any]:
    """What they let through; empty, which is all, where one is of a kind that is not used here."""
    values = [_value(rule) for rule in rules]
    return frozenset() if None in values else frozenset(values)


def _value(rule: Any) -> Any:
    match rule:
        case {"numeric": ["=", value]}:
            return value
        case str() | int():
            return rule
    return None


def _may_send(topic: str, queue: str) -> dict[str, Any]:
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "sns.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": queue,
        "Condition": {"ArnEquals": {"aws:SourceArn": topic}},
    }
    return {"Version": "2012-10-17", "Statement": [statement]}
