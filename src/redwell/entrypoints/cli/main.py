"""The `redwell` command: parse, call, print. Results go to stdout, everything else to stderr."""

import os
import sys
from collections.abc import Sequence

from redwell.core.errors import (
    DatabaseUnavailable,
    DiskFull,
    RedwellError,
    SandboxUnavailable,
    ServiceUnavailable,
    UserError,
)
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.parser import build_parser
from redwell.runtime.cases import NoSuchCase
from redwell.runtime.imports import NoSuchBatch, NoSuchSource


def main(argv: Sequence[str] | None = None) -> int:
    args = build_parser().parse_args(argv)
    try:
        return int(args.command(args))
    except RedwellError as error:
        print(f"redwell: {error}", file=sys.stderr)
        return exit_code_of(error)
    except KeyboardInterrupt:
        print("redwell: interrupted; nothing is lost", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # `redwell documents | head` is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK


def exit_code_of(error: RedwellError) -> ExitCode:
    """By class, never by text."""
    if isinstance(error, NoSuchCase | NoSuchSource | NoSuchBatch):
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
