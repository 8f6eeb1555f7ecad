"""Looks through a volume for what was hidden in it, before it is let go. Called by `production write`."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from redwell.core.case.rows import Exhibit
from redwell.core.production.leak_finder import Finder, Words, folded_words
from redwell.core.production.leaks import Secret, secrets_of
from redwell.core.production.redactions import by_page, hidden_words
from redwell.core.production.values import Member
from redwell.ports.materials import Materials
from redwell.ports.printing import Printing
from redwell.produce.inner_search import InnerSearch
from redwell.produce.journal import MemberOut
from redwell.produce.leak_verdict import Leak
from redwell.produce.volume_writing import Plan, Rows

Told = Iterable[tuple[Member, Exhibit, dict[str, str]]]


class LeakSearch:
    def __init__(self, plan: Plan, rows: Rows, materials: Materials, volume: Path) -> None:
        self._plan, self._rows, self._materials, self._volume = plan, rows, materials, volume
        self.unknown: list[str] = []  # pages with a box, of whose words nobody knows the places
        self.closed: list[str] = []  # files around redacted documents that nobody could look into
        self._hidden: dict[int, set[str]] = {}  # all words that are, by exhibit
        self._secrets: dict[Words, list[Secret]] = {}
        for secret in self._secrets_of_boxes():
            self._secrets.setdefault(secret.words, []).append(secret)
        self._finder = Finder(self._secrets)
        self._members = {member.exhibit: member for member in plan.members}

    def found(self, told: Told, done: dict[int, MemberOut], printing: Printing) -> list[Leak]:
        """Those in the document itself and its family first; each once."""
        leaks = dict[Leak, None]()
        for member in self._plan.redacted:
            for word in self._really_read(member, done[member.ordinal]):
                leaks[Leak(self._number(member), "page image", word, member.control, True)] = None
        if self._finder:
            for member, place, words in (*self._in_texts(told, done), *self._inside(done, printing)):
                leaks.update(dict.fromkeys(self._leaks(member, place, words)))
        return sorted(leaks, key=lambda leak: (not leak.is_sure, not leak.is_in_family, leak))

    def says(self, text: str) -> bool:
        """Whether hidden words stand in something that is told beside the documents."""
        return bool(self._finder.found_in(text))

    def _in_texts(self, told: Told, done: dict[int, MemberOut]) -> Iterator[tuple[Member, str, Words]]:
        for member, exhibit, fields in told:
            for place, text in self._texts(member, exhibit, fields, done[member.ordinal]):
                for words in self._finder.found_in(text):
                    yield member, place, words

    def _inside(self, done: dict[int, MemberOut], printing: Printing) -> Iterator[tuple[Member, str, Words]]:
        search = InnerSearch(self._plan, self._volume, list(self._secrets))
        yield from search.found(done, printing)
        self.closed += search.closed

    def _leaks(self, member: Member, place: str, words: Words) -> Iterator[Leak]:
        for secret in self._secrets[words]:
            owner = self._members[secret.exhibit]
            is_near = owner.family == member.family
            if is_near or not secret.is_hint:
                yield Leak(self._number(member), place, str(secret), owner.control, is_near, secret.is_hint)

    def _secrets_of_boxes(self) -> set[Secret]:
        secrets = set[Secret]()
        for member in self._plan.redacted:
            [exhibit] = self._rows([member.exhibit])
            words = self._materials.words(exhibit)
            for page, boxes in by_page(self._plan.redactions[member.exhibit]).items():
                if page not in words:
                    self.unknown.append(f"{member.control} page {page}")
                    continue
                runs = list(hidden_words(words[page], boxes))
                secrets |= secrets_of(member.exhibit, runs)
                plain = {lone for run in runs for word in run for lone in folded_words(word.text)}
                self._hidden.setdefault(member.exhibit, set()).update(plain)
        return secrets

    def _really_read(self, member: Member, done: MemberOut) -> Iterator[str]:
        """Recognition misreads labels: what stood there is known of most pages, and tells the one from the other."""
        is_known = not any(page.startswith(f"{member.control} ") for page in self.unknown)
        hidden = self._hidden.get(member.exhibit, set())
        return (word for word in done.still_read if not is_known or hidden & set(folded_words(word)))

    def _texts(
        self, member: Member, exhibit: Exhibit, fields: dict[str, str], done: MemberOut
    ) -> Iterator[tuple[str, str]]:
        """Whatever of it is or becomes words: its text, its fields, and what a native says, if it goes out."""
        yield "load file", "\n".join(fields.values())
        if done.text:
            yield done.text.path, (self._volume / done.text.path).read_text("utf-8", "replace")
        if done.native:
            told = "\n".join(f"{name} {value}" for name, value in exhibit.metadata.items())
            yield done.native.path, f"{self._materials.text(exhibit)}\n{told}\n{exhibit.name}"

    def _number(self, member: Member) -> str:
        return str(self._plan.production.terms.number(member.first))
