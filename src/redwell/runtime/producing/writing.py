"""`production write`: the volume, read back and looked through, gets its name when all of it is in order.

Everything is written below a folder `NAME.part`. Killed anywhere, the same command goes on; what has the name is whole.
"""

import csv
import io
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from redwell.core.case.rows import Exhibit
from redwell.core.case.timezone import zone
from redwell.core.errors import UserError
from redwell.core.production import privilege_log
from redwell.core.production.columns import Circumstances
from redwell.core.production.conflicts import Conflict
from redwell.core.production.cover_report import Account, in_words, sections
from redwell.core.production.values import Member, Production
from redwell.core.production.volume_options import VolumeOptions, as_csv
from redwell.ports.materials import Materials
from redwell.ports.printing import Printing
from redwell.ports.productions import ProductionStore
from redwell.produce.journal import Journal, MemberOut
from redwell.produce.leak_search import LeakSearch
from redwell.produce.leak_verdict import Leak, why_not
from redwell.produce.load_files import LoadFiles, gaps
from redwell.produce.out_folder import OutFolder, Written, hash_of, manifest_of
from redwell.produce.recognising import Recognising
from redwell.produce.volume_writing import Plan, VolumeWriter
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.slip_sheets import produced_sheet, report_pages
from redwell.runtime.loadfiles.linting import VolumeLint
from redwell.runtime.loadfiles.opened import Given
from redwell.runtime.producing.begun_volume import JOURNAL, begun, is_unrecorded, recorded
from redwell.runtime.producing.chosen import exhibits_of
from redwell.runtime.producing.released import MANIFEST, Released, released_before

