"""What the server keeps open: the home's people, and each case that somebody has looked at. One for the process."""

import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from redwell.core.access.rights import Principal, Right
from redwell.core.case.rows import CaseInfo
from redwell.core.errors import NotFound
from redwell.core.review.values import Action, Entry
from redwell.ports.accounts import Accounts, Credentials
from redwell.ports.productions import ProductionStore
from redwell.ports.review import ReviewStore
from redwell.ports.sources import SourceStore
from redwell.ports.understanding import UnderstandingStore
from redwell.ports.viewing.view import View
from redwell.review.access import Access, no_such_case
from redwell.runtime.bootstrap.cases.case_places import CasePlace, CasePlaces
from redwell.runtime.bootstrap.open_accounts import open_people
from redwell.runtime.bootstrap.open_productions import open_productions
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.bootstrap.open_review import open_review
from redwell.runtime.bootstrap.open_understanding import open_source_store, open_understanding_store
from redwell.runtime.bootstrap.open_uploads import open_uploads
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.serving.drawn_view import DrawnView
from redwell.runtime.serving.gathered_entries import GatheredEntries
from redwell.runtime.serving.page_drawer import PageDrawer
from redwell.runtime.serving.recent_people import RECENT_S, Recent, Telling
from redwell.runtime.serving.recently_used import RecentlyUsed
from redwell.runtime.serving.uploads import sweep
from redwell.runtime.serving.volumes_out import VolumesOut

# of what people's stores are asked: the rest changes something
_LOOKS = frozenset(
    "find get all role roles members claimed check_password link session token tokens signing_key".split()
)
ONE_LOOK_S = 60.0
PLACES_S = 1.0  # how old a list of cases may be


@dataclass(frozen=True, slots=True)
class ServedCase:
    reader: Reader
    review: ReviewStore
    understanding: UnderstandingStore
    productions: ProductionStore
    sources: SourceStore
    drawer: PageDrawer

    @property
    def view(self) -> View:
        """Pages that were made, and those that are drawn as somebody looks."""
        reader = self.reader
        if not self.drawer.is_on:
            return reader.view
        return DrawnView(reader.view, reader.rows, lambda: reader.blobs, self.drawer)

    @property
    def name(self) -> str:
        return self.reader.name

    @property
    def number(self) -> int:
        return self.reader.number

    def info(self) -> CaseInfo:
        return self.reader.rows.info()

    def close(self) -> None:
        self.drawer.close()
        self.reader.close()  # before the stores: who closes a file last puts it in order
        self.review.close()
        self.understanding.close()
        self.productions.close()
        self.sources.close()


class ServedHome:
    def __init__(self, home: Path, settings: Settings, assignments: tuple[str, ...] = ()) -> None:
        """`assignments`: KEY=VALUE, which processes that are begun for the server are told, too."""
        self.home, self.settings = home, settings
        self.volumes_out = VolumesOut(home, assignments)
        self._opened = ExitStack()
        people = self._opened.enter_context(open_people(home, settings))
        self.principals, self.rights = Recent[Principal](RECENT_S), Recent[frozenset[Right]](RECENT_S)
        self.accounts: Accounts = Telling(people.accounts, _LOOKS, self.forget_people)
        self.credentials: Credentials = Telling(people.credentials, _LOOKS, self.forget_people)
        self.access = Access(self.accounts)
        self._looks = Recent[bool](ONE_LOOK_S)
        self.signing_key = self.credentials.signing_key()
        self._cases = RecentlyUsed[ServedCase](settings.open_cases, ServedCase.close)
        self._places: tuple[float, dict[int, CasePlace]] = (0.0, {})
        self._lock = threading.RLock()
        self._entries = GatheredEntries(lambda case: self.case(case).review)
        self.uploads = open_uploads(home, settings)

    def forget_people(self) -> None:
        """Something about them has changed."""
        self.principals.clear()
        self.rights.clear()

    def rights_of(self, who: Principal, case: int) -> frozenset[Right]:
        known = self.rights.get((who, case))
        return known if known is not None else self.rights.put((who, case), self.access.rights(who, case))

    def places(self) -> dict[int, CasePlace]:
        """Every case there is, by number."""
        with self._lock:
            if time.monotonic() - self._places[0] > PLACES_S:
                with closing(CasePlaces(self.home, self.settings)) as places:
                    self._places = (time.monotonic(), {place.number: place for place in places.all()})
            return self._places[1]

    def forget_places(self) -> None:
        """A case was made just now."""
        with self._lock:
            self._places = (0.0, {})

    def case(self, number: int) -> ServedCase:
        """Kept open. NotFound where there is none; UserError where another release made it."""
        with self._lock:
            place = self.places().get(number)
            if place is None:
                self._cases.drop(number)  # it was deleted
                raise no_such_case()
            if (found := self._cases.get(number)) and found.name == place.name:
                return found
            self._cases.drop(number)  # it was renamed
            reader = Reader(place, self.settings)
            try:
                if not reader.rows.is_made():
                    raise NotFound("the case is being made; try again in a moment")
                reader.rows.info()
                opened = ServedCase(
                    reader,
                    open_review(place, self.settings),
                    open_understanding_store(place, self.settings),
                    open_productions(place, self.settings),
                    open_source_store(place, self.settings),
                    PageDrawer(self.settings),
                )
            except BaseException:
                reader.close()
                raise
            return self._cases.put(number, opened)

    def sweep_uploads(self) -> None:
        """Those whose import has read all, and those that nobody went on with."""
        sweep(self.uploads, self._is_finished)

    def _is_finished(self, case: int, batch: int) -> bool:
        rows = self.case(case).reader.rows.batches()
        return any(row.id == batch and row.finished_ms is not None for row in rows)

    def note(self, case: int, entry: Entry) -> None:
        """Into the case's audit log, within a second."""
        self._entries.add(case, entry)

    def viewed(self, case: int, who: str, exhibit: int) -> None:
        """Somebody who goes through its pages looks at it once, not once a page."""
        if self._looks.get((case, who, exhibit)):
            return
        self._looks.put((case, who, exhibit), True)
        at_ms = time.time_ns() // 1_000_000
        self.note(case, Entry(who=who, action=Action.VIEWED, exhibit=exhibit, at_ms=at_ms))

    def flush(self) -> None:
        self._entries.flush()

    def close(self) -> None:
        self._entries.close()
        with self._lock:
            self._cases.close()
        self._opened.close()
