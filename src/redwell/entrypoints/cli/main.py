"""The `redwell` command: parse, call, print. Results go to stdout, everything else to stderr."""

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from redwell.core.errors import (
    DatabaseUnavailable,
    DiskFull,
    NotFound,
    RedwellError,
    SandboxUnavailable,
    ServiceUnavailable,
    UserError,
)
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.parser import build_parser


def main(argv: Sequence[str] | None = None) -> int:
    args = build_parser().parse_args(argv)
    try:
        return call(args.command, args)
    except RedwellError as error:
        print(f"redwell: {error}", file=sys.stderr)
        return exit_code_of(error)
    except KeyboardInterrupt:
        print("redwell: interrupted; nothing is lost", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # `redwell documents | head` is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK


def call(command: str, args: Namespace) -> int:
    """A command by its name in the grammar; its module imports what it needs, and none of the others is imported."""
    module, _, function = command.partition(".")
    gc.disable()  # modules stay: to look for cycles among them takes a tenth of the start
    try:
        chosen = import_module(f"redwell.entrypoints.cli.{module}")
    finally:
        gc.enable()
    code: int = getattr(chosen, function)(args)
    return code


def exit_code_of(error: RedwellError) -> ExitCode:
    """By class, never by text."""
    if isinstance(error, NotFound):
        return ExitCode.NOT_FOUND
    if isinstance(error, SandboxUnavailable):
        return ExitCode.SANDBOX_UNAVAILABLE
    if isinstance(error, DiskFull):
        return ExitCode.DISK_FULL
    if isinstance(error, DatabaseUnavailable):
        return ExitCode.DATABASE_UNAVAILABLE
    if isinstance(error, ServiceUnavailable):
        return ExitCode.SERVICE_UNAVAILABLE
    return ExitCode.USAGE if isinstance(error, UserError) else ExitCode.INTERNAL_ERROR


if __name__ == "__main__":
    sys.exit(main())
