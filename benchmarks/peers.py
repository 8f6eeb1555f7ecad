"""`make bench`: real files by family against kreuzberg, extractous and markitdown, mail stores against readpst.

python -m benchmarks.peers [--corpus DIR] [--page FILE]

Needs tools/peers.sh. Every library answers one file after the other in a warm process of its own, Redwell's handlers
too; Redwell is also measured as a user meets it, importing each family. Written to docs/peers.md.
"""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.peer_facts import Facts, facts_of
from benchmarks.peer_page import write_page
from benchmarks.peer_process import REPO, PeerProcess, command
from benchmarks.peer_stores import Row, Stores, import_seconds, measured_stores, rows_of

PEERS = ("kreuzberg", "extractous", "markitdown")


@dataclass
class Told:
    """What one library, or one import, made of one family."""

    seconds: float = 0
    ends: Counter[str] = field(default_factory=Counter)  # by `Answer.ended`; of an import, by outcome
    found: dict[str, int] = field(default_factory=dict)  # facts by file name


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything the page says."""

    families: dict[str, list[Facts]]
    told: dict[str, dict[str, Told]]  # by library, `redwell` among them for time alone, then by family
    imported: dict[str, Told]
    at_once: Told  # one import of all families
    stores: Stores


def by_family(facts: list[Facts]) -> dict[str, list[Facts]]:
    families = sorted({each.family for each in facts})
    return {family: [each for each in facts if each.family == family] for family in families}


def asked(name: str, families: dict[str, list[Facts]]) -> dict[str, Told]:
    """Every file once, in the same order for all."""
    told = {family: Told() for family in families}
    process = PeerProcess(command(name))
    for family, files in families.items():
        for facts in files:
            answer = process.ask(facts.path)
            told[family].seconds += answer.seconds
            told[family].ends[answer.ended] += 1
            told[family].found[facts.name] = facts.found_in(answer.said)
    process.close()
    return told


def imported(files: list[Facts], work: Path) -> Told:
    """One import of the family with one child at a time, all that it does included; facts as `documents` shows them."""
    source, home = work / "evidence", work / "home"
    for facts in files:
        target = source / facts.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(facts.path, target)
    told = Told(seconds=import_seconds(source, home))
    rows = rows_of(home)
    shutil.rmtree(source)
    shutil.rmtree(home)
    said = _said(rows)
    told.ends.update(row["outcome"] for row in rows if row["depth"] == 0)
    told.found = {facts.name: facts.found_in(said[facts.name]) for facts in files}
    return told


def _said(rows: list[Row]) -> dict[str, str]:
    """Text and metadata of each file, with those of whatever is in it."""
    said: dict[str, list[str]] = {}
    for row in rows:
        root = row["path"].partition("//")[0]
        said.setdefault(root, []).extend([row["text"], *map(str, row["metadata"].values())])
    return {root: "\n".join(parts) for root, parts in said.items()}


def compared(corpus: Path, work: Path) -> Compared:
    families = by_family(facts_of(corpus))
    told = {name: asked(name, families) for name in (*PEERS, "redwell")}
    whole = {family: imported(files, work) for family, files in families.items()}
    at_once = imported([each for files in families.values() for each in files], work)
    stores = measured_stores([each.path for each in families.get("mailstore", [])], work)
    return Compared(families, told, whole, at_once, stores)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=REPO.parent / "shared" / "corpus")
    parser.add_argument("--page", type=Path, default=REPO / "docs" / "peers.md")
    args = parser.parse_args()
    if not (args.corpus / "manifest.jsonl").is_file():
        print("peers: there is no corpus to compare on; name one with --corpus", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="redwell-peers-") as work:
        write_page(args.page, compared(args.corpus, Path(work)), PEERS)
    print(args.page.read_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
