"""The client has a method for each operation of the API."""

from tools.client_calls import TARGET, written


def test_the_client_says_what_the_api_says() -> None:
    assert TARGET.read_text() == written(), "run make docs"
