"""docs/peers.md: the last result of benchmarks.peers."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.fuzz_page import machine
from benchmarks.peer_facts import Facts
from benchmarks.peer_process import FILE_S, REPO

if TYPE_CHECKING:
    from benchmarks.peers import Compared, Told

SHORT_S = 0.05
HEAD = """# Beside others

Written by `make bench` (`benchmarks/peers.py`), all in one run on one machine: {machine}, {date}.
{versions}; Redwell {redwell}.

- **Facts** are strings that the corpus's manifest says are in a file. One is found when text or metadata have it, both
  without invisible characters and with white space folded; of Redwell also in what it took out of the file, as the
  peers give that in one text. Nobody does OCR, nobody is given a password.
- **Time** of a peer is from the question to the answer, for one file after the other, in a warm process: start-up is
  not in it, and a file without an answer after {limit:.0f} s counts as a hang. *Handlers* is Redwell measured in the
  same way: its parsers, in one process without sandbox, members unpacked and parsed too. *Import* is what a user waits
  for: one `redwell import` of the family with one child at a time, from the first look at the folder until all is
  searchable. It includes starting the sandboxed child, hashing three times, storing, the ledger, languages and the
  index; no peer does any of these.
"""
FOUND = """
## Text facts found, by family

| family | files | facts | Redwell | {names} |
|---|---|---|---|{rule}
"""
TIME = """
## Seconds, by family

In brackets the ratio to Redwell's handlers, where these took long enough for one.

| family | files | Redwell handlers | Redwell import | {names} |
|---|---|---|---|{rule}
"""
ENDS = """
## How the {files} files ended

An error may be right: a protected or damaged file has no text. What counts is a process that died or never answered.

| | answered | refused with an error | killed the process | no answer in {limit:.0f} s |
|---|---|---|---|---|
"""
STORES = """
## Mail stores against readpst

`readpst -e -t ejac` writes every mail, appointment, journal and contact it knows as a file; its time includes its
start. *Items* of Redwell are what lies in the store's folders, of every type; *documents* also has the store,
attachments and what is in them. *Handlers* and *import* are as above; the handlers also parse the attachments, which
readpst copies.

| store | readpst items | Redwell items | documents | readpst s | handlers s | import s |
|---|---|---|---|---|---|---|
"""


def write_page(page: Path, result: "Compared", peers: Sequence[str]) -> None:
    notes = "".join(page.read_text().partition("\n## What to make of it")[1:]) if page.exists() else ""
    parts = (_head(peers), _found(result, peers), _time(result, peers), _ends(result, peers), _better(result, peers))
    page.write_text("".join(parts) + _stores(result) + notes)


def _head(peers: Sequence[str]) -> str:
    pinned = dict(
        line.split(" ")[0].split("==")
        for line in (REPO / "requirements" / "peers.txt").read_text().splitlines()
        if "==" in line
    )
    versions = ", ".join(f"{name} {pinned[name]}" for name in peers)
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    return HEAD.format(machine=machine(), date=date, versions=versions, redwell=version("redwell"), limit=FILE_S)


def _columns(peers: Sequence[str]) -> dict[str, str]:
    return {"names": " | ".join(peers), "rule": "---|" * len(peers)}


def _found(result: "Compared", peers: Sequence[str]) -> str:
    columns = [result.imported, *(result.told[name] for name in peers)]
    rows, totals, all_facts = "", [0] * len(columns), 0
    for family, files in result.families.items():
        if facts := sum(len(each.strings) for each in files):
            found = [sum(column[family].found.values()) for column in columns]
            rows += _found_row(family, len(files), facts, found)
            totals, all_facts = [a + b for a, b in zip(totals, found, strict=True)], all_facts + facts
    every = [each for files in result.families.values() for each in files]
    rows += _found_row("**all**", len(every), all_facts, totals)
    whole = [sum(_all_found(column[each.family], each) for each in every if each.strings) for column in columns]
    with_facts = sum(bool(each.strings) for each in every)
    return (
        FOUND.format(**_columns(peers)) + rows + _found_row("**files with every fact**", with_facts, with_facts, whole)
    )


def _all_found(told: "Told", facts: Facts) -> bool:
    return told.found[facts.name] == len(facts.strings)


def _found_row(name: str, files: int, facts: int, found: Sequence[int]) -> str:
    return f"| {name} | {files} | {facts} | {' | '.join(f'{each} ({each / facts:.0%})' for each in found)} |\n"


def _time(result: "Compared", peers: Sequence[str]) -> str:
    families = [*result.families, "**all**"]
    rows = ""
    for family in families:
        own = _seconds(result.told["redwell"], family)
        others = (_beside(_seconds(result.told[name], family), own) for name in peers)
        files = len(result.families.get(family, ())) or sum(map(len, result.families.values()))
        rows += f"| {family} | {files} | {own:.2f} | {_seconds(result.imported, family):.2f} | {' | '.join(others)} |\n"
    at_once = f"\nAll {files} files in one import, with one start: {result.at_once.seconds:.2f} s.\n"
    return TIME.format(**_columns(peers)) + rows + at_once


def _beside(seconds: float, own: float) -> str:
    return f"{seconds:.2f}" + (f" ({seconds / own:.1f})" if own >= SHORT_S else "")


def _seconds(told: "dict[str, Told]", family: str) -> float:
    return told[family].seconds if family in told else sum(each.seconds for each in told.values())


def _ends(result: "Compared", peers: Sequence[str]) -> str:
    rows = ""
    for name in peers:
        ends = sum((each.ends for each in result.told[name].values()), Counter[str]())
        rows += f"| {name} | {' | '.join(str(ends[end]) for end in ('well', 'error', 'crash', 'hang'))} |\n"
    own = sum((each.ends for each in result.imported.values()), Counter[str]())
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in own.most_common())
    head = ENDS.format(files=sum(map(len, result.families.values())), limit=FILE_S)
    return f"{head}{rows}\nRedwell's imports: {outcomes}.\n"


def _better(result: "Compared", peers: Sequence[str]) -> str:
    """Where a peer found what Redwell did not."""
    lines = []
    for family, own in result.imported.items():
        for file, count in own.found.items():
            more = {name: result.told[name][family].found[file] - count for name in peers}
            if best := ", ".join(f"{name} {extra}" for name, extra in more.items() if extra > 0):
                lines.append(f"- `{file}`: {best} more than Redwell's {count}\n")
    return "\n## Where a peer found more facts in a file\n\n" + ("".join(lines) or "Nowhere.\n")


def _stores(result: "Compared") -> str:
    if not result.stores:
        return "\n## Mail stores against readpst\n\nNot compared: there were no stores, or readpst was not installed.\n"
    rows = "".join(
        f"| {each.name} | {'failed' if each.readpst_items is None else each.readpst_items} | {each.items} "
        f"| {each.documents} | {each.readpst_s:.2f} | {each.handlers_s:.2f} | {each.import_s:.2f} |\n"
        for each in result.stores
    )
    return STORES + rows
