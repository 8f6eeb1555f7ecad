"""The file of settings: `redwell.toml` in the home, or the one that REDWELL_CONFIG names. Read with the settings."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redwell.core.configuration import Chosen, Given, layered
from redwell.core.errors import UserError

NAME = "redwell.toml"


def config_path(environ: Mapping[str, str], home: Path) -> Path | None:
    """None: there is no file, and nobody has named one."""
    if named := environ.get("REDWELL_CONFIG"):
        return Path(named).absolute()
    path = home / NAME
    return path if path.is_file() else None


def chosen_by(environ: Mapping[str, str]) -> Chosen:
    return Chosen(environ.get("REDWELL_ENVIRONMENT", ""), environ.get("REDWELL_REGION", ""))


def from_file(environ: Mapping[str, str], home: Path) -> dict[str, Given]:
    path = config_path(environ, home)
    return layered(read_config(path), chosen_by(environ), path.name) if path else {}


def read_config(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"the file of settings {path} can't be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"the file of settings {path} is no TOML: {error}") from None
