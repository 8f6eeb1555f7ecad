"""`redwell loadfile lint` and `map`: say what is wrong with a load file, propose which column is which field."""

import argparse
import json
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from redwell.core.csv_output import CsvOutput
from redwell.core.errors import NotFound, UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.loadfiles.checks.files import Balance
from redwell.core.loadfiles.mapping import as_toml
from redwell.core.loadfiles.rules import RULES, Finding, Severity
from redwell.entrypoints.cli.output.terminal import printable
from redwell.runtime.loadfiles.linting import VolumeLint, proposed_mapping, volumes
from redwell.runtime.loadfiles.opened import Given

_FIELDS = ("severity", "code", "file", "row", "line", "column", "field", "value", "words", "detail", "remedy")
_SHOWN = 20
_SIGNS = {"tab": "\t", "none": "", "dc4": "\x14", "thorn": "\xfe"}


def run_lint(args: argparse.Namespace) -> int:
    mapping = _mapping(args.mapping) if args.mapping else None
    counts: Counter[str] = Counter()
    out = CsvOutput(sys.stdout, _FIELDS) if args.csv else None
    for files in volumes([Path(file) for file in args.files]):
        lint = VolumeLint(files, _given(args), mapping)
        for finding in lint:
            counts[finding.rule.severity] += 1
            counts[finding.code] += 1
            row = _as_row(finding)
            if out:
                out.write({name: str(value) for name, value in row.items()})
            elif args.json:
                print(json.dumps(row))
            elif args.all or counts[finding.code] <= _SHOWN:
                print(printable(_line(finding)))
        if args.json:
            print(json.dumps({"load_files": lint.described, **_balance(lint.balance)}))
        elif not out:
            print("\n".join(printable(_described(told)) for told in lint.described))
            print(_balanced(lint.balance))
    _closing(counts, args)
    return ExitCode.DEFECTS if counts[Severity.ERROR] else ExitCode.OK


def _balance(told: Balance) -> dict[str, int]:
    names = ("paths", "paths_found", "paths_not_found", "files", "files_named", "files_not_named")
    return {name: getattr(told, name) for name in names}


def _balanced(told: Balance) -> str:
    return (
        f"paths that rows name: {told.paths:,} = {told.paths_found:,} found + {told.paths_not_found:,} not found; "
        f"files of the volume: {told.files:,} = {told.files_named:,} named + {told.files_not_named:,} not named"
    )


def _closing(counts: Counter[str], args: argparse.Namespace) -> None:
    errors, warnings = counts[Severity.ERROR], counts[Severity.WARNING]
    if args.json:
        print(json.dumps({"errors": errors, "warnings": warnings}))
        return
    hidden = {code: count - _SHOWN for code, count in counts.items() if code in RULES and count > _SHOWN}
    for code, more in hidden.items() if not args.all and not args.csv else ():
        print(f"{code}: {more:,} more; --all shows them")
    told = f"{errors:,} errors, {warnings:,} warnings" if errors or warnings else "nothing is wrong with it"
    print(told, file=sys.stderr if args.csv else sys.stdout)


def run_map(args: argparse.Namespace) -> int:
    mapping = proposed_mapping(Path(args.file), _given(args))
    if args.json:
        for column in mapping.columns:
            told = {"column": column.number, "name": column.name, "field": column.field, "reason": column.reason}
            print(json.dumps(told))
    if args.output:
        try:
            with Path(args.output).open("x", encoding="utf-8") as file:
                file.write(as_toml(mapping))
        except FileExistsError:
            raise UserError(f"{args.output} is there already; name another file, or take it away") from None
        known = sum(bool(column.field) for column in mapping.columns)
        print(f"{args.output}: {known} of {len(mapping.columns)} columns are known fields", file=sys.stderr)
    elif not args.json:
        print(as_toml(mapping), end="")
    return ExitCode.OK


def _mapping(name: str) -> dict[str, object]:
    try:
        data = Path(name).read_bytes()
        return dict(json.loads(data)) if name.endswith(".json") else tomllib.loads(data.decode("utf-8-sig"))
    except FileNotFoundError:
        raise NotFound(f"there is no mapping {name}") from None
    except ValueError as error:
        raise UserError(f"{name} is no mapping: {error}") from None


def _given(args: argparse.Namespace) -> Given:
    header = None if args.header is None else args.header == "yes"
    return Given(
        encoding=args.encoding, separator=_sign(args.separator), qualifier=_sign(args.qualifier), header=header
    )


def _sign(text: str | None) -> str | None:
    """A sign as a person can type it: itself, a word, or U+0014."""
    if text is None:
        return None
    if text.upper().startswith("U+"):
        try:
            return chr(int(text[2:], 16))
        except (ValueError, OverflowError):
            raise UserError(f"{text!r} is no code point; U+0014 is one") from None
    sign = _SIGNS.get(text.lower(), text)
    if len(sign) > 1:
        raise UserError(f"{text!r} is more than one sign; type one, tab, none, or a code point such as U+0014")
    return sign


def _as_row(finding: Finding) -> dict[str, Any]:
    rule = finding.rule
    told = {"severity": rule.severity.value, "words": rule.words, "remedy": rule.remedy}
    return {name: told[name] if name in told else getattr(finding, name) for name in _FIELDS}


def _line(finding: Finding) -> str:
    at = finding.file
    at += f", row {finding.row:,}" if finding.row else f", line {finding.line:,}" if finding.line else ""
    if finding.column:
        at += f", column {finding.column} ({finding.field})" if finding.field else f", column {finding.column}"
    value = f": “{finding.value}”" if finding.value else ""
    detail = f" ({finding.detail})" if finding.detail else ""
    return f"{finding.rule.severity.value}: {at}: {finding.rule.words}{value}{detail} [{finding.code}]"


def _described(told: dict[str, Any]) -> str:
    parts = [f"{name} {value['is']} ({value['because']})" for name, value in told.items() if isinstance(value, dict)]
    counts = [f"{told[name]:,} {name}" for name in ("records", "pages") if name in told]
    return f"{told['file']}: {told['kind']}, {'; '.join([*counts, *parts])}"
