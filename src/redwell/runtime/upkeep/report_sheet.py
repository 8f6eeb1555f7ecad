"""The processing report (report.py) as it is laid out for people: first the whole, then each batch, then appendices."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redwell.core.command_lines import command_line
from redwell.core.report.became import IN_WORDS, Became
from redwell.core.report.sheet import Block, Line, Pairs, Section, Sheet, Table
from redwell.core.report.sizes import in_words
from redwell.runtime.upkeep.report_runs import defaults_of, history, settings_of

_COLUMNS = {
    "Documents": (Became.DOCUMENT,),
    "Duplicates": (Became.DUPLICATE,),
    "Containers": (Became.CONTAINER,),
    "Exceptions": (Became.EXCEPTION,),
    "Left out": (Became.KNOWN, Became.FILTERED),
    "Not done": (Became.CANCELLED, Became.OPEN),
}


def report_sheet(account: Mapping[str, Any], listed: int = 500) -> Sheet:
    """With at most so many exceptions in its own appendix."""
    made, by = account["made"], account["reported_by"]
    sections = [_summary(account), *_what_became(account["totals"], 1)]
    for batch in account["batches"]:
        sections += _batch(batch, alone=len(account["batches"]) == 1)
    sections += [_verification(account), _appendices(account), _exceptions(account, listed)]
    sections.append(Section("Appendix B: settings as by default", defaults_of(account["batches"])))
    return Sheet(
        title=f"Processing report: {account['case']}",
        subtitle=f"Made {time(made['at'])} by {made['by']} on {made['host']} with Redwell {by['redwell']}",
        sections=sections,
    )


def _summary(account: Mapping[str, Any]) -> Section:
    totals, batches = account["totals"], account["batches"]
    custodians = sorted({batch["custodian"] or "not named" for batch in batches})
    pairs = [
        ("Case", account["case"]),
        ("Batches", ", ".join(f"{batch['batch']} ({batch['state']})" for batch in batches) or "none"),
        ("Custodians", ", ".join(custodians) or "none"),
        ("Files received", _count(totals["loose_files"])),
        ("Found inside of them", _count(totals["found_inside"])),
        ("Items in all", _count(totals)),
        ("Documents with text", f"{totals['documents_with_text']:,}"),
        ("Opened with a supplied password", f"{totals['opened_with_password']:,}"),
        ("Items with a problem or exception", f"{account['exceptional_items']:,} (appendix A)"),
        ("Data of documents read by", _reader(account["model"])),
        ("Accounts", "balanced: every item has one named end" if account["balanced"] else "NOT BALANCED, see below"),
        ("Command", account["made"]["command"]),
    ]
    blocks: list[Block] = [Pairs(pairs)]
    if unfinished := account["unfinished"]:
        blocks.append(Line(f"The case is not complete: {_lacking(unfinished)}.", strong=True))
    return Section("Summary", blocks)


def _lacking(unfinished: Mapping[str, Any]) -> str:
    unread = len(unfinished["unread"])
    left = [f"{unfinished['open']:,} documents are open"] if unfinished["open"] or not unread else []
    if unread:
        left.append(f"{unread:,} cancelled {'source was' if unread == 1 else 'sources were'} not read to the end")
    return ", ".join(left)


def _reader(model: Mapping[str, Any]) -> str:
    return f"{model['name']}; evidence was sent there" if model["is_remote"] else str(model["name"])


def _what_became(totals: Mapping[str, Any], level: int) -> list[Section]:
    """The equation: all that was found is the sum of these."""
    rows = [(IN_WORDS[end], *_figures(totals["became"][end])) for end in Became if end in totals["became"]]
    whole = ("all items", *_figures(totals))
    equation = Table(columns=("What became of it", "Items", "Bytes"), rows=rows, numbers=2, total=whole)
    return [
        Section("What became of it", [equation], level),
        Section("By custodian", [_broken_down("Custodian", "custodian", totals, "not named")], 2),
        Section("By type", [_broken_down("Type", "type", totals)], 2),
        Section("By source", [_broken_down("Source", "source", totals)], 2),
    ]


def _broken_down(title: str, what: str, totals: Mapping[str, Any], unnamed: str = "") -> Table:
    lines = [(line[what] or unnamed, line) for line in totals[f"by_{what}"]]
    used = {name: ends for name, ends in _COLUMNS.items() if any(end in totals["became"] for end in ends)}
    return Table(
        columns=(title, "Items", "Bytes", *used),
        rows=[(name, *_figures(line), *_shares(line, used)) for name, line in lines],
        numbers=2 + len(used),
        total=("all", *_figures(totals), *_shares(totals, used)),
    )


def _shares(line: Mapping[str, Any], used: Mapping[str, Sequence[Became]]) -> list[str]:
    zero = {"items": 0}
    return [f"{sum(line['became'].get(end, zero)['items'] for end in ends):,}" for ends in used.values()]


def _batch(batch: Mapping[str, Any], *, alone: bool) -> Iterator[Section]:
    pairs = [
        ("Type", batch["type"]),
        ("Custodian", batch["custodian"] or "not named"),
        ("State", _state(batch)),
        ("Begun", time(batch["begun"])),
        ("Items", _count(batch["totals"])),
        ("Copies of others", _copies(batch)),
        ("Outcomes", ", ".join(f"{name} {count:,}" for name, count in batch["outcomes"].items()) or "none"),
        *[(f"Volume {each['path']}", "; ".join(each["balance"])) for each in batch["volumes"]],
        *[("Gaps in control numbers", _gaps(batch))] * bool(batch["numbers_not_used"]),
        ("Accounts", "balanced" if batch["balanced"] else "NOT BALANCED: " + "; ".join(batch["differences"])),
    ]
    yield Section(f"Batch {batch['batch']}", [Pairs(pairs), _sources(batch["sources"])])
    if not alone:
        yield from _what_became(batch["totals"], 2)[:1]
    yield Section("History", list(history(batch)), 2)
    yield Section("Settings", list(settings_of(batch)), 2)


def _copies(batch: Mapping[str, Any]) -> str:
    """What became of some of them is told as more than being a copy."""
    count, ended = batch["duplicates"], batch["totals"]["became"].get(Became.DUPLICATE, {"items": 0})["items"]
    return f"{count:,}" + (f", of which {count - ended:,} are containers or exceptions" if count > ended else "")


def _state(batch: Mapping[str, Any]) -> str:
    if batch["cancelled"] and batch["state"] == "cancelled":
        return f"CANCELLED {time(batch['cancelled'])}"
    return f"finished {time(batch['finished'])}" if batch["finished"] else f"not finished ({batch['state']})"


def _gaps(batch: Mapping[str, Any]) -> str:
    return f"{batch['numbers_not_used']:,} members of containers are no documents, such as folders"


def _sources(sources: Sequence[Mapping[str, Any]]) -> Table:
    rows = [(source["path"], _listed(source), *_figures(source)) for source in sources]
    return Table(columns=("Source", "Files", "Items in it", "Bytes"), rows=rows, numbers=3)


def _listed(source: Mapping[str, Any]) -> str:
    if "unread" in source:
        return str(source["unread"])
    return "not counted yet" if source["listed"] is None else f"{source['listed']:,}"


def _verification(account: Mapping[str, Any]) -> Section:
    found, case = account["verification"], account["case"]
    told = "all in order" if found["in_order"] else f"{found['findings']:,} findings"
    if found["of"] == "rows":
        what = f"The rows were checked for this report: {told}."
        more = f"Stored bytes and index were not read for it; add --verify, or run: {command_line('verify', case)}"
    else:
        what, more = f"Rows, stored bytes and index were verified for this report: {told}.", found["looked_at"]
    return Section("Verification", [Line(what, strong=True), Line(more), *map(Line, found["listed"])])


def _appendices(account: Mapping[str, Any]) -> Section:
    rows = [(each["name"], each["sha256"], f"{each['rows']:,}") for each in account["appendices"]]
    how = command_line("report", account["case"], "--appendices", "FOLDER")
    told = f"They are written by: {how}. The hashes hold as long as nothing is added to the case or tried again."
    table = Table(columns=("Appendix", "SHA-256", "Rows"), rows=rows, numbers=1)
    return Section("Appendices", [table, Line(f"SHA-256 of the manifest: {account['manifest_sha256']}"), Line(told)])


def _exceptions(account: Mapping[str, Any], listed: int) -> Section:
    rows, count = account["exceptions"][:listed], account["appendices"][1]["rows"]
    if not count:
        return Section("Appendix A: exceptions", [Line("There are none.")])
    shown = [(row["control_number"], row["path"], _ended(row), row["reason"]) for row in rows]
    blocks: list[Block] = [Table(columns=("Number", "Path", "Outcome", "Reason"), rows=shown)]
    if count > len(rows):
        blocks.append(Line(f"These are the first {len(rows):,} of {count:,}; exceptions.csv has all of them."))
    return Section("Appendix A: exceptions", blocks)


def _ended(row: Mapping[str, str]) -> str:
    """The code goes to a line of its own where there is no room for both."""
    return f"{row['outcome']} {row['code']}".strip()


def _count(counted: Mapping[str, Any]) -> str:
    return f"{counted['items']:,} ({in_words(counted['bytes'])})"


def _figures(counted: Mapping[str, Any]) -> tuple[str, str]:
    return f"{counted['items']:,}", f"{counted['bytes']:,}"


def time(stamp: str | None) -> str:
    """To the second; every time of the report is UTC."""
    return f"{stamp[:10]} {stamp[11:19]} UTC" if stamp else "not yet"
