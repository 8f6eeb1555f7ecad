"""`redwell nist`: make a list of known files, or say what is in one."""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.known_files import build_known_files, describe_known_files


def run_nist(args: argparse.Namespace) -> int:
    for told in [_built(args)] if args.action == "build" else map(describe_known_files, args.files):
        if args.json:
            print(json.dumps(told))
        else:
            print("\n".join(f"{name}: {value}" for name, value in told.items()))
    return ExitCode.OK


def _built(args: argparse.Namespace) -> dict[str, Any]:
    started = time.monotonic()
    return {**build_known_files(args.files, Path(args.output)), "seconds": round(time.monotonic() - started, 3)}
