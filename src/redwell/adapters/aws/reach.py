"""Whether services of AWS answer, without making anything there. Asked by `redwell doctor`."""

from redwell.adapters.aws.clients import client, named_failures
from redwell.core.patience import Patience


def queues_answer(patience: Patience) -> None:
    with named_failures("SQS"):
        client("sqs", patience).list_queues(MaxResults=1)


def topics_answer(patience: Patience) -> None:
    with named_failures("SNS"):
        client("sns", patience).list_topics()


def tables_answer(patience: Patience) -> None:
    with named_failures("DynamoDB"):
        client("dynamodb", patience).list_tables(Limit=1)
