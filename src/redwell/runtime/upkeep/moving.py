"""`redwell case export|import|move`: a case between homes and kinds of storage, compared at both ends.

Whatever is stopped is gone on with by the same command. Only `move` deletes what it leaves, and that last of all.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from redwell.core.command_lines import command_line
from redwell.core.errors import Permanent, UserError
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.cases.case_places import CasePlace, CasePlaces
from redwell.runtime.bootstrap.cases.case_removal import place_of_case
from redwell.runtime.bootstrap.cases.case_transfer import Origin, bring, export_to, exported, origin_in, target_in
from redwell.runtime.bootstrap.cases.transfer_notes import (
    begin_incoming,
    end_incoming,
    incoming_of,
    manifest_of,
    write_manifest,
)
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_reader import Reader, checked_name
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.monitor.run_facts import maker
from redwell.runtime.upkeep import cases
from redwell.runtime.upkeep.reindex import reindex
from redwell.runtime.upkeep.verify import verify

Tell = Callable[[int], None]
Account = dict[str, Any]
_MOVING = "{} (moving)"  # the name in the home that it does not leave


def export_case(home: Path, settings: Settings, name: str, out: Path, tell: Tell) -> Account:
    """All rows and bytes of a case in a folder of its own, which is a case of the embedded kind."""
    place = _at_rest(home, settings, name)
    assert place.folder is not None
    if out.exists() and any(out.iterdir()) and not (incoming_of(out) or manifest_of(out)):
        raise UserError(f"{out} is not empty: name a new folder, or one that an export to it has begun")
    with origin_in(place.folder, settings) as origin:
        info = origin.info()
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        begin_incoming(out, info["uid"])
        with export_to(out, info, settings) as target:
            digest = bring(origin, target, tell)
    told = {"case": name, "uid": info["uid"], "digest": digest, **maker()}
    write_manifest(out, told)
    end_incoming(out)
    return {**_counted(digest), "case": name, "folder": str(out)}


def import_case(home: Path, settings: Settings, folder: Path, name: str | None, tell: Tell) -> Account:
    """An exported case becomes one of this home, in the kinds of storage that its settings name."""
    told = manifest_of(folder)
    if told is None:
        raise UserError(f"{folder} is no exported case, or its export was not finished: export it again")
    with exported(folder) as origin:
        if origin.digest() != told["digest"]:
            raise Permanent(f"{folder} is not what was exported: rows were changed or are missing; export it again")
        return _arrive(home, settings, checked_name(name or told["case"]), origin, tell)


def move_case(home: Path, settings: Settings, name: str, to: "Destination", tell: Tell) -> Account:
    """The same case in another home, or in other kinds of storage; then the old one goes."""
    other, wanted = to
    same_home = other.resolve() == home.resolve()
    arriving = _MOVING.format(name) if same_home else name
    if not (same_home and _is_moved(home, settings, name, arriving)):
        place = _at_rest(home, settings, name)
        assert place.folder is not None
        with origin_in(place.folder, settings) as origin:
            account = _arrive(other, wanted, arriving, origin, tell)
        gone = cases.delete(home, settings, name)
        if gone["left"]:
            raise Permanent(f"it has arrived; of the old one is left: {'; '.join(gone['left'])}: once more")
    else:
        account = {}
    if same_home:
        cases.rename(other, wanted, arriving, name)
    return {**account, "case": name, "home": str(other)}


Destination = tuple[Path, Settings]


def _is_moved(home: Path, settings: Settings, name: str, arriving: str) -> bool:
    """A move that was stopped between its last two steps."""
    with closing(CasePlaces(home, settings)) as places:
        there = {place.name: place for place in places.all()}
    return name not in there and arriving in there


def _arrive(home: Path, settings: Settings, name: str, origin: Origin, tell: Tell) -> Account:
    uid = origin.info()["uid"]
    with closing(CasePlaces(home, settings)) as places:
        there = next((place for place in places.all() if place.name == name), None)
    if there and not (there.folder and incoming_of(there.folder) == uid):
        raise UserError(f"there is a case {name!r} in {home} already: name another with --as")
    with closing(Cases(home, settings)) as known:
        folder = known.make_for(name, uid)
    with target_in(folder, settings) as target:
        digest = bring(origin, target, tell)
    end_incoming(folder)
    with open_case(home, name, settings) as case:
        reindex(case, lambda _: None)
        wrong = [f"{each.subject}: {each.detail}" for each in verify(case)]
        if case.is_shared:
            case.announce()
        number = case.number
    if wrong:
        raise Permanent(f"case {name!r} has arrived, and {command_line('verify', name)} finds: {'; '.join(wrong[:5])}")
    return {**_counted(digest), "case": name, "number": number, "folder": str(folder)}


def _counted(digest: dict[str, list[Any]]) -> Account:
    return {"contents": digest["blob"][0], "exhibits": digest["exhibit"][0], "rows": sum(n for n, _ in digest.values())}


def _at_rest(home: Path, settings: Settings, name: str) -> CasePlace:
    """Nobody works on it, and nothing of it is open: what is half done does not travel."""
    place = place_of_case(home, settings, checked_name(name))
    cases.require_free(place, settings)
    with Reader(place, settings) as reader:
        reader.rows.info()
        if waiting := [str(row.id) for row in reader.rows.batches() if row.finished_ms is None]:
            raise UserError(
                f"batch {', '.join(waiting)} of case {name!r} is not finished: {command_line('resume', name)} first"
            )
    return place
