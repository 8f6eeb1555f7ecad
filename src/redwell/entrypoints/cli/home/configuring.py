"""`redwell config show` and `check`: which settings hold and where they come from; whether a file of them is right."""

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from redwell.core.configuration import Chosen, layered, pairs
from redwell.core.errors import NotFound, RedwellError
from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.configuration.config_file import config_path, read_config
from redwell.runtime.bootstrap.configuration.secret_values import secret_of
from redwell.runtime.bootstrap.settings import Settings, given_settings, home_folder, load_settings


def run_show(args: argparse.Namespace) -> int:
    given = given_settings(args.set)
    shown = load_settings(args.set).shown()
    for field in fields(Settings):
        origin = given[field.name].origin if field.name in given else "default"
        row = {"key": field.name, "value": shown[field.name], "from": origin}
        if args.json:
            print(json.dumps(row))
        elif origin != "default" or args.all:
            print(f"{field.name} = {shown[field.name]}    ({origin})")
    if not args.json and not args.all:
        print(f"{len(fields(Settings)) - len(given):,} others have their defaults; --all shows them")
    return ExitCode.OK


def run_check(args: argparse.Namespace) -> int:
    path = Path(args.file) if args.file else config_path(os.environ, home_folder())
    if path is None:
        raise NotFound(f"there is no file of settings; {home_folder()}/redwell.toml would be one, or name it")
    document = read_config(path)
    wrong = 0
    for pair in pairs(document):
        for row in _checked(document, pair, path.name, secrets=args.secrets):
            wrong += 1
            print(json.dumps(row) if args.json else f"{_told(pair)}: {row['error']}")
        if not args.json:
            print(f"{_told(pair)}: checked")
    return ExitCode.DEFECTS if wrong else ExitCode.OK


def _checked(document: dict[str, Any], pair: Chosen, file: str, *, secrets: bool) -> Iterator[dict[str, str]]:
    """Every mistake, not only the first."""
    told = {"environment": pair.environment, "region": pair.region}
    try:
        given = layered(document, pair, file)
    except RedwellError as error:
        yield {**told, "key": "", "error": str(error)}
        return
    hidden = {field.name for field in fields(Settings) if field.metadata["secret"]}
    for key, each in given.items():
        try:
            Settings().with_overrides({key: each.value})
            if secrets and key in hidden:
                secret_of(key, each.value)
        except RedwellError as error:
            yield {**told, "key": key, "error": f"{each.origin}: {error}"}


def _told(pair: Chosen) -> str:
    return ", ".join(part for part in pair if part) or "settings"
