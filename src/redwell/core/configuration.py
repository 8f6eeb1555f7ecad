"""A file of settings by environment and region (SPEC D12), as layers one over the other. Pure.

Settings stand at the top of the file, in `[environments.NAME]`, and in `[environments.NAME.regions.REGION]`. A pair
that the file does not have is refused: nothing is ever taken from another environment.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from redwell.core.errors import UserError

ENVIRONMENTS, REGIONS = "environments", "regions"
WITHOUT_REGIONS = frozenset({"dev"})


class Given(NamedTuple):
    """A setting's value as a person wrote it, and where."""

    value: str
    origin: str


class Chosen(NamedTuple):
    environment: str = ""
    region: str = ""


def layered(document: Mapping[str, Any], chosen: Chosen, file: str) -> dict[str, Given]:
    """What the file says for an environment and region; the more special one wins."""
    found: dict[str, Given] = {}
    for origin, table in _layers(document, chosen, file):
        for key, value in table.items():
            if key not in (ENVIRONMENTS, REGIONS):
                found[key] = Given(_as_text(key, value, origin), origin)
    return found


def pairs(document: Mapping[str, Any]) -> Iterator[Chosen]:
    """Every environment and region that can be chosen."""
    environments = _table(document.get(ENVIRONMENTS, {}), ENVIRONMENTS)
    if not environments:
        yield Chosen()
    for name, environment in environments.items():
        regions = _table(environment, name).get(REGIONS, {})
        if not regions or name in WITHOUT_REGIONS:
            yield Chosen(name)
        else:
            yield from (Chosen(name, region) for region in _table(regions, REGIONS))


def nearest(key: str, known: list[str]) -> str:
    """What somebody may have meant."""
    close = get_close_matches(key, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _layers(document: Mapping[str, Any], chosen: Chosen, file: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield file, document
    environments = _table(document.get(ENVIRONMENTS, {}), ENVIRONMENTS)
    if not environments and not chosen.environment:
        return
    environment = _one_of(environments, chosen.environment, "environment", file)
    yield f"{file} [{chosen.environment}]", environment
    regions = _table(environment.get(REGIONS, {}), REGIONS)
    if regions and chosen.environment not in WITHOUT_REGIONS:
        region = _one_of(regions, chosen.region, "region", file)
        yield f"{file} [{chosen.environment}, {chosen.region}]", region


def _one_of(tables: Mapping[str, Any], name: str, what: str, file: str) -> Mapping[str, Any]:
    if name in tables:
        return _table(tables[name], name)
    known = ", ".join(tables) or "none"
    told = f"there is no {what} {name!r}" if name else f"no {what} is chosen"
    raise UserError(f"{file}: {told}; set REDWELL_{what.upper()} to one of: {known}")


def _table(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UserError(f"{name!r} has to be a table of the file of settings, not {value!r}")
    return value


def _as_text(key: str, value: Any, origin: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    raise UserError(f"{origin}: {key} has to be a text or a whole number, not {value!r}")
