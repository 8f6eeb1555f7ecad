"""What `redwell doctor` says of queues, bus, registry and search: of real servers, and of ones that are away."""

from dataclasses import replace

import pytest
from tests.support import aws

from redwell.runtime.bootstrap.services.service_reach import services_reached
from redwell.runtime.bootstrap.settings import Settings

ON_AWS = Settings(queue="sqs", bus="sns", registry="dynamodb")


def told(settings: Settings) -> dict[str, tuple[str, bool]]:
    return {what: (words, answers) for what, words, answers in services_reached(settings)}


@pytest.mark.requirement("F1")
def test_without_servers_nothing_is_asked() -> None:
    expected = {"queue": "ledger", "bus": "sql", "registry": "sql", "search": "tantivy"}
    assert told(Settings()) == {what: (words, True) for what, words in expected.items()}


@pytest.mark.requirement("F3")
def test_services_of_aws_answer_and_nothing_is_made_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    found = told(ON_AWS)
    assert [found[what] for what in ("queue", "bus", "registry")] == [
        ("sqs answers", True),
        ("sns answers", True),
        ("dynamodb answers", True),
    ]


@pytest.mark.requirement("F3")
def test_those_that_are_away_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in aws.server().environment(aws.free_port()).items():
        monkeypatch.setenv(key, value)
    found = told(replace(ON_AWS, aws_tries=1))
    assert all(found[what][0].startswith("REFUSED: ") and not found[what][1] for what in ("queue", "bus", "registry"))


@pytest.mark.requirement("F2")
def test_a_search_cluster_without_an_address_is_told_what_to_set() -> None:
    words, answers = told(Settings(search="opensearch"))["search"]
    assert not answers and "needs the setting opensearch" in words
