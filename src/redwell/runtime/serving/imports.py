"""Imports, cancelling and retrying as users of the server ask for them: rows are written here, a worker works."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from redwell.core.errors import Forbidden, UserError
from redwell.core.ids import uuid7
from redwell.core.jobs.job import Job, NewJob
from redwell.core.loadfiles.volume_document import Told
from redwell.core.names import display, quoted, unquoted
from redwell.core.work.records import Selection
from redwell.core.work.renderers import Goal
from redwell.ports.case_reader import CaseReader
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.loadfiles.importing import told_of
from redwell.runtime.loadfiles.looking import volume_at
from redwell.runtime.loadfiles.tracker import earlier_import
from redwell.runtime.loadfiles.volume import only_folder
from redwell.runtime.serving.volume_look import Look, look_at
from redwell.runtime.upkeep import batches, rendering, retry
from redwell.runtime.upkeep.cancel import cancel as cancel_batch

_PASSWORDS = "passwords"  # the folder in the home
# settings that whoever begins an import at the page or by the API may choose for it
OPTIONS = frozenset(
    "ocr ocr_inline ocr_languages ocr_second pdf pages embedded_images include exclude include_types exclude_types"
    " modified_from modified_to min_file_kb max_file_kb loadfile_text".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewImport:
    sources: Sequence[str] = ()
    custodian: str | None = None
    type: str = "files"
    priority: int = 50
    passwords: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)  # settings of this import, of those in OPTIONS
    mapping: Mapping[str, str] = field(default_factory=dict)  # of a volume: its columns, and the field that each is


class Imports:
    def __init__(self, home: Path, settings: Settings) -> None:
        self._home, self._settings = home, settings

    def make_case(self, name: str) -> None:
        with open_case(self._home, name, self._settings, create=True):
            pass

    def begin(self, case: str, new: NewImport) -> int:
        self._check_reach(new.sources)
        checked = batches.check_sources(new.sources, str(self._home), self._settings.patience)
        return self._begin(case, checked, new)

    def look_at_volume(self, source: str) -> Look:
        """What the lint finds in a volume that the server sees, and which column is which field."""
        self._check_reach([source])
        return look_at(only_folder(Path(source)))

    def begin_uploaded(self, case: str, folder: Path, new: NewImport) -> int:
        """Out of a folder of the home, which the server itself has filled."""
        return self._begin(case, [quoted(os.fsencode(folder.resolve()))], new)

    def _begin(self, case: str, sources: Sequence[str], new: NewImport) -> int:
        if unknown := set(new.options) - OPTIONS:
            raise UserError(
                f"{sorted(unknown)[0]!r} is no option of an import; these are: {', '.join(sorted(OPTIONS))}"
            )
        settings = self._settings.with_overrides(new.options)
        type_, sources, told = _volume(sources, new, settings.loadfile_text)
        with open_case(self._home, case, settings) as opened:
            if told and (batch := earlier_import(opened, sources[0], told)):
                return batch
            job = NewJob(priority=new.priority, passwords=self._kept(new.passwords))
            return batches.begin(opened, sources, type_, new.custodian, job, told)

    def cancel(self, case: str, batch: int) -> Job:
        with open_case(self._home, case, self._settings) as opened:
            return cancel_batch(opened, batch)

    def retry(self, case: str, outcome: str, passwords: Sequence[str]) -> int:
        """Contents to be read again."""
        with open_case(self._home, case, self._settings) as opened:
            self._forget_passwords(opened.rows)
            job = batches.retry_job(opened, self._kept(passwords))
            return retry.begin(opened, Selection(outcome=outcome), job).contents

    def render(self, case: str, control_number: str, goal: Goal) -> bool:
        """Whether there is something to be made of an exhibit."""
        return self.render_all(case, [control_number], goal)

    def render_all(self, case: str, control_numbers: Sequence[str], goal: Goal) -> bool:
        settings = rendering.eager_for(self._settings, [goal])
        with open_case(self._home, case, settings) as opened:
            return bool(rendering.ask(opened, control_numbers))

    def _check_reach(self, sources: Sequence[str]) -> None:
        """Where the setting names folders, nothing outside of them is read for somebody at a page."""
        allowed = [os.path.realpath(folder) for folder in self._settings.serve_sources.split(";") if folder.strip()]
        for source in sources:
            path = os.path.realpath(source)
            if not os.path.isabs(source):
                raise UserError(f"{display(source)}: name the whole path, as the server sees it")
            if allowed and not any(os.path.commonpath([path, folder]) == folder for folder in allowed):
                raise Forbidden(f"{display(source)} is not below a folder that may be imported from (serve_sources)")

    def _kept(self, words: Sequence[str]) -> str:
        """Where the worker reads them, and nobody else; the ledger knows the file alone."""
        words = [word for word in words if word and "\n" not in word]
        if not words:
            return ""
        folder = self._home / _PASSWORDS
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / f"{uuid7().hex}.txt"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write("\n".join(words) + "\n")
        return str(path)

    def _forget_passwords(self, rows: CaseReader) -> None:
        """Of this case's jobs that have ended."""
        for job in rows.jobs(every=True):
            path = Path(job.passwords) if job.passwords else None
            if job.finished_ms and path and path.parent == self._home / _PASSWORDS:
                path.unlink(missing_ok=True)


def _volume(sources: Sequence[str], new: NewImport, text: str) -> tuple[str, Sequence[str], Told | None]:
    """What is said of a volume, where the source is one; `manual` decides by looking."""
    place = os.fsdecode(unquoted(sources[0]))
    is_volume = new.type == "loadfile" or (new.type == "manual" and len(sources) == 1 and volume_at(place))
    if not is_volume:
        return new.type, sources, None
    if len(sources) > 1:
        raise UserError("one volume at a time: name its folder, or its load file")
    root, told = told_of(place, {"columns": dict(new.mapping)} if new.mapping else None, text)
    return "loadfile", [quoted(os.fsencode(root))], told
