"""Made-up mails for the load: what batches of them bring, and what must be known of copies and threads in the end.

The same mail comes in several files that differ in a line, to several custodians, with or without a Message-ID; texts
hold each other. What is expected is said as plainly as can be, of the rows as they stand in the case.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from tests.support.ledger_model import stored

from redwell.core.blobs import Stored
from redwell.core.case.rows import Exhibit

TEXTS = ("one", "One, two", "three", "one two - three", "four")
SOURCE = "/evidence/"


@dataclass(frozen=True)
class Mail:
    says: int  # which mail it is: its date, subject and text
    answers: int | None = None
    is_named: bool = True  # has a Message-ID
    files: tuple[int, ...] = ()  # what is attached
    came: int = 0  # by another way: the same mail in other bytes

    @property
    def bytes(self) -> Stored:
        return stored(repr(self))

    @property
    def text(self) -> str:
        return TEXTS[self.says]

    @property
    def metadata(self) -> dict[str, str]:
        told = {"date": f"2024-05-0{self.says + 1}T09:30:00Z", "from": "ann@example.com", "subject": f"{self.says}"}
        told |= {"message_id": f"<{self.says}@example.com>"} if self.is_named else {}
        return told | ({} if self.answers is None else {"in_reply_to": f"<{self.answers}@example.com>"})

    @property
    def recipe(self) -> tuple[int, int]:
        """All that is attached has one name and one size."""
        return self.says, len(self.files)

    @property
    def ties(self) -> set[int]:
        return ({self.says} if self.is_named else set()) | ({self.answers} - {None})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Batch:
    custodian: str
    mails: tuple[Mail, ...]


@dataclass(frozen=True)
class MailWorld:
    """Batches of one wave run beside each other; the next wave begins when they have ended."""

    scope: str
    waves: tuple[tuple[Batch, ...], ...]

    def of_content(self) -> dict[bytes, Mail]:
        return {mail.bytes.digests.sha256: mail for wave in self.waves for batch in wave for mail in batch.mails}


def attachment(number: int) -> Stored:
    return stored(f"file {number}")


class Expected:
    """By the rows of a case that has all of it: id, family, batch, path, ordinal and bytes are taken from them."""

    def __init__(self, world: MailWorld, batches: Sequence[Sequence[int]], rows: Sequence[Exhibit]) -> None:
        """`batches` are the numbers of each wave's."""
        self._mails, self._scope = world.of_content(), world.scope
        self._wave = {number: at for at, wave in enumerate(batches) for number in wave}
        self._heads = sorted((row for row in rows if row.family == row.id), key=lambda row: row.control_number)
        self._members = [row for row in rows if row.family != row.id]
        known = {row.custodian: row.batch for row in sorted(rows, key=lambda row: row.batch, reverse=True)}
        self._rank = {row.id: (known[row.custodian], row.batch, row.path, row.ordinal, row.id) for row in rows}

    def mail(self, head: Exhibit) -> Mail:
        return self._mails[head.sha256 or b""]

    def groups(self) -> Iterator[tuple[Exhibit, list[Exhibit]]]:
        """The one in front, and all of them: the least of the first wave that brought any."""
        found: dict[tuple[object, ...], list[Exhibit]] = {}
        for head in self._heads if self._scope != "none" else ():
            mine = (head.custodian,) if self._scope == "custodian" else ()
            found.setdefault((*self.mail(head).recipe, *mine), []).append(head)
        for group in found.values():
            yield min(group, key=lambda row: (self._wave[row.batch], self._rank[row.id])), group

    def originals(self) -> dict[int, int]:
        told = {row.id: front.id for front, group in self.groups() for row in group if row.id != front.id}
        for row in self._members:
            if row.family in told:
                same = [each for each in self._members if each.family == told[row.family] and each.sha256 == row.sha256]
                told[row.id] = min(same, key=lambda each: each.ordinal).id if same else told[row.family]
        return told

    def held(self) -> dict[int, tuple[list[str], list[str]]]:
        """Custodians and paths of those in front."""
        return {
            front.id: (sorted({row.custodian or "" for row in group}), sorted(row.path for row in group))
            for front, group in self.groups()
        }

    def threads(self) -> dict[int, str]:
        """What hangs together, by the lowest number in it."""
        return {row.id: thread[0].control_number for thread in self._threads() for row in thread}

    def inclusive(self) -> set[int]:
        return {row.id for thread in self._threads() for row in thread if self._is_to_be_read(row, thread)}

    def _threads(self) -> list[list[Exhibit]]:
        threads: list[tuple[set[int], list[Exhibit]]] = []
        for head in self._heads:
            ties, members = set(self.mail(head).ties), [head]
            for other in [each for each in threads if each[0] & ties]:
                threads.remove(other)
                ties, members = ties | other[0], members + other[1]
            threads.append((ties, sorted(members, key=lambda row: row.control_number)))
        return [members for _, members in threads]

    def _is_to_be_read(self, row: Exhibit, thread: Iterable[Exhibit]) -> bool:
        mine = _letters(self.mail(row))
        others = [(_letters(self.mail(each)), each) for each in thread if each.id != row.id]
        within = any(
            mine in text and (mine != text or each.control_number < row.control_number) for text, each in others
        )
        return bool(self.mail(row).files) or not within


def _letters(mail: Mail) -> str:
    return "".join(filter(str.isalnum, mail.text)).lower()


_numbers = st.integers(0, len(TEXTS) - 1)
_mails = st.builds(
    Mail,
    says=_numbers,
    answers=st.none() | _numbers,
    is_named=st.booleans(),
    files=st.lists(st.integers(0, 2), max_size=2).map(tuple),
    came=st.integers(0, 2),
)
_batches = st.builds(Batch, custodian=st.sampled_from(["Ann", "Bob"]), mails=st.lists(_mails, max_size=4).map(tuple))
mail_worlds = st.builds(
    MailWorld,
    scope=st.sampled_from(["global", "global", "custodian", "none"]),
    waves=st.lists(st.lists(_batches, min_size=1, max_size=3).map(tuple), min_size=1, max_size=2).map(tuple),
)
