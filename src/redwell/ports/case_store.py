"""All that a worker may ask of the rows of one case, by role. A stage is given the roles it needs."""

from typing import Protocol

from redwell.ports.jobs import Jobs, Workers
from redwell.ports.ledger import Batches, Claims, Results, Retries, Sources
from redwell.ports.load_queue import LoadQueue
from redwell.ports.loaders import Loaders
from redwell.ports.neighbours import Neighbours
from redwell.ports.viewing.uploaders import Uploaders


class CaseStore(
    Batches, Sources, Claims, Results, Retries, Jobs, Workers, Loaders, Uploaders, LoadQueue, Neighbours, Protocol
):
    def close(self) -> None: ...
