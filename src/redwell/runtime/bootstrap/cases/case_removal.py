"""Takes a case away, or gives it another name, wherever its parts lie. Part of bootstrap's joining.

Every step may be done again, and none stops the next: what could not be taken away is named, and the case stays
listed until nothing is left of it.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from redwell.adapters.sql.tables import case_info
from redwell.core.errors import NotFound, RedwellError, UserError
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.cases.case_notes import note_name
from redwell.runtime.bootstrap.cases.case_places import CasePlace, CasePlaces, size_of
from redwell.runtime.bootstrap.open_accounts import open_people
from redwell.runtime.bootstrap.open_index import is_shared
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.services.open_services import open_services
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import s3_adapter

Step = Callable[[], Any]


def place_of_case(home: Path, settings: Settings, name: str) -> CasePlace:
    with closing(CasePlaces(home, settings)) as places:
        return places.find(name)


class Removal:
    def __init__(self, home: Path, settings: Settings, place: CasePlace, uid: str) -> None:
        self._home, self._settings, self._place, self._uid = home, settings, place, uid

    def run(self, queues: list[str]) -> tuple[dict[str, Any], list[str]]:
        """What each step took away, and what could not be."""
        gone, left = dict[str, Any](), list[str]()
        for name, step in self._steps(queues):
            try:
                gone[name] = step()
            except (RedwellError, OSError) as error:
                left.append(f"{name}: {error}")
        return gone, left

    def _steps(self, queues: list[str]) -> Iterator[tuple[str, Step]]:
        """The folder, which says where the others are, goes last."""
        place = self._place
        if queues:
            yield "queues", lambda: self._delete_queues(queues)
        if is_shared(self._settings) and self._uid:
            yield "index", self._forget_index
        if place.blobs:
            yield "objects", self._delete_objects
        if place.note:
            yield "schema", self._drop_schema
        if place.is_shared:
            yield "directory", self._leave_directory
        yield "members", self._forget_members
        yield "events", lambda: _removed(self._home / "monitor" / "statuses" / f"caseid={place.number}")
        yield "folder", lambda: _removed(place.folder)

    def close(self, account: dict[str, Any]) -> None:
        """Nothing is left: the home forgets it, but for what was told."""
        with closing(Cases(self._home, self._settings)) as cases:
            cases.forget(self._place.number, self._place.name, json.dumps(account))

    def _delete_queues(self, names: list[str]) -> list[str]:
        with open_services(self._home, self._settings) as services:
            for name in names:
                services.bus.unsubscribe(name)
                services.queue.delete(name)
                services.heard.delete(name)
        return names

    def _forget_index(self) -> str:
        from redwell.adapters.opensearch.case_alias import CaseAlias
        from redwell.adapters.opensearch.client import Client

        with closing(Client(self._settings.opensearch)) as client:
            alias = CaseAlias(client, self._settings.name_prefix, self._uid.replace("-", ""))
            alias.remove()
        return alias.name

    def _delete_objects(self) -> dict[str, Any]:
        objects, count, size = s3_adapter("objects").Objects(self._place.blobs, self._settings.patience), 0, 0
        for key, length in list(objects.names("")):
            objects.delete(key)
            count, size = count + 1, size + length
        return {"url": self._place.blobs, "objects": count, "bytes": size}

    def _drop_schema(self) -> str:
        assert self._place.note and self._place.folder
        with closing(open_ledger(self._place.folder, self._settings)) as database:
            database.remove()  # type: ignore[attr-defined]  # a schema's alone
        return self._place.note.schema

    def _leave_directory(self) -> bool:
        with closing(Cases(self._home, self._settings)) as cases:
            cases.leave_directory(self._uid)
        return True

    def _forget_members(self) -> int:
        try:
            people = open_people(self._home, self._settings)
        except UserError:  # the review page was never installed here
            return 0
        with people:
            members = people.accounts.members(self._place.number)
            for account, _ in members:
                people.accounts.set_role(account.id, self._place.number, None)
        return len(members)


def _removed(folder: Path | None) -> dict[str, Any] | None:
    if folder is None or not folder.exists():
        return None
    files, size = size_of(folder)
    shutil.rmtree(folder)
    return {"path": str(folder), "files": files, "bytes": size}


def rename(home: Path, settings: Settings, place: CasePlace, new: str) -> None:
    """First where the case itself has its name, last where it is looked for: a kill leaves the old one."""
    if place.folder is None or not place.folder.is_dir():
        raise NotFound(f"the folder of case {place.name!r} is gone; it can't be renamed")
    with closing(open_ledger(place.folder, settings)) as database:
        database.write(lambda tx: tx.execute(case_info.update().where(case_info.c.key == "name").values(value=new)))
    if place.note:
        note_name(place.folder, place.note, new)
    with closing(Cases(home, settings)) as cases:
        cases.rename(place.number, place.note.uid if place.is_shared and place.note else "", new)


def removed_cases(home: Path, settings: Settings) -> list[dict[str, Any]]:
    with closing(Cases(home, settings)) as cases:
        return [json.loads(account) for account in cases.removed()]
