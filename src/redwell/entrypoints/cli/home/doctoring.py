"""`redwell doctor`: what this machine gives, what it refuses, and every setting with its value."""

import argparse
import json
import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import msgspec

from redwell import __version__
from redwell.core import wire
from redwell.core.errors import RedwellError, UserError
from redwell.core.exit_codes import ExitCode
from redwell.core.work.kinds import Profile
from redwell.runtime.bootstrap import open_blobs, open_ledger
from redwell.runtime.bootstrap.chosen_models import chosen_models
from redwell.runtime.bootstrap.equipment import hello_of
from redwell.runtime.bootstrap.handler_modules import discover
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.services.service_reach import services_reached
from redwell.runtime.bootstrap.settings import Settings, home_folder, load_settings


def run_doctor(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    hello, refusal = _hello(settings)
    database, database_reached = _reached(open_ledger.described, settings.database)
    stored, blobs_reached = _reached(lambda _: open_blobs.described(settings), settings.blobs)
    services = list(services_reached(settings))
    home = home_folder()
    models = chosen_models(home, settings) if database_reached else {}
    nearest = next(p for p in (home, *home.parents) if p.exists())
    findings = {
        "redwell": __version__,
        "python": platform.python_version(),
        "host": machine_name(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "home": str(home),
        "free_mb": shutil.disk_usage(nearest).free >> 20,
        "handlers": discover()[Profile.PARSER],
        "libraries": msgspec.to_builtins(hello.tools),
        "engines": _engines(settings),
        "models": {case: choice.told for case, choice in models.items()},
        "sandbox": hello.layers,
        "refused": refusal,
        "database": database,
        "blobs": stored,
        "services": {what: words for what, words, _ in services},
        "settings": settings.shown(),
    }
    print(json.dumps(findings) if args.json else _in_words(findings))
    if refusal:
        return ExitCode.SANDBOX_UNAVAILABLE
    if not database_reached:
        return ExitCode.DATABASE_UNAVAILABLE
    all_reached = blobs_reached and all(answers for *_, answers in services)
    return ExitCode.OK if all_reached else ExitCode.SERVICE_UNAVAILABLE


def _hello(settings: Settings) -> tuple[wire.Hello, str]:
    """Start one real child and ask it; what it said, and why it refused to start."""
    try:
        return hello_of(settings), ""
    except UserError as error:
        return wire.Hello(layers={}), str(error)


def _engines(settings: Settings) -> list[dict[str, str]]:
    """Programs that make PDFs, recognise words and run models, each as a child of its own profile finds it."""
    found = []
    for profile in (Profile.OFFICE, Profile.BROWSER, Profile.OCR, Profile.MODEL):
        try:
            found += msgspec.to_builtins(hello_of(settings, profile).tools)
        except UserError as error:
            found.append({"name": profile.value, "version": "", "remedy": str(error)})
    return found


def _reached(described: Callable[[str], str], url: str) -> tuple[str, bool]:
    """Where new cases are kept, or why not, and whether it can be reached."""
    try:
        return described(url), True
    except RedwellError as error:
        return f"REFUSED: {error}", False


def _tool(name: str, version: str, remedy: str) -> str:
    return f"  {name}: {version or f'MISSING; {remedy}, then `redwell retry --lacking`'}"


def _in_words(findings: dict[str, Any]) -> str:
    plain = ("redwell", "python", "host", "system", "cores", "home", "free_mb", "database", "blobs")
    lines = [f"{key}: {findings[key]}" for key in plain]
    lines += [f"{what}: {words}" for what, words in findings["services"].items()]
    lines.append("handlers: " + ", ".join(name.rpartition(".")[2] for name in findings["handlers"]))
    lines += ["system libraries:", *(_tool(**tool) for tool in findings["libraries"])]
    lines += ["engines:", *(_tool(**tool) for tool in findings["engines"])]
    lines += ["models:", *(f"  case {case!r}: {told}" for case, told in findings["models"].items())]
    if not findings["models"]:
        lines.append("  no case that can be asked has chosen one; docs/understanding.md says how to get one")
    lines.append("sandbox:" if findings["sandbox"] else f"sandbox: REFUSED: {findings['refused']}")
    lines += [f"  {layer}: {state}" for layer, state in findings["sandbox"].items()]
    lines.append("settings:")
    docs = {f.name: f.metadata["doc"] for f in fields(Settings)}
    lines += [f"  {key}={value}  ({docs[key]})" for key, value in findings["settings"].items()]
    return "\n".join(lines)
