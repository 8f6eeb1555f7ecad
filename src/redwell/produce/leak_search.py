"""Looks through a volume for what was hidden in it, before it is let go. Called by `production write`."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from redwell.core.case.rows import Exhibit
from redwell.core.production.leaks import Finder, Secret, secrets_of
from redwell.core.production.redactions import by_page, hidden_words
from redwell.core.production.values import Member
from redwell.core.search.words import words_of
from redwell.ports.materials import Materials
from redwell.produce.journal import MemberOut
from redwell.produce.volume_writing import Plan, Rows


class Leak(NamedTuple):
    """Words that were hidden in one document, found in a file of another or of itself."""

    number: str  # where they are
    place: str
    words: str
    hidden_in: str
    is_in_family: bool


class LeakSearch:
    def __init__(self, plan: Plan, rows: Rows, materials: Materials, volume: Path) -> None:
        self._plan, self._rows, self._materials, self._volume = plan, rows, materials, volume
        self.unknown: list[str] = []  # pages with a box, of whose words nobody knows the places
        self._hidden: dict[int, set[str]] = {}  # all words that are, by exhibit

    def found(self, told: Iterable[tuple[Member, Exhibit, dict[str, str]]], done: dict[int, MemberOut]) -> list[Leak]:
        """Those in the document itself and its family first; each once."""
        secrets = self._secrets()
        finder = Finder(secrets)
        by_exhibit = {member.exhibit: member for member in self._plan.members}
        leaks = dict[Leak, None]()
        for member in self._plan.redacted:
            for word in self._really_read(member, done[member.ordinal]):
                leaks[Leak(self._number(member), "page image", word, member.control, True)] = None
        for member, exhibit, fields in told if finder else ():
            for place, text in self._texts(member, exhibit, fields, done[member.ordinal]):
                for secret in finder.found_in(text):
                    owner = by_exhibit[secret.exhibit]
                    is_near = owner.family == member.family
                    leaks[Leak(self._number(member), place, str(secret), owner.control, is_near)] = None
        return sorted(leaks, key=lambda leak: (not leak.is_in_family, leak))

    def _secrets(self) -> set[Secret]:
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
                plain = {lone for run in runs for word in run for lone in words_of(word.text)}
                self._hidden.setdefault(member.exhibit, set()).update(plain)
        return secrets

    def _really_read(self, member: Member, done: MemberOut) -> Iterator[str]:
        """Recognition misreads labels: what stood there is known of most pages, and tells the one from the other."""
        is_known = not any(page.startswith(f"{member.control} ") for page in self.unknown)
        hidden = self._hidden.get(member.exhibit, set())
        return (word for word in done.still_read if not is_known or hidden & set(words_of(word)))

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
