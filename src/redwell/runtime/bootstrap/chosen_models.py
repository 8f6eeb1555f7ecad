"""Which cases of a home have chosen a model, for whoever has to know where evidence may go: `redwell doctor`."""

from contextlib import closing
from pathlib import Path

from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.core.errors import RedwellError
from redwell.core.understanding.models import ModelChoice
from redwell.runtime.bootstrap.cases.case_places import CasePlaces
from redwell.runtime.bootstrap.open_reader import open_rows
from redwell.runtime.bootstrap.settings import Settings


def chosen_models(home: Path, settings: Settings) -> dict[str, ModelChoice]:
    """By case, without those that read by rules alone; a case that can't be asked now is left out."""
    found: dict[str, ModelChoice] = {}
    if not home.is_dir():
        return found
    with closing(CasePlaces(home, settings)) as places:
        for place in places.all():
            try:
                with closing(SqlCaseReader(open_rows(place.folder, place.note, settings.database))) as rows:
                    rows.info()
                    choice = rows.model()
            except RedwellError:
                continue
            if choice.kind != "none":
                found[place.name] = choice
    return found
