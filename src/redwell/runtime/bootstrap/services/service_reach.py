"""Which services the settings name, and whether they answer: for `redwell doctor`. Part of bootstrap's joining."""

from collections.abc import Callable, Iterator

from redwell.core.errors import RedwellError, UserError
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import aws_adapter

Told = tuple[str, str, bool]  # what it is for, what is there or why not, whether it answers


def services_reached(settings: Settings) -> Iterator[Told]:
    """Nothing is made there."""
    yield _told("queue", settings.queue, "sqs", lambda: aws_adapter("reach").queues_answer(settings.patience))
    yield _told("bus", settings.bus, "sns", lambda: aws_adapter("reach").topics_answer(settings.patience))
    yield _told(
        "registry", settings.registry, "dynamodb", lambda: aws_adapter("reach").tables_answer(settings.patience)
    )
    yield _told("search", settings.search, "opensearch", lambda: _search_answers(settings))


def _told(what: str, chosen: str, elsewhere: str, ask: Callable[[], None]) -> Told:
    if chosen != elsewhere:
        return what, chosen, True
    try:
        ask()
    except RedwellError as error:
        return what, f"REFUSED: {error}", False
    return what, f"{chosen} answers", True


def _search_answers(settings: Settings) -> None:
    from redwell.adapters.opensearch.client import Client

    if not settings.opensearch:
        raise UserError("search=opensearch needs the setting opensearch, the URL of the cluster")
    cluster = Client(settings.opensearch)
    try:
        cluster.ask("GET", "/")
    finally:
        cluster.close()
