"""Pages of volumes: what is wrong with one that came, its columns, its import; one of ours written and fetched."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import Response
from pydantic import ValidationError

from redwell.core.errors import Conflict, RedwellError, UserError
from redwell.core.loadfiles.fields import FIELDS
from redwell.entrypoints.http import shapes, volume_routes
from redwell.entrypoints.http.case_routes import begin_import
from redwell.entrypoints.http.upload_routes import begin_upload
from redwell.entrypoints.http.visits import Exporting, Importing, Visit
from redwell.entrypoints.web.production_pages import production_page
from redwell.entrypoints.web.rendering import page, to
from redwell.runtime.loadfiles.volume import only_folder
from redwell.runtime.serving.imports import Imports, NewImport
from redwell.runtime.serving.volume_look import Look, look_at

router = APIRouter(prefix="/cases/{case}")
Text = Annotated[str, Form(max_length=10_000)]
Upload = Annotated[str, Query(pattern="^([0-9a-f]{32})?$")]


@router.get("/volumes")
def looked(
    request: Request, visit: Importing, source: Annotated[str, Query(max_length=4_000)] = "", upload: Upload = ""
) -> Response:
    return _looked(request, visit, source.strip(), upload)


def _looked(request: Request, visit: Visit, source: str, upload: str, wrong: str = "") -> Response:
    found: Look | None = None
    if source or upload:
        try:
            found = _look(visit, source, upload)
        except RedwellError as error:
            wrong = wrong or str(error)
    shown = {"look": found, "source": source, "upload": upload, "wrong": wrong, "fields": FIELDS}
    return page(request, "volume.html", visit.who, 400 if wrong else 200, visit=visit, **shown)


def _look(visit: Visit, source: str, upload: str) -> Look:
    if upload:
        return look_at(only_folder(visit.home.uploads.laid_out(visit.case.number, upload)))
    return Imports(visit.home.home, visit.home.settings).look_at_volume(source)


async def filled(request: Request) -> dict[str, str]:
    return {name: str(value)[:10_000] for name, value in (await request.form(max_fields=20_000)).items()}


@router.post("/volumes")
def import_it(request: Request, visit: Importing, form: Annotated[dict[str, str], Depends(filled)]) -> Response:
    """Columns come as `column N` (its name) and `field N` (what it is)."""
    source, upload = form.get("source", ""), form.get("upload", "")
    numbers = [name.removeprefix("column ") for name in form if name.startswith("column ")]
    mapping = {form[f"column {n}"]: form.get(f"field {n}", "") for n in numbers}
    asked: dict[str, Any] = {"custodian": form.get("custodian", "").strip() or None, "type": "loadfile"}
    asked["options"] = {"loadfile_text": "extracted"} if form.get("text") == "extracted" else {}
    try:
        if upload:
            batch = begin_upload(visit, upload, NewImport(**asked, mapping=mapping))
        else:
            batch = begin_import(visit, shapes.ImportAsked(**asked, sources=[source], mapping=mapping))
    except (UserError, Conflict, ValidationError) as error:
        return _looked(request, visit, source, upload, str(error))
    return to(f"/cases/{visit.case.number}/imports/{batch}")


@router.post("/productions/{name}/volume")
def write(
    request: Request, visit: Exporting, name: str, preset: Text = "relativity", volume: Text = "VOL001",
    images: Text = "", accept: Annotated[list[str] | None, Form()] = None, elsewhere: Text = "",
) -> Response:  # fmt: skip
    told: Any = {"name": name, "preset": preset, "volume": volume.strip(), "accept": accept or []}
    told |= {"options": {"images": images} if images else {}, "confirm_elsewhere": bool(elsewhere)}
    try:
        volume_routes.begin(visit, volume_routes.VolumeAsked(**told))
    except ValidationError as error:
        return production_page(request, visit, name, f"{error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']}")
    except (UserError, Conflict) as error:
        return production_page(request, visit, name, str(error))
    return to(f"/cases/{visit.case.number}/productions/{name}")


@router.get("/productions/{name}/volume.zip")
def fetched(visit: Exporting, name: str) -> Response:
    return volume_routes.archive(visit, name)
