"""Where the webhook says something, what, and with which signature."""

import pytest

from redwell.core.errors import UserError
from redwell.core.events.event import Event, EventType
from redwell.core.events.webhooks import STATUSES, Address, signature, status_of

pytestmark = pytest.mark.requirement("A14")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://host", "https://host/batches/update/3"),
        ("https://host/", "https://host/batches/update/3"),
        ("https://host:8443/api/v2/", "https://host:8443/api/v2/batches/update/3"),
        ("https://host/cases/{case}", "https://host/cases/7/batches/update/3"),
        ("https://host/cases/{case}/batches/{batch}", "https://host/cases/7/batches/3"),
        ("https://host/hook?batch={batch}&case={case}", "https://host/hook?batch=3&case=7"),
    ],
)
def test_a14_the_url_may_name_case_and_batch_and_has_the_usual_path_where_it_names_no_batch(
    url: str, told: str
) -> None:
    assert Address.of(url).url(7, 3) == told


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host",
        "host/path",
        "https://",
        "https://host/#part",
        "https://host/{job}",
        "https://{case}.host/{batch}",
        "https://me:hush@host/",
        "https://host/hook?key=1",
    ],
)
def test_a_url_that_is_no_good_is_refused_with_words(url: str) -> None:
    with pytest.raises(UserError, match="setting webhook"):
        Address.of(url)


def test_a14_one_bad_document_is_no_failure_of_its_batch() -> None:
    assert EventType.ERROR not in STATUSES
    assert status_of(Event(event_type=EventType.JOB_FINISHED, case_id=1)) == "extractor_complete"
    assert status_of(Event(event_type=EventType.JOB_FINISHED, case_id=1, status="ERROR")) == "failed"


def test_a14_the_signature_is_that_of_method_path_and_date() -> None:
    """Worked out by openssl."""
    told = signature("hush", "POST", "/api/batches/update/1", "2026-11-17T10:00:00+00:00", "sha256")
    assert told == "ETPL4JrfJxpYZEsa5L+KXmPhuRnlhjG/EHuk7vTeHp4="