_LIBRARIES = ("redwell", "pillow", "pypdfium2", "pikepdf", "img2pdf", "typst")
_OF_DOCUMENTS = frozenset({"page-count-range", "page-number-broken"})  # pages have no numbers then
_MEANT = frozenset({"date-order-assumed"})  # the layout says in which order dates are written
# what a value of the evidence may be in truth: it goes out as it is, and the report says so
_OF_EVIDENCE = frozenset({"date-implausible", "encoding-misread", "control-character", "value-too-long"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    production: Production
    options: VolumeOptions
    target: Path
    who: str
    accepted: Sequence[Conflict] = ()
    confirm_elsewhere: bool = False
    closed: Collection[int] = ()  # exhibits whose own bytes stay here besides those that hide something
    tell: Callable[[int], None] = field(default=lambda _count: None)


def write_production(
    case: Case, store: ProductionStore, materials: Materials, printing: Printing, request: Request
) -> Released:
    key = request.production.id
    members = list(store.members(key))
    is_fixed = request.production.is_fixed
    redactions = store.fix(key, request.who) if is_fixed else store.redactions([each.exhibit for each in members])
    plan = Plan(
        production=request.production,
        members=members,
        redactions=redactions,
        options=request.options,
        closed_too=request.closed,
    )
    if is_unrecorded(request.target, plan):
        released = released_before(request.target, len(members))
    else:
        with begun(request.target, plan) as out:
            released = _Release(case, plan, materials, out, request)(printing)
            if store.fix(key, request.who) != redactions:
                raise UserError("redactions of its documents have changed meanwhile: look at them, then write it again")
    store.written(request.production.id, released.manifest, request.who)
    recorded(request.target)
    return released


class _Release:
    def __init__(self, case: Case, plan: Plan, materials: Materials, out: OutFolder, request: Request) -> None:
        self._case, self._plan, self._materials, self._out, self._request = case, plan, materials, out, request
        self._volume = out.root / plan.options.volume
        self._search = LeakSearch(plan, self._rows, materials, self._volume)

    def __call__(self, printing: Printing) -> Released:
        done = self._written(printing)
        info = self._case.rows.info()
        about = Circumstances(
            terms=self._plan.production.terms,
            layout=self._plan.options.layout,
            volume=self._plan.options.volume,
            zone=zone(info.timezone),
            zone_name=info.timezone,
        )
        tables = LoadFiles(self._plan, self._rows, about, done)
        self._drop_tables()
        files = [*tables.write(self._out), *self._of_documents(done)]
        self._read_back(files)
        lint = self._linted()
        elsewhere = self._looked_through(tables, done, printing)
        files += self._beside(self._account(tables, done, files, lint, elsewhere), tables)
        manifest = manifest_of(files)
        made = self._out.put(MANIFEST, [manifest])
        return Released(
            folder=str(self._request.target),
            manifest=made.sha256,
            documents=len(self._plan.members),
            files=len(files) + 1,
            bytes=sum(each.size for each in files),
            problems=_problems(self._plan.members, done),
            elsewhere=elsewhere,
        )

    def _rows(self, keys: Sequence[int]) -> Iterator[Exhibit]:
        return exhibits_of(self._case.rows, keys)

    def _written(self, printing: Printing) -> dict[int, MemberOut]:
        writer = VolumeWriter(self._plan, self._rows, self._materials, self._out, produced_sheet)
        journal = Journal(self._out.root / JOURNAL)
        try:
            writer.write(journal, printing, self._request.tell)
            Recognising(self._plan, writer, self._volume).read(journal, printing)
        finally:
            journal.close()
        return journal.done

    def _drop_tables(self) -> None:
        """Those of a run before this one may be of another text; they are made of what is there, at once."""
        shutil.rmtree(self._volume / self._plan.options.layout.folders[0], ignore_errors=True)
        for name in ("REPORT.txt", "REPORT.pdf", "PRIVILEGE_LOG.csv", MANIFEST):
            (self._out.root / name).unlink(missing_ok=True)

    def _of_documents(self, done: dict[int, MemberOut]) -> list[Written]:
        volume = self._plan.options.volume
        return [
            Written(f"{volume}/{file.path}", file.sha256, file.size) for each in done.values() for file in each.files
        ]

    def _read_back(self, files: Sequence[Written]) -> None:
        for each in files:
            if hash_of(self._out.root / each.path) != each.sha256:
                raise UserError(f"{self._out.root / each.path} is not as it was written: remove {self._out.root}")

    def _linted(self) -> str:
        """Each pair of a record file and a page file by itself: others say the same again."""
        folder = self._volume / self._plan.options.layout.folders[0]
        found, data = sorted(folder.iterdir()), f"{folder.name}/"  # load files do not name each other
        records = [path for path in found if path.suffix in (".dat", ".csv", ".xml")]
        pages = [path for path in found if path.suffix in (".opt", ".lfp")]
        kinds = {suffix: [path for path in records if path.suffix == suffix] for suffix in (".dat", ".csv", ".xml")}
        sets = [[*some, *pages[:1]] for some in kinds.values() if some]
        sets += [[*sets[0][:1], page] for page in pages[1:] if sets]
        meant = _MEANT | (_OF_DOCUMENTS if self._plan.production.terms.by == "document" else frozenset())
        evidence = set[tuple[str, int, str]]()
        for finding in (finding for files in sets for finding in VolumeLint(files, self._signs(files[0]))):
            if finding.code in meant or (finding.code == "file-unnamed" and finding.file.startswith(data)):
                continue
            if finding.code not in _OF_EVIDENCE:
                place = f"{finding.file} row {finding.row}: {finding.rule.words} {finding.value} {finding.detail}"
                raise UserError(f"the volume does not read back as it should ({place}); it was not released")
            evidence.add((finding.rule.words, finding.row, finding.value))
        return f"nothing found in {' and '.join(path.suffix[1:].upper() for path in found)}{_as_it_came(evidence)}"

    def _signs(self, table: Path) -> Given:
        """As it was written: a receiver is told so, and need not find out."""
        layout = self._plan.options.layout
        dialect = (as_csv(layout) if table.suffix == ".csv" else layout).dialect
        return Given(separator=dialect.separator, qualifier=dialect.qualifier, header=True)

    def _looked_through(self, tables: LoadFiles, done: dict[int, MemberOut], printing: Printing) -> list[Leak]:
        leaks = self._search.found(tables.fields(), done, printing)
        if why := why_not(leaks, self._search.closed, self._request.confirm_elsewhere):
            raise UserError(why)
        return leaks

    def _account(
        self, tables: LoadFiles, done: dict[int, MemberOut], files: list[Written], lint: str, elsewhere: list[Leak]
    ) -> Account:
        plan, terms = self._plan, self._plan.production.terms
        kinds = Counter({"page images": 0, "natives": 0, "texts": 0})
        for each in done.values():
            kinds.update({"page images": len(each.pages), "natives": bool(each.native), "texts": bool(each.text)})
        custodians = Counter(exhibit.custodian or "" for _, exhibit, _ in tables.fields())
        return Account(
            case=self._case.name,
            production=plan.production,
            volume=plan.options.volume,
            preset=plan.options.preset,
            treatments=dict(Counter(str(member.treatment) for member in plan.members)),
            custodians=dict(sorted(custodians.items())),
            families=len({member.family for member in plan.members}),
            files=kinds,
            bytes=sum(each.size for each in files),
            redacted=len(plan.redacted),
            boxes=sum(len(plan.redactions[member.exhibit]) for member in plan.redacted),
            gaps=[f"{terms.number(a)} - {terms.number(b)}" for a, b in gaps(plan.members, terms.by == "page")],
            changed=len(tables.changed),
            problems=_problems(plan.members, done),
            accepted=[f"{each.control}: {each.rule.meaning}" for each in self._request.accepted],
            elsewhere=len(elsewhere),
            unknown=self._search.unknown,
            closed=self._search.closed,
            is_hidden=self._search.says,
            lint=lint,
            versions={name: version(name) for name in _LIBRARIES},
        )

    def _beside(self, account: Account, tables: LoadFiles) -> list[Written]:
        """The report, and the log of what is withheld or redacted, if anything is."""
        told = [(section.title, section.lines) for section in sections(account)]
        made = [
            self._out.put("REPORT.txt", [in_words(account).encode()]),
            self._out.put("REPORT.pdf", [report_pages(f"Production {account.production.name}", told)]),
        ]
        buffer = io.StringIO()
        table = csv.DictWriter(buffer, privilege_log.COLUMNS)
        table.writeheader()
        terms, pairs = self._plan.production.terms, ((member, exhibit) for member, exhibit, _ in tables.fields())
        rows = list(privilege_log.rows(terms, pairs, self._plan.redactions, self._search.says))
        table.writerows(rows)
        return [*made, self._out.put("PRIVILEGE_LOG.csv", [buffer.getvalue().encode()])] if rows else made


def _problems(members: Sequence[Member], done: dict[int, MemberOut]) -> list[str]:
    return [f"{member.control}: {problem}" for member in members for problem in done[member.ordinal].problems]


def _as_it_came(evidence: Iterable[tuple[str, int, str]]) -> str:
    counts = Counter(words for words, _, _ in evidence)
    return "".join(f"; as the evidence has it: {words} ({count:,})" for words, count in sorted(counts.items()))
