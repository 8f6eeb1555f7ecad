"""`redwell schema` and `redwell model`: what is to be known of documents, and by which model."""

import argparse
import getpass
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from redwell.core.errors import NotFound, UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.understanding.models import ModelChoice, checked
from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.schemas import read_schema
from redwell.core.understanding.turns import Claimed
from redwell.entrypoints.cli.output.terminal import printable
from redwell.ports.understanding import KeptSchema
from redwell.runtime.bootstrap.open_model import sha256_of_model
from redwell.runtime.bootstrap.open_understanding import UnderstoodCase, checked_schema
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.understanding.planning import schema_named
from redwell.runtime.upkeep.status import when
from redwell.understand.evaluating import Evaluation
from redwell.understand.pipeline import Pipeline


def opened(args: argparse.Namespace) -> UnderstoodCase:
    return UnderstoodCase(home_folder(), args.case, load_settings())


def _file(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{name} can't be read: {error}") from None


def run_add(args: argparse.Namespace) -> int:
    text = _file(args.file)
    schema = checked_schema(text, args.name)
    with opened(args) as case:
        kept = case.store.add_schema(schema.name, text, getpass.getuser())
    fields = len(schema.fields)
    _print(_row(kept), args.json, f"{kept.name} version {kept.version}: {fields} fields, {len(schema.checks)} checks")
    return ExitCode.OK


def run_list(args: argparse.Namespace) -> int:
    with opened(args) as case:
        for kept in case.store.schemas():
            schema = read_schema(kept.body, kept.name)
            told = f"{kept.name}\tversion {kept.version}\t{len(schema.fields)} fields\t{when(kept.at_ms)}"
            _print(_row(kept), args.json, told)
    return ExitCode.OK


def run_show(args: argparse.Namespace) -> int:
    with opened(args) as case:
        every = [each for each in case.store.schemas(every=True) if each.name == args.name]
    found = [each for each in every if args.version in (None, each.version)]
    if not found:
        raise NotFound(f"the case has no such schema {args.name!r}; `redwell schema list` shows them")
    print(json.dumps({**_row(found[-1]), "body": json.loads(found[-1].body)}) if args.json else found[-1].body)
    return ExitCode.OK


def _row(kept: KeptSchema) -> dict[str, Any]:
    return {"schema": kept.name, "version": kept.version, "who": kept.who, "added": when(kept.at_ms)}


def run_test(args: argparse.Namespace) -> int:
    """A trial of a schema on one document: nothing is kept but the model's answers, which are paid once."""
    with opened(args) as case:
        exhibit = case.reader.rows.numbered([args.number]).get(args.number)
        if exhibit is None:
            raise NotFound(f"there is no document {args.number}; `redwell documents` lists them")
        if Path(args.name).is_file():
            schema = checked_schema(_file(args.name))
            kept = KeptSchema(id=0, name=schema.name, version=0, body=_file(args.name), who="", at_ms=0)
        else:
            kept = schema_named(case.store, args.name)
        claim = Claimed(id=0, uid=b"", exhibit=exhibit.id, document=0, schema=kept.id, attempt=1)
        with case.at_work() as (_, tools):
            proposals = Pipeline(tools).trial(claim, kept).proposals
        for each in proposals:
            _print(msgspec.to_builtins(each), args.json, _told(each))
    return ExitCode.OK


def _told(each: Proposal) -> str:
    doubts = "; ".join(doubt.value for doubt in each.doubts)
    quote = f' from "{printable(" ".join(each.quote.split()))}"' if each.quote else ""
    return f"{each.path}\t{printable(each.value) or '-'}\t{each.by if each.value else ''}{quote}\t{doubts}"


def run_eval(args: argparse.Namespace) -> int:
    began, evaluation, counted, waiting = time.monotonic(), Evaluation(), 0, 0
    with opened(args) as case:
        names = {each.name: each.id for each in case.reader.rows.exhibits()}
        for gold in _gold(args.gold):
            exhibit = names.get(gold.get("name", ""))
            if number := gold.get("control_number"):
                exhibit = next((row.id for row in case.reader.rows.numbered([number]).values()), None)
            if exhibit is None:
                raise UserError(f"{gold.get('name') or gold.get('control_number')!r} of the gold is not in the case")
            ended = [each for each in case.store.ingestions(exhibit) if each.completed_ms and each.schema]
            kept = next((s for s in case.store.schemas(every=True) if ended and s.id == ended[-1].schema), None)
            if not ended or kept is None:
                waiting += 1
                continue
            if args.schema in (None, kept.name):
                counted += 1
                evaluation.add(read_schema(kept.body, kept.name), case.store.proposals(ended[-1].id), gold["data"])
        spent, model = case.store.spent(), case.store.model().told
    if not counted:
        raise UserError("no document of the gold has data yet: run `redwell understand` first")
    told = {
        "model": model,
        "documents": counted,
        "waiting": waiting,
        **evaluation.told(),
        **msgspec.structs.asdict(spent),
    }
    told["seconds"] = round(time.monotonic() - began, 2)
    print(json.dumps(told) if args.json else _figures(told))
    return ExitCode.OK


def _gold(name: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_file(name).splitlines(), 1):
        if line.strip():
            try:
                yield {"data": {}, **json.loads(line)}
            except (ValueError, TypeError) as error:
                raise UserError(f"{name}, line {number}: {error}") from None


def _figures(told: dict[str, Any]) -> str:
    lines = [f"{'field':24} {'right':>7} {'missing':>8} {'wrong':>6} {'flagged':>8} {'wrong, not flagged':>19}"]
    for name, figures in told["fields"].items():
        counts = (
            figures["right"],
            figures["missing"],
            figures["wrong"],
            figures["flagged"],
            figures["wrong_unflagged"],
        )
        lines.append("{:24} {:>7} {:>8} {:>6} {:>8} {:>19}".format(name, *counts))
    share = told["wrong_unflagged_percent"]
    lines.append(f"{told['documents']} documents by {told['model']}: {told['right']} of {told['values']} values right,")
    lines.append(f"{told['wrong_unflagged']} wrong and not flagged ({share}%); {told['tokens']:,} tokens")
    if told["waiting"]:
        lines.append(f"{told['waiting']} documents of the gold have no data yet")
    return "\n".join(lines)


def run_choose(args: argparse.Namespace) -> int:
    asked = {name: getattr(args, name) for name in ("budget_tokens", "budget_cost", "price_in", "price_out")}
    asked |= {"window_chars": args.window_chars, "image_pages": args.image_pages}
    numbers = {name: value for name, value in asked.items() if value is not None}
    choice = ModelChoice(
        kind=args.kind,
        name=args.name or Path(args.file).stem,
        url=args.url,
        key_variable=args.key_variable,
        region=args.region,
        is_remote_meant=args.remote,
        **numbers,
    )
    choice = msgspec.structs.replace(choice, **_in_file(args))
    checked(choice)
    with opened(args) as case:
        case.store.choose_model(choice, getpass.getuser())
    _print(msgspec.to_builtins(choice), args.json, f"this case uses {choice.told}")
    if choice.is_remote:
        what = "text and page images" if choice.image_pages else "text"
        print(f"the {what} of evidence will be sent to {choice.host}, and to no other host", file=sys.stderr)
    return ExitCode.OK


def _in_file(args: argparse.Namespace) -> dict[str, str]:
    """The file is known by its hash: another one under its name is not taken for it."""
    if not args.file:
        return {}
    file = Path(args.file).resolve()
    return {"file": str(file), "sha256": sha256_of_model(file)}


def run_show_model(args: argparse.Namespace) -> int:
    with opened(args) as case:
        choice, spent = case.store.model(), case.store.spent()
    told = {**msgspec.to_builtins(choice), "told": choice.told, "remote": choice.is_remote}
    _print({**told, **msgspec.to_builtins(spent)}, args.json, f"{choice.told}; {spent.tokens:,} tokens so far")
    return ExitCode.OK


def _print(row: Any, as_json: bool, line: str) -> None:
    print(json.dumps(row) if as_json else line)
