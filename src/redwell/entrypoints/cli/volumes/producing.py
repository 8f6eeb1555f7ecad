"""`redwell production`: a frozen set of documents with numbers, checked, and written as a volume."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from redwell.core.errors import UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.production.conflicts import Conflict, blocking
from redwell.core.production.values import Production, Terms, last_number
from redwell.core.production.volume_options import options_of
from redwell.core.work.renderers import Goal
from redwell.entrypoints.cli.output.terminal import who
from redwell.entrypoints.cli.rendering import make_renditions
from redwell.ports.productions import ProductionStore
from redwell.ports.review import ReviewStore
from redwell.runtime.bootstrap.open_productions import stores_of
from redwell.runtime.bootstrap.open_reader import Reader, open_reader
from redwell.runtime.bootstrap.settings import home_folder, load_settings
from redwell.runtime.producing import creating
from redwell.runtime.producing.case_materials import CaseMaterials
from redwell.runtime.producing.releasing import Order, release

_SHOWN = 50


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[tuple[Reader, ProductionStore, ReviewStore]]:
    """A case that is of this release: who only looks is told so before anything is written."""
    settings = load_settings(args.set)
    with open_reader(home_folder(), args.case, settings) as case:
        store, review = stores_of(home_folder(), args.case, settings)
        with closing(store), closing(review):
            yield case, store, review


def run_create(args: argparse.Namespace) -> int:
    terms = Terms(
        prefix=args.prefix,
        padding=args.padding,
        start=args.start or 1,
        by=args.by,
        designation=args.designation,
        natives=args.natives,
        withhold=args.withhold,
        forbid=args.forbid,
        families=args.families,
    )
    with opened(args) as (case, store, review):
        if args.start is None:
            terms = msgspec.structs.replace(terms, start=store.next_number(terms.prefix))
        wanted = creating.Wanted(name=args.name, query=args.query, who=who(), terms=terms)
        creating.checked_wish(wanted, review)
        chosen = creating.choose(case, args.query, args.families)
        tags = creating.tags_of(review, [each.id for each in chosen.exhibits])
        materials = CaseMaterials(case.rows, case.blobs)
        lacking = creating.without_pages(chosen, terms, tags, materials, store)
    if lacking and not args.no_render:
        print(f"{len(lacking):,} documents have no PDF yet: they are made first", file=sys.stderr)
        make_renditions(args, [Goal.PDF], [each.control_number for each in lacking])
    with opened(args) as (case, store, review):
        made = creating.freeze(wanted, chosen, tags, CaseMaterials(case.rows, case.blobs), store)
        _, found = creating.standing_of(made, case.rows, store, review)
    _tell_conflicts(found, args.json)
    _tell(made, args.json, conflicts=len(found), blocking=len(blocking(found, ())))
    return ExitCode.OK


def run_check(args: argparse.Namespace) -> int:
    with opened(args) as (case, store, review):
        made = store.find(args.name)
        _, found = creating.standing_of(made, case.rows, store, review)
    _tell_conflicts(found, args.json)
    bad = blocking(found, args.accept)
    told = f"{len(found):,} findings, {len(bad):,} of them stand against letting it go"
    print(json.dumps({"findings": len(found), "blocking": len(bad)}) if args.json else told)
    return ExitCode.DEFECTS if bad else ExitCode.OK


def run_list(args: argparse.Namespace) -> int:
    with opened(args) as (_, store, _):
        for made in store.productions():
            _tell(made, args.json)
    return ExitCode.OK


def run_show(args: argparse.Namespace) -> int:
    with opened(args) as (_, store, _):
        made = store.find(args.name)
        _tell(made, args.json)
        for member in store.members(made.id):
            numbers = str(made.terms.number(member.first)), str(made.terms.number(last_number(made.terms, member)))
            if args.json:
                print(json.dumps({**msgspec.to_builtins(member), "begin": numbers[0], "end": numbers[1]}))
            else:
                reason = f" ({member.reason})" if member.reason else ""
                print(f"{numbers[0]}\t{numbers[1]}\t{member.control}\t{member.treatment}{reason}\t{member.pages}")
    return ExitCode.OK


def run_write(args: argparse.Namespace) -> int:
    given = dict(_option(text) for text in args.option)
    options_of(args.preset, args.volume, given)  # what can't be is told before anything is made
    with opened(args) as (case, store, review):
        made = store.find(args.name)
        members, found = creating.standing_of(made, case.rows, store, review)
        if bad := blocking(found, args.accept):
            _tell_conflicts(bad, as_json=False)
            raise UserError(f"{len(bad):,} findings stand against letting it go: mend them, or --accept CODE or NUMBER")
        redacted = store.redactions([member.exhibit for member in members])
    controls = [member.control for member in members if member.exhibit in redacted]
    if controls:  # the words of their pages have to be known, to look for them
        make_renditions(args, [Goal.PDF, Goal.PAGES], controls)
    order = Order(
        case=args.case,
        production=made.name,
        target=Path(args.output),
        who=who(),
        preset=args.preset,
        volume=args.volume,
        given=given,
        accept=args.accept,
        confirm_elsewhere=args.confirm_elsewhere,
    )
    released = release(
        home_folder(),
        load_settings(args.set),
        order,
        lambda count: print(f"{count:,} of {made.documents:,} documents", file=sys.stderr, flush=True),
    )
    if args.json:
        told = {"production": made.name, **{name: getattr(released, name) for name in released.__slots__}}
        print(json.dumps({**told, "elsewhere": [each._asdict() for each in released.elsewhere]}))
    else:
        print(f"{made.name}: {made.range}, {released.files:,} files, {released.bytes:,} bytes: {released.folder}")
        print("".join(f"not drawn: {problem}\n" for problem in released.problems), end="")
        print(f"check it with: cd {released.folder} && sha256sum -c MANIFEST.sha256")
    return ExitCode.OK


def _option(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise UserError(f"an option is NAME=VALUE, not {text!r}")
    return name, value


def _tell(made: Production, as_json: bool, **more: Any) -> None:
    if as_json:
        print(json.dumps({**msgspec.to_builtins(made), "range": made.range, **more}))
        return
    state = "written" if made.manifest else "redactions fixed" if made.is_fixed else "frozen"
    print(f"{made.name}: {made.range}, {made.documents:,} documents, {made.pages:,} pages, {state}")
    for why, count in made.left_out.items():
        print(f"  not in it: {count:,} {why}")


def _tell_conflicts(found: Sequence[Conflict], as_json: bool) -> None:
    for each in found[: None if as_json else _SHOWN]:
        detail = f" ({each.detail})" if each.detail else ""
        if as_json:
            told = {"conflict": each.code, "document": each.control, "detail": each.detail, "blocks": each.rule.blocks}
            print(json.dumps(told))
        else:
            sign = "stop" if each.rule.blocks else "note"
            print(
                f"{sign}  {each.control}  {each.code}: {each.rule.meaning}{detail} [{each.rule.remedy}]",
                file=sys.stderr,
            )
    if len(found) > _SHOWN and not as_json:
        rest = Counter(each.code for each in found[_SHOWN:])
        print("and " + ", ".join(f"{count:,} {code}" for code, count in rest.items()), file=sys.stderr)
