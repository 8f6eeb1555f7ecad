"""Exhibits that ended, or changed since, and whose load is not complete. The one indexer takes from it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.copies import Rule, Standing
from redwell.core.case.exhibit_look import Look
from redwell.core.case.filing import Filed, Filing
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.case.rows import ToLoad
from redwell.core.case.threads import ThreadMail
from redwell.ports.ledger import KnownBlobs


class LoadQueue(KnownBlobs, Protocol):
    def load_again(self, step: Checkpoint) -> None:
        """For every exhibit that has ended, this step of its load and those behind it are to be done."""
        ...

    def begin_loading(self) -> None:
        """Whatever waits may be taken, also what a loader took that died since."""
        ...

    def take_to_load(self, limit: int) -> Sequence[ToLoad]:
        """Exhibits that nobody has taken as they are now, with their checkpoints; they wait on until `loaded`.

        Everything that is registered by then has a control number: it is issued here, and stays.
        """
        ...

    def take_these(self, exhibits: Sequence[int]) -> Sequence[ToLoad]:
        """Those of them that wait and that nobody has taken."""
        ...

    def copy_rules(self, batches: Sequence[int]) -> Mapping[int, Rule]:
        """How each of these batches looks for copies."""
        ...

    def attached(self, mails: Sequence[int]) -> Mapping[int, Sequence[tuple[str, int]]]:
        """Name and size of what is attached to each; nothing for one that has nothing."""
        ...

    def find_copies(self, keys: Mapping[int, bytes | None], chunk: Sequence[int]) -> Sequence[int]:
        """Decide which of these heads of families are copies; None: it is compared with nothing.

        Exhibits beside the chunk that is being loaded, of which something else is told now, wait for their index step
        again; they are given back, for whoever is at it (`take_these`).
        """
        ...

    def standings(self, exhibits: Sequence[int]) -> Mapping[int, Standing]:
        """Of those of them whose families have copies, or are some."""
        ...

    def find_threads(self, mails: Mapping[int, Sequence[bytes]]) -> Collection[int]:
        """Put each mail into its thread, by the keys that it shares with others; the threads that are to be judged."""
        ...

    def mails_of(self, threads: Sequence[int]) -> Sequence[ThreadMail]: ...
    def judge_threads(self, mails: Iterable[int], inclusive: Collection[int]) -> None:
        """Of the mails of some threads, those that have to be read."""
        ...

    def show(self, looks: Mapping[int, Look]) -> None:
        """From now on readers see these exhibits so."""
        ...

    def tag(self, wanted: Mapping[int, Sequence[str]]) -> None:
        """Set the tags that exhibits came with, each once; the audit log has an entry of it in the same transaction."""
        ...

    def file(
        self, filings: Sequence[Filing], chunk: Sequence[int], sources_of: Sequence[int], custodians: Sequence[str]
    ) -> Sequence[int]:
        """Put them into their folders, and members to their heads; the case knows the sources of these batches and
        these custodians then. As with `find_copies`, what else is told anew is given back."""
        ...

    def filed(self, exhibits: Sequence[int]) -> Mapping[int, Filed]: ...
    def recognised_texts(self, exhibits: Sequence[int]) -> Mapping[int, Sequence[RecognisedPage]]:
        """Page and blob of each text that was recognised in these exhibits."""
        ...

    def loaded(self, exhibits: Sequence[int]) -> None:
        """All steps of their load are done, unless they changed since they were taken."""
        ...
