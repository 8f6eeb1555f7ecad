"""Single pages of PDFs, drawn when somebody looks at them: by children that wait for it, beside the server.

One for each case that is open. Pages that a worker makes go through the ledger, in ranges; who opens a document of ten
thousand pages wants one of them, at once. Nothing of it is kept but in memory.
"""

import logging
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO, NamedTuple

from redwell.core.errors import RedwellError
from redwell.core.work.kinds import Profile
from redwell.core.work.renderers import ONE_PAGE
from redwell.ports.printing import Asked, MadeFile, Printing
from redwell.processing.children.limits import ChildConfig, LaneLimits
from redwell.processing.children.pool import Pool
from redwell.runtime.bootstrap.child_profiles import parsers
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.producing.child_printing import ChildPrinting

_log = logging.getLogger(__name__)
CHILDREN = 2
WALL_S = 20.0  # for one page; what takes longer is the worker's
KEPT_BYTES = 48 << 20  # of drawn pages
KEPT_FILES = 4  # PDFs that lie where the children may read
_MODULES = ("redwell.handlers.render.one_page",)


class Sheet(NamedTuple):
    """A page of a PDF that somebody wants to see."""

    sha256: bytes
    page: int


Opened = Callable[[], BinaryIO]  # the PDF's bytes
Drawn = dict[str, MadeFile]  # by kind; empty where the page could not be drawn
_Order = tuple[Sheet, Opened, "Future[Drawn]"]


class PageDrawer:
    """Safe to use from several threads; the children belong to one of its own, which begins when it is needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self.is_on = settings, settings.pages != "none"
        self._orders = SimpleQueue[_Order | None]()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._drawn: OrderedDict[Sheet, Future[Drawn]] = OrderedDict()
        self._files: OrderedDict[bytes, Path] = OrderedDict()
        self._is_closed = False

    def warm(self) -> None:
        """Somebody will ask soon: a child is started."""
        with self._lock:
            if self._thread is None and self.is_on and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="page-drawer", daemon=True)
                self._thread.start()

    def page(self, sheet: Sheet, opened: Opened) -> Drawn:
        """Waits for it; whoever asks for the same page waits for the same one."""
        self.warm()
        with self._lock:
            if self._is_closed:
                return {}
            coming = self._drawn.get(sheet)
            if coming is None:
                coming = self._drawn[sheet] = Future()
                self._orders.put((sheet, opened, coming))
            self._drawn.move_to_end(sheet)
        try:
            return coming.result(2 * WALL_S)
        except TimeoutError:
            return {}

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            thread = self._thread
        self._orders.put(None)
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        with tempfile.TemporaryDirectory(prefix="redwell-pages-", ignore_cleanup_errors=True) as name:
            pdfs = Path(name, "pdfs")
            pdfs.mkdir()
            try:
                with Pool(_config(self._settings, pdfs, Path(name, "scratch")), CHILDREN) as pool:
                    while orders := self._next():
                        self._draw(ChildPrinting(pool), pdfs, orders)
            except RedwellError as error:  # pages come from the worker then
                _log.warning("no page can be drawn at once: %s", error)
            finally:
                self._give_up()

    def _next(self) -> list[_Order]:
        """All that wait; none: this is the end."""
        orders = [self._orders.get()]
        while not self._orders.empty():
            orders.append(self._orders.get())
        return [] if None in orders else [order for order in orders if order]

    def _draw(self, printing: Printing, pdfs: Path, orders: Sequence[_Order]) -> None:
        following = dict(enumerate(orders))
        for answer in printing.each(self._asked(pdfs, following)):
            _told(following.pop(answer.key[0])[2], {made.kind: made for made in answer.made})
        for _, _, coming in following.values():
            _told(coming, {})
        with self._lock:
            self._forget()

    def _asked(self, pdfs: Path, orders: dict[int, _Order]) -> Iterator[Asked]:
        for number, (sheet, opened, _) in list(orders.items()):
            try:
                path = self._placed(pdfs, sheet.sha256, opened)
            except (OSError, RedwellError):
                continue  # nobody can read it now: whoever asks is told so
            yield Asked(
                key=(number, 0),
                path=path,
                length=path.stat().st_size,
                engine=ONE_PAGE,
                first_page=sheet.page,
            )

    def _placed(self, pdfs: Path, sha256: bytes, opened: Opened) -> Path:
        """A copy for the children: of the case itself they may read nothing."""
        if path := self._files.get(sha256):
            self._files.move_to_end(sha256)
            return path
        path = pdfs / sha256.hex()
        with opened() as source, path.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
        self._files[sha256] = path
        return path

    def _forget(self) -> None:
        """The oldest ones; what is not drawn yet stays."""
        while len(self._files) > KEPT_FILES:
            self._files.popitem(last=False)[1].unlink(missing_ok=True)
        kept = sum(_size(coming) for coming in self._drawn.values())
        for sheet, coming in list(self._drawn.items()):
            if coming.done() and (kept > KEPT_BYTES or not coming.result()):
                kept -= _size(coming)
                del self._drawn[sheet]

    def _give_up(self) -> None:
        with self._lock:
            self._thread = None
            left = list(self._drawn.values())
            self._drawn.clear()
        for coming in left:
            _told(coming, {})


def _config(settings: Settings, pdfs: Path, scratch: Path) -> ChildConfig:
    config = parsers(settings, _MODULES, [pdfs], scratch)
    limits = LaneLimits(wall_s=WALL_S, rss_mb=settings.small_rss_mb)
    return replace(config, profile=Profile.PARSER, small=limits, large=limits)


def _told(coming: "Future[Drawn]", drawn: Drawn) -> None:
    with suppress(InvalidStateError):
        coming.set_result(drawn)


def _size(coming: "Future[Drawn]") -> int:
    return sum(len(made.data) for made in coming.result().values()) if coming.done() else 0
