"""The name that a case's index is asked by, and the index behind it: made, swapped, seen to be of other rules.

`{environment}_{case}_exhibits` is an alias, so that an index can be made anew beside the one that is searched. The
index behind it is named by the rules for words and the layout it was made with.
"""

from importlib import resources

from redwell.adapters.opensearch.client import Client
from redwell.adapters.opensearch.documents import LAYOUT
from redwell.core.ids import uuid7
from redwell.core.search.words import VERSION

_EXHIBITS, _VOLUMES = "exhibits.yaml", "deposition_volumes.yaml"


class CaseAlias:
    def __init__(self, client: Client, environment: str, case: str) -> None:
        self._client = client
        self.routing = case
        self.name = f"{environment}_{case}_exhibits".lower()
        self._of_today = f"{self.name}-v{VERSION}-{LAYOUT}-"

    def index(self) -> str | None:
        """What is searched now; None where there is none yet."""
        found = self._client.ask("GET", f"/_alias/{self.name}", missing_ok=True)
        return next(iter(found), None) if found else None

    def is_of_today(self, index: str) -> bool:
        return index.startswith(self._of_today)

    def made(self) -> str:
        """A new empty index that nobody searches yet."""
        index = self._of_today + uuid7().hex
        self._client.make(f"/{index}", _mapping(_EXHIBITS))
        self._client.make(f"/{index}/_mapping", _mapping(_VOLUMES))
        return index

    def point_at(self, index: str) -> None:
        """From now on this one is searched, in one step; those of before are taken away."""
        others = [name for name in self._client.ask("GET", f"/{self.name}-*", missing_ok=True) or {} if name != index]
        add = {"add": {"index": index, "alias": self.name, "routing": self.routing}}
        self._client.ask(
            "POST", "/_aliases", {"actions": [add, *({"remove_index": {"index": name}} for name in others)]}
        )

    def remove(self) -> None:
        for name in self._client.ask("GET", f"/{self.name}-*", missing_ok=True) or {}:
            self._client.ask("DELETE", f"/{name}", missing_ok=True)


def _mapping(name: str) -> bytes:
    return resources.files("redwell.adapters.opensearch").joinpath("mappings", name).read_bytes()
