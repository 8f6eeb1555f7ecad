"""Everything that the API promises by name has a route, and nothing of it has gone."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from redwell.entrypoints.http.app import API, make_app
from redwell.runtime.serving.served_home import ServedHome

pytestmark = pytest.mark.requirement("F1")
CASE, DOCUMENT = "/cases/{case}", "/cases/{case}/documents/{document}"
BATCH, FILE = "/cases/{case}/batches/{batch}", "/cases/{case}/uploads/{upload}/files/{file}"
NOUNS = {
    "cases": ["GET /cases", "POST /cases", f"GET {CASE}"],
    "members": [f"GET {CASE}/members", f"PUT {CASE}/members/{{name}}", f"DELETE {CASE}/members/{{name}}"],
    "imports from a server path": [f"POST {CASE}/batches"],
    "imports by upload": [f"POST {CASE}/uploads", f"POST {CASE}/uploads/{{upload}}/import"],
    "files that can be resumed": [f"POST {CASE}/uploads/{{upload}}/files", f"PATCH {FILE}", f"HEAD {FILE}"],
    "cancel": [f"POST {BATCH}/cancel"],
    "batch status": [f"GET {CASE}/batches", f"GET {BATCH}"],
    "live events": [f"GET {BATCH}/events"],
    "documents": [f"GET {CASE}/documents", f"GET {DOCUMENT}"],
    "families": [f"GET {DOCUMENT}/family"],
    "threads": [f"GET {DOCUMENT}/thread"],
    "text": [f"GET {DOCUMENT}/text"],
    "natives": [f"GET {DOCUMENT}/native"],
    "PDFs": [f"GET {DOCUMENT}/pdf"],
    "page images": [f"GET {DOCUMENT}/pages", f"GET {DOCUMENT}/pages/{{page}}/image"],
    "word boxes": [f"GET {DOCUMENT}/pages/{{page}}/words"],
    "search": [f"GET {CASE}/search"],
    "term reports": [f"POST {CASE}/terms"],
    "tags": [f"GET {CASE}/tags", f"POST {CASE}/tags", f"POST {CASE}/coding", f"POST {CASE}/coding/{{change}}/undo"],
    "notes": [f"POST {DOCUMENT}/notes"],
    "review batches": [f"GET {CASE}/rounds", f"POST {CASE}/rounds", f"POST {CASE}/rounds/{{number}}/portion"],
    "saved searches": [f"GET {CASE}/searches", f"POST {CASE}/searches"],
    "exceptions": [f"GET {CASE}/exceptions"],
    "retry": [f"POST {CASE}/retry"],
    "parked": [f"GET {CASE}/parked"],
    "audit": [f"GET {CASE}/audit"],
    "workers": ["GET /workers"],
    "health": ["GET /health"],
    "readiness": ["GET /ready"],
    "metrics": ["GET /metrics"],
}


def described(tmp_path: Path) -> dict[str, Any]:
    home = cast(ServedHome, SimpleNamespace(home=tmp_path, signing_key=bytes(32)))
    paths: dict[str, Any] = make_app(home).openapi()["paths"]
    return paths


@pytest.mark.parametrize("noun", NOUNS)
def test_what_the_api_promises_by_name_has_a_route(noun: str, tmp_path: Path) -> None:
    paths = described(tmp_path)
    routes = {f"{method.upper()} {path.removeprefix(API)}" for path, methods in paths.items() for method in methods}
    assert set(NOUNS[noun]) - routes == set()
