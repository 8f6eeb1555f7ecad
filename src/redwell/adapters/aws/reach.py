"""Whether services of AWS answer, without making anything there. Asked by `redwell doctor`."""

from redwell.adapters.aws.clients import client, named_failures


def queues_answer() -> None:
    with named_failures("SQS"):
        client("sqs").list_queues(MaxResults=1)


def topics_answer() -> None:
    with named_failures("SNS"):
        client("sns").list_topics()


def tables_answer() -> None:
    with named_failures("DynamoDB"):
        client("dynamodb").list_tables(Limit=1)
