"""Compares two cases row by row: what `redwell documents --json --text` says of each exhibit, but for ids and times.

`python tools/compare_cases.py HOME_A CASE_A HOME_B CASE_B`; exit 0: they are equal, 1: they differ. Each is read by
this tree's code, or by that of another one: `--code-a DIR` names a folder with the package in it, such as ../old/src.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[1] / "src"
OF_A_RUN = frozenset({"id", "uid", "document", "source_dates"})
REFERENCES = ("parent", "root", "family", "duplicate_of")  # told by path: ids are those of a run
MOST_SHOWN = 200  # rows
AROUND = 40  # characters before and behind the first difference

Row = Mapping[str, Any]


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    before = rows_of(asked.home_a, asked.case_a, asked.code_a)
    after = rows_of(asked.home_b, asked.case_b, asked.code_b)
    fields: Counter[str] = Counter()
    differing = 0
    for path, found in differences(before, after, frozenset(asked.ignore)):
        differing += 1
        fields.update(found.keys())
        if differing <= MOST_SHOWN:
            print(path, *(f"  {name}: {said}" for name, said in found.items()), sep="\n")
    told = ", ".join(f"{name} {count}" for name, count in fields.most_common())
    print(f"{len(before)} and {len(after)} exhibits, " + (f"{differing} differ: {told}" if differing else "all equal"))
    return 1 if differing else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for side in ("a", "b"):
        parser.add_argument(f"home_{side}", type=Path)
        parser.add_argument(f"case_{side}")
        parser.add_argument(f"--code-{side}", type=Path, default=SOURCE, help="the code that reads it")
    parser.add_argument("--ignore", action="append", default=[], metavar="FIELD", help="besides ids and times")
    return parser


def rows_of(home: Path, case: str, code: Path) -> list[dict[str, Any]]:
    """Every exhibit as the command line tells it; ends the program where that fails."""
    command = [sys.executable, "-m", "redwell.entrypoints.cli.main", "documents", "--case", case, "--json", "--text"]
    env = {**os.environ, "REDWELL_HOME": str(home), "PYTHONPATH": str(code)}
    run = subprocess.run(command, env=env, stdout=subprocess.PIPE, encoding="utf-8")
    if run.returncode:
        raise SystemExit(f"the documents of case {case!r} in {home} cannot be listed; see above")
    return [json.loads(line) for line in run.stdout.split("\n") if line]


def differences(
    before: Iterable[Row], after: Iterable[Row], ignored: frozenset[str] = frozenset()
) -> Iterator[tuple[str, dict[str, str]]]:
    """By path: the fields that differ, and how. An exhibit that only one case has differs in the field `exhibit`."""
    first, second = _by_path(before), _by_path(after)
    for key in sorted({*first, *second}):
        if key not in first or key not in second:
            yield key[0], {"exhibit": "only in the first" if key in first else "only in the second"}
            continue
        one, other = first[key], second[key]
        names = sorted({*one, *other} - OF_A_RUN - ignored)
        if found := {name: _said(one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)}:
            yield key[0], found


def _by_path(rows: Iterable[Row]) -> dict[tuple[str, int], Row]:
    """Members of a container may have the same path: these are told apart by their order in it."""
    known = list(rows)
    paths = {row["id"]: row["path"] for row in known}
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], Row] = {}
    for row in sorted(known, key=lambda row: (row["path"], row["control_number"] or "", row["ordinal"] or 0)):
        found[row["path"], seen[row["path"]]] = {**row, **{name: paths.get(row[name]) for name in REFERENCES}}
        seen[row["path"]] += 1
    return found


def _said(one: object, other: object) -> str:
    """Both values, long ones from a little before the first difference on."""
    first, second = (json.dumps(value, ensure_ascii=False, sort_keys=True) for value in (one, other))
    equal = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    start = max(0, equal - AROUND)
    return f"{_cut(first, start)} -> {_cut(second, start)}"


def _cut(said: str, start: int) -> str:
    end = start + 3 * AROUND
    return ("…" if start else "") + said[start:end] + ("…" if len(said) > end else "")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
