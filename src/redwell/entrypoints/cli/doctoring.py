"""`redwell doctor`: what this machine gives, what it refuses, and every setting with its value."""

import argparse
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from redwell import __version__
from redwell.core.errors import RedwellError, UserError
from redwell.core.exit_codes import ExitCode
from redwell.extract.limits import ChildConfig, LaneLimits
from redwell.extract.pool import Pool
from redwell.handlers.registry import discover
from redwell.handlers.system_libraries import SONAMES, installed
from redwell.runtime import blobs, ledgers
from redwell.runtime.machine import machine_name
from redwell.runtime.settings import Settings, home_folder, load_settings


def run_doctor(args: argparse.Namespace) -> int:
    settings = load_settings(args.set)
    layers, refusal = sandbox_layers(settings)
    database, database_reached = _reached(ledgers.described, settings.database)
    stored, blobs_reached = _reached(blobs.described, settings.blobs)
    home = home_folder()
    nearest = next(p for p in (home, *home.parents) if p.exists())
    findings = {
        "redwell": __version__,
        "python": platform.python_version(),
        "host": machine_name(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "home": str(home),
        "free_mb": shutil.disk_usage(nearest).free >> 20,
        "handlers": discover(),
        "libraries": installed(),
        "sandbox": layers,
        "refused": refusal,
        "database": database,
        "blobs": stored,
        "settings": settings.shown(),
    }
    print(json.dumps(findings) if args.json else _in_words(findings))
    if refusal:
        return ExitCode.SANDBOX_UNAVAILABLE
    if not database_reached:
        return ExitCode.DATABASE_UNAVAILABLE
    return ExitCode.OK if blobs_reached else ExitCode.SERVICE_UNAVAILABLE


def sandbox_layers(settings: Settings) -> tuple[dict[str, str], str]:
    """Start one real child and ask it; the layers, and why it refused to start."""
    with tempfile.TemporaryDirectory(prefix="redwell-doctor-") as scratch:
        limits = LaneLimits(wall_s=30, rss_mb=1024)
        config = ChildConfig(
            handlers=tuple(discover()),
            readable=(),
            scratch=Path(scratch),
            sandbox="best" if settings.sandbox == "best" else "required",
            small=limits,
            large=limits,
        )
        pool = Pool(config, 1)
        try:
            return pool.layers(), ""
        except UserError as error:
            return {}, str(error)
        finally:
            pool.close()


def _reached(described: Callable[[str], str], url: str) -> tuple[str, bool]:
    """Where new cases are kept, or why not, and whether it can be reached."""
    try:
        return described(url), True
    except RedwellError as error:
        return f"REFUSED: {error}", False


def _library(name: str, found: list[str]) -> str:
    return name if name in found else f"{name} (MISSING)"


def _in_words(findings: dict[str, Any]) -> str:
    plain = ("redwell", "python", "host", "system", "cores", "home", "free_mb", "database", "blobs")
    lines = [f"{key}: {findings[key]}" for key in plain]
    lines.append("handlers: " + ", ".join(name.rpartition(".")[2] for name in findings["handlers"]))
    lines.append("system libraries: " + ", ".join(_library(name, findings["libraries"]) for name in SONAMES))
    lines.append("sandbox:" if findings["sandbox"] else f"sandbox: REFUSED: {findings['refused']}")
    lines += [f"  {layer}: {state}" for layer, state in findings["sandbox"].items()]
    lines.append("settings:")
    docs = {f.name: f.metadata["doc"] for f in fields(Settings)}
    lines += [f"  {key}={value}  ({docs[key]})" for key, value in findings["settings"].items()]
    return "\n".join(lines)
