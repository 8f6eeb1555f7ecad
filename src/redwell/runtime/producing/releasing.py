"""Writes a production's volume, from the case's name on. Called by the command line, and by a process of the server."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from redwell.core.compression import PRODUCED_QUALITY
from redwell.core.errors import UserError
from redwell.core.production.conflicts import Conflict, blocking
from redwell.core.production.volume_options import options_of
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_productions import stores_of
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.producing import creating
from redwell.runtime.producing.begun_volume import refuse_finished
from redwell.runtime.producing.case_materials import CaseMaterials
from redwell.runtime.producing.pool_for_out import printing_for
from redwell.runtime.producing.released import Released
from redwell.runtime.producing.writing import Request, write_production

_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    case: str
    production: str
    target: Path
    who: str
    preset: str = "relativity"
    volume: str = "VOL001"
    given: Mapping[str, str] = field(default_factory=dict)  # options of the volume
    accept: Sequence[str] = ()
    confirm_elsewhere: bool = False


def release(home: Path, settings: Settings, order: Order, tell: Callable[[int], None]) -> Released:
    """UserError where something stands against it, or words that are hidden can be read in it."""
    refuse_finished(order.target)
    options = options_of(order.preset, order.volume, {**_by_settings(settings), **order.given})
    with open_case(home, order.case, settings) as case:
        store, review = stores_of(home, order.case, settings)
        with closing(store), closing(review):
            made = store.find(order.production)
            members, found = creating.standing_of(made, case.rows, store, review)
            if bad := blocking(found, order.accept):
                raise UserError(_against(bad))
            with printing_for(case, _readable(order.target)) as printing:
                request = Request(
                    production=made,
                    options=options,
                    target=order.target,
                    who=order.who,
                    accepted=[each for each in found if each.rule.blocks],
                    confirm_elsewhere=order.confirm_elsewhere,
                    closed=creating.closed_by_others(made, members, case.rows, (store, review)),
                    tell=tell,
                )
                materials = CaseMaterials(case.rows, case.blobs, case.blobs)
                return write_production(case, store, materials, printing, request)


def _by_settings(settings: Settings) -> dict[str, str]:
    """What the volume's options say nothing of."""
    return {"tiff": settings.tiff_compression, "quality": str(settings.jpeg_quality or PRODUCED_QUALITY)}


def _against(bad: Sequence[Conflict]) -> str:
    lines = [f"{each.control} {each.code}: {each.rule.meaning} [{each.rule.remedy}]" for each in bad[:_SHOWN]]
    more = [f"and {len(bad) - _SHOWN:,} more"] if len(bad) > _SHOWN else []
    told = f"{len(bad):,} findings stand against letting it go: mend them, or --accept CODE or NUMBER"
    return "\n".join([told, *lines, *more])


def _readable(target: Path) -> Path:
    """What is written, which children read again; it has to be there before they are."""
    if target.exists():
        return target.absolute()
    part = target.with_name(f"{target.name}.part").absolute()
    part.mkdir(parents=True, exist_ok=True)
    return part
