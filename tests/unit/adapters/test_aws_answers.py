"""What AWS answers and the local server never does: entries refused, names in use, rights missing."""

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    CredentialRetrievalError,
    EndpointConnectionError,
    NoRegionError,
    ReadTimeoutError,
)

from redwell.adapters.aws.sns import SnsBus
from redwell.adapters.aws.sqs import SqsQueue, unwrapped
from redwell.core.errors import Permanent, RedwellError, ServiceUnavailable, UserError
from redwell.core.events.event import Filter
from redwell.ports.messaging.queue import Delivery, Message, NotSent, QueueSpec


class Answering:
    """A client whose calls answer as they are told and are remembered."""

    def __init__(self, **answers: Any) -> None:
        self._answers = {"get_queue_url": {"QueueUrl": "https://sqs/q"}, **answers}
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(**values: Any) -> Any:
            self.calls.append((name, values))
            answer = self._answers.get(name, {})
            answer = answer(**values) if callable(answer) else answer
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call


def refusal(code: str, status: int = 400) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, "Call")


@pytest.fixture(autouse=True)
def _somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")


def queue(**answers: Any) -> SqsQueue:
    made = SqsQueue()
    made.close()
    made._client = Answering(**answers)
    return made


def delivery(n: int) -> Delivery:
    return Delivery(queue="q", id=str(n), body="x", received=1, receipt=f"r{n}")


def test_the_messages_of_a_batch_that_were_refused_are_named() -> None:
    def answer(Entries: list[dict[str, Any]], **_: Any) -> dict[str, Any]:  # noqa: N803
        return {"Failed": [{"Id": e["Id"], "Message": "busy"} for e in Entries if e["MessageBody"] == "bad"]}

    bodies = ["good"] * 9 + ["bad"] + ["good", "bad", "good"]
    with pytest.raises(NotSent) as refused:
        queue(send_message_batch=answer).send("q", [Message(body=body) for body in bodies])
    assert refused.value.refused == {9: "busy", 11: "busy"}


def test_a_receipt_that_is_no_longer_good_is_lost_and_a_fault_of_the_service_is_recoverable() -> None:
    def failing(sender_fault: bool) -> Callable[..., Any]:
        return lambda **said: {
            "Failed": [{"Id": said["Entries"][1]["Id"], "SenderFault": sender_fault, "Message": "no"}]
        }

    held = [delivery(n) for n in range(3)]
    assert queue(delete_message_batch=failing(True)).acknowledge(held) == [held[1]]
    with pytest.raises(ServiceUnavailable):
        queue(delete_message_batch=failing(False)).acknowledge(held)


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (refusal("AWS.SimpleQueueService.QueueDeletedRecently"), ServiceUnavailable),
        (refusal("ThrottlingException"), ServiceUnavailable),
        (refusal("Whatever", 503), ServiceUnavailable),
        (refusal("AccessDenied", 403), UserError),
        (refusal("InvalidAttributeName"), Permanent),
    ],
)
def test_the_code_of_an_answer_decides_what_it_means(error: ClientError, named: type[RedwellError]) -> None:
    with pytest.raises(named):
        queue(create_queue=error).create(QueueSpec(name="q"))


def test_a_queue_that_is_there_with_other_attributes_is_brought_into_line() -> None:
    made = queue(create_queue=refusal("QueueNameExists"))
    made.create(QueueSpec(name="q", lease_s=7, tags={"job": "1"}))
    calls = dict(made._client.calls)
    assert calls["set_queue_attributes"]["Attributes"]["VisibilityTimeout"] == "7"
    assert calls["tag_queue"]["Tags"] == {"job": "1"}


def test_a_subscription_that_is_there_with_another_filter_gets_the_new_one() -> None:
    """AWS refuses to subscribe again with another filter; the local server keeps the old one in silence."""

    def subscribe(Attributes: dict[str, str], **_: Any) -> Any:  # noqa: N803
        return refusal("InvalidParameter") if Attributes else {"SubscriptionArn": "arn:sub"}

    bus = SnsBus.__new__(SnsBus)
    bus._client, bus._topic = Answering(subscribe=subscribe), "arn:topic"
    bus._queues = queue(get_queue_attributes={"Attributes": {"QueueArn": "arn:q"}})
    assert bus.subscribe("q", Filter(case_ids=frozenset({7}))) == "arn:sub"
    name, values = bus._client.calls[-1]
    assert name == "set_subscription_attributes"
    assert values["AttributeValue"] == '{"caseId":[{"numeric":["=",7]}]}'


@pytest.mark.requirement("D9")
@pytest.mark.parametrize(
    ("body", "inside"),
    [
        ('{"Type":"Notification","TopicArn":"arn:t","Message":"{\\"a\\":1}","MessageId":"x"}', '{"a":1}'),
        ('{"Type":"Notification","Message":"no topic"}', '{"Type":"Notification","Message":"no topic"}'),
        ("plain", "plain"),
        ("[1]", "[1]"),
    ],
)
def test_a_notification_is_unwrapped_and_nothing_else(body: str, inside: str) -> None:
    assert unwrapped(body) == inside


OUTAGES = (
    EndpointConnectionError(endpoint_url="https://sqs"),  # the connection is refused
    ConnectTimeoutError(endpoint_url="https://sqs"),
    ReadTimeoutError(endpoint_url="https://sqs"),
    CredentialRetrievalError(provider="the machine's role", error_msg="away"),
)


@pytest.mark.parametrize("error", OUTAGES, ids=lambda error: type(error).__name__)
def test_a_service_that_is_away_is_waited_for(error: BotoCoreError) -> None:
    with pytest.raises(ServiceUnavailable, match="cannot be reached or went away"):
        queue(receive_message=error).receive("q")


def test_a_setting_that_is_missing_is_for_a_person_to_mend() -> None:
    with pytest.raises(UserError, match=r"docs/aws\.md"):
        queue(receive_message=NoRegionError()).receive("q")
