"""The `redwell` command: parse, call, print. Results go to stdout, everything else to stderr."""

import errno
import gc
import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from redwell.core.errors import (
    DatabaseUnavailable,
    DiskFull,
    NotFound,
    Recoverable,
    RedwellError,
    SandboxUnavailable,
    UserError,
    is_full,
)
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.parser import build_parser
from redwell.runtime.bootstrap.settings import home_folder, misspelt_variables


def main(argv: Sequence[str] | None = None) -> int:
    _print_anything()
    args = build_parser().parse_args(argv)
    for told in misspelt_variables():
        print(f"redwell: {told}", file=sys.stderr)
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
    except OSError as error:
        return _told(error)


def _print_anything() -> None:
    """Names that a terminal or pipe has no letters for are spelled out: a listing never ends over one."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _told(error: OSError) -> int:
    """A full disk, or a home that can't be used, is the user's affair; anything else is ours and is raised."""
    where = os.fsdecode(error.filename or "") if not isinstance(error.filename, int) else ""
    if is_full(error):
        print(f"redwell: no space left{f' for {where}' if where else ''}; make room, then try again", file=sys.stderr)
        return ExitCode.DISK_FULL
    home = str(home_folder())
    if not where or os.path.commonpath([home, os.path.abspath(where)]) not in (home, os.path.abspath(where)):
        raise error
    why = "it is no folder" if error.errno in (errno.EEXIST, errno.ENOTDIR) else error.strerror
    print(f"redwell: REDWELL_HOME {home} can't be used: {where}: {why}", file=sys.stderr)
    return ExitCode.USAGE


def call(command: str, args: Namespace) -> int:
    """A command by its name in the grammar; its module imports what it needs, and none of the others is imported."""
    module, _, function = command.rpartition(".")
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
    if isinstance(error, Recoverable):
        return ExitCode.SERVICE_UNAVAILABLE
    return ExitCode.USAGE if isinstance(error, UserError) else ExitCode.INTERNAL_ERROR


if __name__ == "__main__":
    sys.exit(main())
