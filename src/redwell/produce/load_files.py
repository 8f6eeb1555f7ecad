"""Writes the load files of a volume, when all its documents are there. Called by `production write`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from redwell.core.case.rows import Exhibit
from redwell.core.loadfiles.formats import edrm, lfp, opticon
from redwell.core.loadfiles.formats.edrm import EdrmDocument
from redwell.core.loadfiles.formats.writing import Changed
from redwell.core.loadfiles.pages import Boundary, Page
from redwell.core.loadfiles.presets import Layout
from redwell.core.production.columns import Circumstances, columns_of, fields_of, header_of, numbers_of
from redwell.core.production.values import Member, page_numbers
from redwell.core.production.volume_options import VolumeOptions, as_csv
from redwell.produce.journal import MemberOut
from redwell.produce.out_folder import OutFolder, Written
from redwell.produce.volume_writing import Plan, Rows

_CHUNK = 500
_TYPES = {"image/tiff": "2", "image/jpeg": "4", "application/pdf": "6"}


class LoadFiles:
    def __init__(self, plan: Plan, rows: Rows, about: Circumstances, done: Mapping[int, MemberOut]) -> None:
        self._plan, self._rows, self._about, self._done = plan, rows, about, done
        self._numbers = numbers_of(plan.production.terms, plan.members)
        self._redacted = {member.exhibit for member in plan.redacted}
        self.changed: list[Changed] = []  # values that could not be written as they are

    def write(self, out: OutFolder) -> list[Written]:
        options = self._plan.options
        folder = f"{options.volume}/{options.layout.folders[0]}"
        writers: dict[str, Callable[[], Iterator[tuple[str, Iterator[bytes]]]]] = {
            "dat": lambda: self._tables(options.layout, "dat"),
            "csv": lambda: self._tables(as_csv(options.layout), "csv"),
            "opt": lambda: iter([("opt", self._page_rows(opticon.write_page))]),
            "lfp": lambda: iter([("lfp", self._page_rows(lfp.write_page, names_each_page=True))]),
            "edrm": lambda: iter([("xml", self._edrm())]),
        }
        return [
            out.put(f"{folder}/{options.volume}{suffix if suffix[0] == '_' else '.' + suffix}", parts)
            for name in options.formats
            for suffix, parts in writers[name]()
        ]

    def fields(self) -> Iterator[tuple[Member, Exhibit, dict[str, str]]]:
        """Every document with all that is told of it, but for paths."""
        following = iter(self._plan.members)
        while chunk := list(islice(following, _CHUNK)):
            exhibits = {each.id: each for each in self._rows([member.exhibit for member in chunk])}
            for member in chunk:
                exhibit = exhibits[member.exhibit]
                told = self._numbers[member.exhibit]
                is_redacted = member.exhibit in self._redacted
                yield member, exhibit, fields_of(member, exhibit, self._about, told, is_redacted=is_redacted)

    def _with_paths(self, layout: Layout) -> Iterator[tuple[Member, dict[str, str]]]:
        for member, _, fields in self.fields():
            done = self._done[member.ordinal]
            files = {"textpath": done.text, "nativepath": done.native}
            if self._plan.options.images == "pdf":
                files["imagepath"] = done.pages[0]
            paths = {name: layout.path(*file.path.split("/")) for name, file in files.items() if file}
            yield member, {**fields, **paths}

    def _tables(self, layout: Layout, ending: str) -> Iterator[tuple[str, Iterator[bytes]]]:
        """One, or as many as have at most so many records each."""
        most = layout.records_per_file or len(self._plan.members)
        records = self._with_paths(layout)
        for part in range(-(-len(self._plan.members) // most)):
            name = ending if most >= len(self._plan.members) else f"_{part + 1:03d}.{ending}"
            yield name, self._table(layout, islice(records, most))

    def _table(self, layout: Layout, records: Iterator[tuple[Member, dict[str, str]]]) -> Iterator[bytes]:
        options = self._plan.options
        columns, writer = columns_of(layout, options.images), layout.writer()
        yield writer.row(header_of(columns, layout, options.preset))
        for _, fields in records:
            yield writer.row([fields.get(column, "") for column in columns])
        self.changed += writer.changed

    def _page_rows(self, write: Callable[[Page], str], *, names_each_page: bool = False) -> Iterator[bytes]:
        """With `names_each_page` a file of several pages has a row for each of them."""
        layout = self._plan.options.layout
        for member in self._plan.members:
            for page in self._pages(member, layout, self._plan.options):
                if names_each_page and self._plan.options.images == "pdf" and member.pages > 1:
                    yield from (write(each).encode("utf-8") for each in self._each_page(page, member))
                    continue
                yield write(page).encode(layout.encoding if layout.encoding == "cp1252" else "utf-8")

    def _pages(self, member: Member, layout: Layout, options: VolumeOptions) -> Iterator[Page]:
        first = Boundary.CHILD if member.parent is not None else Boundary.DOCUMENT
        done, numbers = self._done[member.ordinal], page_numbers(self._plan.production.terms, member)
        for at, file in enumerate(done.pages):
            yield Page(
                key=numbers[at],
                path=layout.path(*file.path.split("/")),
                volume=options.volume if layout.volume_column else "",
                boundary=first if at == 0 else Boundary.PAGE,
                count=member.pages,
                type=_TYPES.get(file.media_type, "2"),
            )

    def _each_page(self, whole: Page, member: Member) -> Iterator[Page]:
        for at, number in enumerate(page_numbers(self._plan.production.terms, member)):
            yield replace(whole, key=number, offset=at + 1, boundary=whole.boundary if at == 0 else Boundary.PAGE)

    def _edrm(self) -> Iterator[bytes]:
        documents = (
            EdrmDocument(
                id=fields["docid"],
                parent=fields["parentid"],
                fields={name: value for name, value in fields.items() if value and name not in ("docid", "parentid")},
            )
            for _, fields in self._with_paths(self._plan.options.layout)
        )
        return (part.encode() for part in edrm.write_documents(documents))


def gaps(members: Sequence[Member], by_page: bool) -> list[tuple[int, int]]:
    """Numbers between the first and the last that no document has."""
    found, expected = [], None
    for member in members:
        if expected is not None and member.first != expected:
            found.append((expected, member.first - 1))
        expected = member.first + (member.pages if by_page else 1)
    return found
