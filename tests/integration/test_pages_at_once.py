"""A page of a PDF that nobody has made anything of is drawn when somebody looks at it."""

from collections.abc import Iterator

import pytest
from tests.support.pdf_files import document_of, saved
from tests.support.web import Api, import_into, served_api

from redwell.core.access.rights import Role

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("A7", "F1")]
PAGES = 230


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "in").mkdir()
    leaves = [f"leaf {number} of the valve" for number in range(1, PAGES + 1)]
    (folder / "in" / "long.pdf").write_bytes(saved(document_of(*leaves)))
    (folder / "in" / "short.pdf").write_bytes(saved(document_of("one", "two")))
    (folder / "in" / "note.txt").write_text("no pages")
    import_into(folder / "home", "A", folder / "in")
    with served_api(folder / "home") as api:
        api.person("rita", A=Role.REVIEWER)
        yield api


def document(api: Api, name: str) -> str:
    [hit] = api.get("rita", "/cases/1/search", params={"q": f"name:{name}"}).json()["hits"]
    return f"/cases/1/documents/{hit['document']['id']}"


def test_any_page_is_drawn_at_once_with_the_hit_marked(api: Api) -> None:
    path = document(api, "long")
    assert api.get("rita", f"{path}/pages").json()["pages"] == PAGES
    for page in (1, 200):
        image = api.get("rita", f"{path}/pages/{page}/image")
        assert image.content.startswith(b"\x89PNG") and image.headers["content-type"] == "image/png"
    told = api.get("rita", f"{path}/pages/200/marks", params={"q": '"leaf 200"'}).json()
    assert [(mark["colour"], mark["nth"]) for mark in told["marks"]] == [("a", 0), ("a", 0)]
    assert api.get("rita", f"{path}/pages/{PAGES + 1}/image").status_code == 404
    assert api.get("rita", f"{document(api, 'note')}/pages/1/image").status_code == 404


def test_a_hit_on_a_late_page_says_so_in_the_list_and_opens_there(api: Api) -> None:
    found = api.get("rita", "/cases/1/search", params={"q": '"leaf 211"'}).json()["hits"][0]
    assert found["page"] == 211
    headers = {"Authorization": f"Bearer {api.secrets['rita']}"}
    path = f"/cases/1/documents/{found['document']['id']}/pane"
    pane = api.client.get(path, params={"q": '"leaf 211"'}, headers=headers).text
    assert f'data-pages="{PAGES}" data-places="211,a,0" data-exact' in pane and "p. 211" in pane


def test_a_page_fetched_ahead_is_not_read_yet_and_many_pages_are_one_look(api: Api) -> None:
    path = document(api, "short")
    api.get("rita", f"{path}/pages/1/image", params={"ahead": True})
    assert api.get("rita", f"{path}/history").json()["entries"] == []
    for page in (1, 2):
        assert api.get("rita", f"{path}/pages/{page}/image").status_code == 200
    assert [entry["action"] for entry in api.get("rita", f"{path}/history").json()["entries"]] == ["viewed"]
