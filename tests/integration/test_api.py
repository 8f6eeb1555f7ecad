"""The API over a real home: policy, search, coding, documents. The server's own application, without a socket."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.product import ask
from tests.support.web import API, Api, add_page, hostile_evidence, import_into, served_api

from redwell.client import ApiError, Client
from redwell.core.access.rights import Right, Role, Scope
from redwell.core.page_words import PageWords, Word, encode
from redwell.runtime.bootstrap.open_statuses import open_statuses
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep.event_files import bring_up_to_date

pytestmark = pytest.mark.xdist_group("web")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("api")
    evidence = hostile_evidence(folder / "evidence")
    for case in ("A", "B"):
        import_into(folder / "home", case, evidence)
    return folder / "home"


@pytest.fixture(scope="module")
def api(home: Path) -> Iterator[Api]:
    with served_api(home) as api:
        api.person("admin", admin=True)
        api.person("ada", A=Role.ADMIN)
        api.person("rita", A=Role.REVIEWER)
        api.person("rob", A=Role.READ_ONLY)
        api.person("bob", B=Role.REVIEWER)
        yield api


def first(api: Api, who: str, case: int, query: str = "coating") -> dict[str, Any]:
    return api.get(who, f"/cases/{case}/search", params={"q": query}).json()["hits"][0]


def test_health_and_metrics_need_nobody_and_name_no_case(api: Api) -> None:
    assert api.client.get(f"{API}/health").json() == {"status": "ok"}
    assert api.client.get(f"{API}/ready").status_code == 200
    page = api.client.get(f"{API}/metrics").text
    assert 'route="home_routes.health"' in page
    assert "/cases/1" not in page


def test_without_a_token_nothing_is_told(api: Api) -> None:
    for path in ("/cases", "/cases/1", "/cases/1/search", "/me", "/users", "/jobs"):
        answer = api.client.get(API + path)
        assert (answer.status_code, answer.json()["code"]) == (401, "sign-in"), path
        assert answer.headers["content-type"] == "application/problem+json"


PATHS = [
    "",
    "/batches",
    "/batches/1",
    "/batches/1/events",
    "/exceptions",
    "/parked",
    "/report",
    "/audit",
    "/members",
    "/documents",
    "/documents/1",
    "/documents/1/family",
    "/documents/1/copies",
    "/documents/1/thread",
    "/documents/1/near",
    "/documents/1/text",
    "/documents/1/native",
    "/documents/1/pages",
    "/documents/1/pages/1/image",
    "/documents/1/pages/1/words",
    "/documents/1/pages/1/marks",
    "/documents/1/history",
    "/search",
    "/export",
    "/search/histogram",
    "/rounds",
    "/operations",
    "/term-sets",
    "/uploads",
    "/tags",
    "/searches",
]


@pytest.mark.parametrize("path", PATHS)
def test_who_is_no_member_cannot_tell_a_case_from_none(api: Api, path: str) -> None:
    """Also an administrator of the home, once the case has members."""
    for who in ("bob", "admin"):
        there, nowhere = api.get(who, f"/cases/1{path}"), api.get(who, f"/cases/77{path}")
        assert (there.status_code, there.json()) == (nowhere.status_code, nowhere.json())
        assert there.status_code == 404


@pytest.mark.parametrize(
    "method, path, body",
    [
        ("POST", "/batches", {"sources": ["/tmp"]}),
        ("POST", "/batches/1/cancel", None),
        ("POST", "/retry", {"outcome": "EMPTY"}),
        ("POST", "/tags", {"name": "x"}),
        ("POST", "/coding", {"tag": 1, "documents": [1]}),
        ("POST", "/coding/preview", {"tag": 1, "documents": [1]}),
        ("POST", "/coding/1/undo", None),
        ("POST", "/searches", {"name": "x", "query": "x"}),
        ("DELETE", "/searches/1", None),
        ("POST", "/documents/1/notes", {"text": "x"}),
        ("PUT", "/members/bob", {"role": "admin"}),
        ("DELETE", "/members/ada", None),
    ],
)
def test_every_change_needs_membership_and_the_right(api: Api, method: str, path: str, body: object) -> None:
    assert api.ask("bob", method, f"/cases/1{path}", json=body).status_code == 404
    assert api.ask("rob", method, f"/cases/1{path}", json=body).json()["code"] == "forbidden"


def test_lists_of_the_home_show_ones_own_cases_only(api: Api) -> None:
    assert [case["name"] for case in api.get("bob", "/cases").json()["cases"]] == ["B"]
    assert {job["case"] for job in api.get("bob", "/jobs?ended=true").json()["jobs"]} == {"B"}
    assert api.get("admin", "/cases").json()["cases"] == []


def test_a_token_may_do_no_more_than_it_was_given(api: Api) -> None:
    api.person("tim", A=Role.ADMIN, B=Role.ADMIN, scope=Scope(rights=frozenset({Right.READ}), cases=frozenset({2})))
    assert api.get("tim", "/cases/2/search").status_code == 200
    assert api.get("tim", "/cases/1/search").status_code == 404
    assert api.get("tim", "/cases/2/export").status_code == 403
    more = api.ask("tim", "POST", "/tokens", json={"name": "more", "rights": ["manage", "read"]}).json()
    assert (more["rights"], more["cases"]) == (["read"], [2])
    assert api.ask("tim", "POST", "/cases", json={"name": "new"}).status_code == 403


def test_a_search_tells_positions_snippets_facets_and_how_it_was_understood(api: Api) -> None:
    found = api.get("ada", "/cases/1/search", params={"q": "coating damage*", "limit": 2}).json()
    assert found["understood"] == "(coating AND damage*)"
    hit = found["hits"][0]
    text = api.get("ada", f"/cases/1/documents/{hit['document']['id']}/text").text
    assert {text[p["start"] : p["end"]].lower() for p in hit["positions"]} == {"coating", "damage"}
    assert "[[coating]]" in hit["snippet"]
    assert sum(found["facets"]["kind"].values()) == found["total"]


def test_pages_of_hits_follow_each_other_without_gap(api: Api) -> None:
    every = api.get("ada", "/cases/1/search", params={"limit": 500}).json()
    keys, after = [], ""
    while True:
        page = api.get("ada", "/cases/1/search", params={"limit": 2, "after": after}).json()
        keys += [hit["document"]["id"] for hit in page["hits"]]
        if not (after := page["next"]):
            break
    assert keys == [hit["document"]["id"] for hit in every["hits"]]
    assert len(keys) == every["total"]


def test_a_query_that_cannot_be_read_is_a_problem_that_says_where(api: Api) -> None:
    answer = api.get("ada", "/cases/1/search", params={"q": "coating AND ("})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")
    assert "column" in answer.json()["detail"]


def test_tags_are_set_found_previewed_and_undone(api: Api) -> None:
    tag = api.ask("ada", "POST", "/cases/1/tags", json={"name": "Responsive"}).json()["id"]
    body = {"tag": tag, "query": "coating"}
    preview = api.ask("rita", "POST", "/cases/1/coding/preview", json=body).json()
    changed = api.ask("rita", "POST", "/cases/1/coding", json=body).json()
    assert preview["changing"] == changed["exhibits"] > 1
    found = api.get("rita", "/cases/1/search", params={"tag": tag}).json()
    assert found["total"] == changed["exhibits"]
    assert found["understood"] == "everything AND tagged “Responsive”"
    assert all(hit["tags"] == ["Responsive"] for hit in found["hits"])
    rest = api.get("rita", "/cases/1/search", params={"without": tag}).json()["total"]
    assert rest + found["total"] == api.get("rita", "/cases/1/search").json()["total"]
    undone = api.ask("rita", "POST", f"/cases/1/coding/{changed['change']}/undo").json()
    assert undone["exhibits"] == changed["exhibits"]
    assert api.get("rita", "/cases/1/search", params={"tag": tag}).json()["total"] == 0


def test_all_of_a_portion_and_all_that_is_unread_are_tagged_as_one(api: Api) -> None:
    tag = api.ask("ada", "POST", "/cases/1/tags", json={"name": "Of a list"}).json()["id"]
    made = api.ask("ada", "POST", "/cases/1/rounds", json={"name": "All", "query": "", "size": 2}).json()
    api.ask("rita", "POST", f"/cases/1/rounds/{made['id']}/portion")
    api.home.viewed(1, "rita", first(api, "rita", 1)["document"]["id"])
    api.home.flush()
    for narrowed in ({"round": made["id"]}, {"read": "read"}, {"read": "unread"}):
        params = {"seen" if name == "read" else name: value for name, value in narrowed.items()}
        listed = api.get("rita", "/cases/1/search", params=params).json()
        body = {"tag": tag, "query": "", **narrowed}
        preview = api.ask("rita", "POST", "/cases/1/coding/preview", json=body).json()
        changed = api.ask("rita", "POST", "/cases/1/coding", json=body).json()
        tagged = api.get("rita", "/cases/1/search", params={"tag": tag}).json()
        keys = [{hit["document"]["id"] for hit in found["hits"]} for found in (listed, tagged)]
        assert 0 < preview["documents"] == listed["total"] == changed["exhibits"]
        assert keys[0] == keys[1]
        api.ask("rita", "POST", f"/cases/1/coding/{changed['change']}/undo")
    assert api.ask("ada", "DELETE", f"/cases/1/rounds/{made['id']}").status_code == 204


def test_two_who_decide_at_once_are_told(api: Api) -> None:
    tag = api.ask("ada", "POST", "/cases/1/tags", json={"name": "Privileged"}).json()["id"]
    key = first(api, "rita", 1)["document"]["id"]
    seen = api.get("rita", f"/cases/1/documents/{key}").json()["version"]
    body = {"tag": tag, "documents": [key], "seen": seen}
    assert api.ask("ada", "POST", "/cases/1/coding", json=body).status_code == 200
    late = api.ask("rita", "POST", "/cases/1/coding", json={**body, "on": False})
    assert (late.status_code, late.json()["code"]) == (409, "conflict")


def test_a_family_is_a_mail_with_its_attachments(api: Api) -> None:
    key = first(api, "ada", 1, "flange")["document"]["id"]
    family = api.get("ada", f"/cases/1/documents/{key}/family").json()["documents"]
    assert [member["kind"] for member in family] == ["mail", "text"]


def test_natives_are_stored_and_never_shown(api: Api) -> None:
    for hit in api.get("ada", "/cases/1/search").json()["hits"]:
        document = hit["document"]
        answer = api.get("ada", f"/cases/1/documents/{document['id']}/native")
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["content-security-policy"].startswith("sandbox")
        assert answer.headers["x-content-type-options"] == "nosniff"
        disposition = answer.headers["content-disposition"]
        assert disposition.startswith('attachment; filename="') and "<" not in disposition and "\n" not in disposition
        assert len(answer.content) == document["size"]


def test_an_export_has_every_hit_and_no_formula(api: Api) -> None:
    total = api.get("rita", "/cases/1/search").json()["total"]
    rows = list(csv.DictReader(io.StringIO(api.get("rita", "/cases/1/export").text)))
    lines = api.get("rita", "/cases/1/export", params={"format": "jsonl"}).text.splitlines()
    assert len(rows) == len(lines) == total
    assert {row["control_number"] for row in rows} == {json.loads(li)["document"]["control_number"] for li in lines}
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


def test_every_look_is_in_the_audit_log_and_verify_finds_it_whole(api: Api, home: Path) -> None:
    key = first(api, "rita", 1)["document"]["id"]
    api.get("rita", f"/cases/1/documents/{key}/text")
    api.get("rita", f"/cases/1/documents/{key}/native")
    entries = api.get("ada", "/cases/1/audit", params={"limit": 1000}).json()["entries"]
    told = {(entry["who"], entry["action"], entry["exhibit"]) for entry in entries}
    assert {("rita", "viewed", key), ("rita", "downloaded", key), ("rita", "searched", None)} <= told
    assert "rita" in first(api, "ada", 1)["read_by"]
    verified = ask(home, "verify", "--case", "A")
    assert verified.returncode == 0, verified.stdout


def test_a_case_keeps_an_administrator_and_members_are_set_by_one(api: Api) -> None:
    api.person("new")
    assert api.ask("ada", "PUT", "/cases/1/members/new", json={"role": "reviewer"}).status_code == 200
    assert api.get("new", "/cases/1").json()["rights"] == ["code", "export", "read"]
    assert api.ask("ada", "DELETE", "/cases/1/members/new").status_code == 204
    assert api.get("new", "/cases/1").status_code == 404
    api.person("tim", A=Role.READ_ONLY)
    assert api.ask("ada", "PUT", "/cases/1/members/ada", json={"role": "reviewer"}).status_code == 400


def test_a_term_report_counts_what_each_line_finds_alone_and_beside_the_others(api: Api) -> None:
    told = api.ask("ada", "POST", "/cases/1/terms", json={"terms": "coating\ncoating OR flange\n"}).json()["terms"]
    assert [row["term"] for row in told] == ["coating", "coating OR flange", "(all terms)"]
    assert told[0]["unique"] == 0 < told[1]["documents"] == told[2]["documents"]
    wrong = api.ask("ada", "POST", "/cases/1/terms", json={"terms": "coating\n(flange"})
    assert (wrong.status_code, "line 2" in wrong.json()["detail"]) == (400, True)


def test_a_person_who_is_disabled_is_out_at_once_and_comes_back_by_a_link(api: Api) -> None:
    api.person("zoe", A=Role.REVIEWER)
    boss = api.home.accounts.find("boss") or api.home.accounts.add("boss", admin=True)
    secret = api.home.credentials.new_session(boss.id, 60)
    cookie = f"redwell_session={api.sessions.signed(secret)}"
    headers = {"Cookie": cookie, "X-CSRF-Token": api.sessions.csrf(secret)}

    def ask(method: str, path: str) -> Any:
        return api.client.request(method, API + path, headers=headers)

    assert ask("DELETE", "/users/boss").json()["code"] == "bad-request"
    assert ask("DELETE", "/users/zoe").status_code == 204
    assert api.get("zoe", "/cases").status_code == 401
    assert ask("POST", "/users/zoe/link").status_code == 400
    assert ask("POST", "/users/zoe/enable").status_code == 204
    assert "/welcome/" in ask("POST", "/users/zoe/link").json()["link"]
    assert api.get("zoe", "/cases").status_code == 200
    assert api.ask("zoe", "POST", "/users/boss/link").status_code == 403


def test_a_body_that_is_too_large_or_not_as_described_is_refused(api: Api) -> None:
    headers = {"Authorization": f"Bearer {api.secrets['ada']}", "Content-Type": "application/json"}
    big = api.client.post(f"{API}/cases/1/tags", headers=headers, content=b"x" * (2 << 20))
    assert (big.status_code, big.json()["code"]) == (413, "too-large")
    pieces = (b"x" * (1 << 18) for _ in range(8))  # without a length
    chunked = api.client.post(f"{API}/cases/1/tags", headers=headers, content=pieces)
    assert (chunked.status_code, chunked.json()["code"]) == (413, "too-large")
    bodies: list[object] = [{"name": ""}, {"name": "a\x00b"}, {"name": "x", "more": 1}, []]
    for body in bodies:
        assert api.ask("ada", "POST", "/cases/1/tags", json=body).json()["code"] == "invalid"


def test_a_session_of_a_page_cannot_change_anything_without_the_word_of_the_page(api: Api) -> None:
    account = api.home.accounts.find("ada")
    assert account is not None
    api.home.accounts.set_password(account.id, "three words in a row")
    client = api.client
    form = {"name": "ada", "password": "three words in a row"}
    signed = client.post("/sign-in", data=form, follow_redirects=False)
    cookie = signed.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    try:
        assert client.get(f"{API}/me").json()["name"] == "ada"
        assert client.post(f"{API}/cases/1/tags", json={"name": "forged"}).json()["code"] == "forbidden"
        assert client.post("/cases/1/tags", data={"name": "forged"}).status_code == 403
        secret = client.cookies["redwell_session"].rpartition(".")[0]
        word = api.sessions.csrf(secret)
        made = client.post(f"{API}/cases/1/tags", json={"name": "ours"}, headers={"X-CSRF-Token": word})
        assert made.status_code == 201
    finally:
        client.cookies.clear()


@pytest.mark.parametrize("wanted", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"])
def test_signing_in_leads_nowhere_else(api: Api, wanted: str) -> None:
    page = api.client.get("/sign-in", params={"next": wanted}).text
    assert "evil" not in page and 'value="javascript' not in page


def test_the_page_of_a_case_of_others_is_the_page_of_none(api: Api) -> None:
    headers = {"Authorization": f"Bearer {api.secrets['bob']}"}
    for path in (
        "review",
        "imports",
        "imports/1",
        "exceptions",
        "operations",
        "settings",
        "documents/1/pane",
        "review/more",
    ):
        there = api.client.get(f"/cases/1/{path}", headers=headers)
        nowhere = api.client.get(f"/cases/77/{path}", headers=headers)
        assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)
        assert there.status_code == 404


def test_the_client_of_the_package_searches_reads_tags_and_undoes(api: Api) -> None:
    with Client(str(api.client.base_url), token=api.secrets["ada"]) as client:
        case = client.case("A")
        hits = list(case.search("coating", limit=2))
        assert hits[0].id in {row["id"] for row in case.documents(limit=2)}
        start, end = hits[0].positions[0]
        assert case.text(hits[0].id)[start:end].lower() == "coating"
        assert len(case.native(hits[0].id)) == hits[0].document["size"]
        assert case.calls.document(hits[0].id)["control_number"] == hits[0].control_number
        assert case.calls.native(hits[0].id) == case.native(hits[0].id)
        assert case.calls.text(hits[0].id) == case.text(hits[0].id)
        assert client.calls.health() == {"status": "ok"}
        tag = case.calls.make_tag({"name": "by a program"})["id"]
        change = case.tag(tag, [hit.id for hit in hits])
        assert len(list(case.search(tags=[tag]))) == len(hits)
        case.undo(change)
        assert list(case.search(tags=[tag])) == []
        with pytest.raises(ApiError) as refused:
            case.get("/search", q="(")
        assert (refused.value.status, refused.value.code) == (400, "bad-request")
        with pytest.raises(LookupError):
            client.case("B")


def test_a_hit_is_marked_over_the_word_on_the_image_of_its_page(api: Api, home: Path) -> None:
    """With page images and word boxes as renderers and recognition leave them."""
    key = first(api, "bob", 2, "flange")["document"]["id"]
    image = b"\x89PNG as a renderer wrote it"
    words = PageWords(
        width=595, height=842, words=[Word("the", 0.1, 0.2, 0.15, 0.22), Word("Flange,", 0.2, 0.2, 0.3, 0.22)]
    )
    add_page(home, "B", key, image, encode(words))
    shown = api.get("bob", f"/cases/2/documents/{key}/pages/1/image")
    assert (shown.content, shown.headers["content-type"]) == (image, "image/png")
    assert api.get("bob", f"/cases/2/documents/{key}/pages/1/words").json()["words"][1][0] == "Flange,"
    listed = api.get("bob", f"/cases/2/documents/{key}/pages").json()
    assert [(row["number"], row["media_type"], bool(row["words"])) for row in listed["rows"]] == [
        (1, "image/png", True)
    ]
    assert (listed["pages"], listed["asked"], listed["next"]) == (1, 1, None)
    assert api.get("bob", f"/cases/2/documents/{key}/pages?after=1").json()["rows"] == []
    assert api.get("bob", f"/cases/2/documents/{key}/pages/2/image").status_code == 404
    assert api.get("rita", f"/cases/2/documents/{key}/pages/1/image").status_code == 404
    headers = {"Authorization": f"Bearer {api.secrets['bob']}"}
    pane = api.client.get(f"/cases/2/documents/{key}/pane", params={"q": "flange"}, headers=headers).text
    assert 'data-pages="1" data-places="1,a,0"' in pane
    told = api.get("bob", f"/cases/2/documents/{key}/pages/1/marks", params={"q": "flange"}).json()
    assert (told["width"], told["height"]) == (595, 842)
    assert told["marks"] == [{"left": 0.2, "top": 0.2, "right": 0.3, "bottom": 0.22, "colour": "a", "nth": 0}]


def test_a_round_is_handed_out_finished_and_looked_at_again_by_another(api: Api) -> None:
    api.person("rex", A=Role.REVIEWER)
    made = api.ask("ada", "POST", "/cases/1/rounds", json={"name": "first", "query": "coating", "size": 2}).json()
    assert made["total"] == made["left"] > 2
    path = f"/cases/1/rounds/{made['id']}"
    mine, theirs = (api.ask(who, "POST", f"{path}/portion").json()["exhibits"] for who in ("rita", "rex"))
    assert not set(mine) & set(theirs)
    shown = api.get("rita", "/cases/1/search", params={"round": made["id"]}).json()
    assert {hit["document"]["id"] for hit in shown["hits"]} == set(mine)
    assert "in your portion" in shown["understood"]
    stolen = api.ask("rex", "POST", f"{path}/documents/{mine[0]}/done")
    assert (stolen.status_code, stolen.json()["code"]) == (409, "conflict")
    for document in mine:
        assert api.ask("rita", "POST", f"{path}/documents/{document}/done").status_code == 204
    assert api.ask("rex", "POST", f"{path}/give-back").json() == {"documents": len(theirs)}
    second = api.ask("ada", "POST", f"{path}/second", json={"count": 1, "seed": 5}).json()
    again = f"/cases/1/rounds/{second['id']}"
    assert api.ask("rita", "POST", f"{again}/portion").json()["exhibits"] == []
    [document] = api.ask("rex", "POST", f"{again}/portion").json()["exhibits"]
    api.ask("rex", "POST", f"{again}/documents/{document}/done")
    rounds = api.get("rob", "/cases/1/rounds").json()["rounds"]
    assert [(each["agreement"], each["done"]) for each in rounds] == [(None, len(mine)), (1.0, 1)]
    assert api.ask("rita", "POST", "/cases/1/rounds", json={"name": "x"}).status_code == 403
    assert api.ask("bob", "POST", f"{path}/portion").status_code == 404
    assert api.ask("ada", "DELETE", path).status_code == 204


def test_what_one_has_read_is_a_filter_of_ones_own(api: Api) -> None:
    total = api.get("rob", "/cases/1/search").json()["total"]
    document = first(api, "rob", 1)["document"]["id"]
    api.get("rob", f"/cases/1/documents/{document}/text")
    api.home.flush()
    read = api.get("rob", "/cases/1/search", params={"seen": "read"}).json()
    assert document in {hit["document"]["id"] for hit in read["hits"]}
    assert api.get("rob", "/cases/1/search", params={"seen": "unread"}).json()["total"] == total - read["total"]


def test_hits_over_time_add_up_to_those_with_a_date(api: Api) -> None:
    bars = api.get("rita", "/cases/1/search/histogram", params={"q": "coating"}).json()["bars"]
    dated = api.get("rita", "/cases/1/search", params={"q": "coating date:1970.."}).json()["total"]
    assert sum(bar["count"] for bar in bars) == dated > 0
    assert bars[0]["label"] == "2023-04"


def test_sets_of_terms_are_marked_in_their_colour_on_every_document(api: Api) -> None:
    put = api.ask(
        "rita", "PUT", "/cases/1/term-sets", json={"name": "Parts", "colour": "c", "terms": "flange\ndamage*"}
    )
    assert put.status_code == 200
    wrong = api.ask("rita", "PUT", "/cases/1/term-sets", json={"name": "Wrong", "terms": '"open'})
    assert wrong.status_code == 400
    document = first(api, "rita", 1, "flange")["document"]["id"]
    headers = {"Authorization": f"Bearer {api.secrets['rita']}"}
    pane = api.client.get(f"/cases/1/documents/{document}/pane", headers=headers).text
    assert '<mark class="set c" id="hit-1">flange</mark>' in pane
    api.ask("rita", "PUT", "/cases/1/term-sets", json={"name": "Parts", "terms": ""})
    assert api.get("rita", "/cases/1/term-sets").json()["term_sets"] == []


def test_a_preview_names_what_was_decided_otherwise(api: Api) -> None:
    one, other = (api.ask("ada", "POST", "/cases/1/tags", json={"name": name}).json()["id"] for name in ("Hot", "Cold"))
    document = first(api, "rita", 1)["document"]
    api.ask("rita", "POST", "/cases/1/coding", json={"tag": one, "documents": [document["id"]]})
    told = api.ask("rita", "POST", "/cases/1/coding/preview", json={"tag": other, "query": "coating"}).json()
    named = {each["control_number"]: each["tags"] for each in told["conflicts"]}
    assert "Hot" in named[document["control_number"]]


@pytest.mark.requirement("E3")
def test_a_signed_link_gives_one_file_and_no_other_until_it_ends(api: Api) -> None:
    document = next(h["document"] for h in api.get("rita", "/cases/1/search", params={"q": "flange"}).json()["hits"])
    made = api.ask("rita", "POST", f"/cases/1/documents/{document['id']}/link", json={"ext": "native"})
    link = made.json()["link"]
    got = api.client.get(link)
    assert got.content == b"coating of the flange"
    assert got.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in got.headers["content-security-policy"]
    other = first(api, "rita", 1, "subject:Order")["document"]["id"]
    theirs = api.ask("rita", "POST", f"/cases/1/documents/{other}/link", json={}).json()["file"]
    for changed in (
        link.replace("document_1_", "document_2_"),
        link.replace(made.json()["file"], theirs),
        link.replace("ext=native", "ext=pdf"),
        link.replace("until=", "until=9"),
        link[:-1] + ("0" if link[-1] != "0" else "1"),
        link.partition("?")[0],
    ):
        refused = api.client.get(changed)
        assert (refused.status_code, refused.json()["code"]) == (404, "not-found"), changed
    too_long = api.ask("rita", "POST", f"/cases/1/documents/{other}/link", json={"hours": 169})
    assert too_long.status_code == 422
    assert api.ask("rob", "POST", f"/cases/1/documents/{other}/link", json={}).status_code == 403


@pytest.mark.requirement("E3")
def test_the_file_service_tells_what_there_is_to_who_may_read_and_to_nobody_else(api: Api) -> None:
    document = first(api, "rita", 1, "flange")["document"]["id"]
    file = api.ask("rita", "POST", f"/cases/1/documents/{document}/link", json={}).json()["file"]
    headers = {who: {"Authorization": f"Bearer {api.secrets[who]}"} for who in ("rob", "bob")}
    assert api.client.get(f"/list/{file}", headers=headers["rob"]).json()["generated"] is False
    assert api.client.get(f"/documents/{file}?ext=native", headers=headers["rob"]).status_code == 200
    assert api.client.get(f"/documents/{file}?ext=pdf", headers=headers["rob"]).status_code == 404
    for path in (f"/list/{file}", f"/documents/{file}?ext=native", "/documents/document_9_1_" + "a" * 32 + "_1"):
        assert api.client.get(path, headers=headers["bob"]).status_code == 404
    assert api.client.get("/health").json() == {"status": "ok"}


@pytest.mark.requirement("E3")
def test_a_link_ends_with_the_rights_of_who_made_it(api: Api) -> None:
    api.person("max", A=Role.REVIEWER)
    document = first(api, "max", 1, "flange")["document"]["id"]
    link = api.ask("max", "POST", f"/cases/1/documents/{document}/link", json={}).json()["link"]
    assert api.client.get(link).status_code == 200
    api.ask("ada", "DELETE", "/cases/1/members/max")
    assert api.client.get(link).status_code == 404


@pytest.mark.requirement("E3")
def test_a_file_is_given_in_parts_to_who_asks_for_parts(api: Api) -> None:
    document = first(api, "rita", 1, "flange")["document"]["id"]
    link = api.ask("rita", "POST", f"/cases/1/documents/{document}/link", json={"ext": "native"}).json()["link"]
    whole = b"coating of the flange"
    got = api.client.get(link)
    assert (got.headers["accept-ranges"], int(got.headers["content-length"])) == ("bytes", len(whole))
    for asked, expected in {"bytes=0-6": whole[:7], "bytes=8-": whole[8:], "bytes=-6": whole[-6:]}.items():
        part = api.client.get(link, headers={"Range": asked})
        assert (part.status_code, part.content) == (206, expected)
        assert part.headers["content-range"].endswith(f"/{len(whole)}")
    same = {"Range": "bytes=0-6", "If-Range": got.headers["etag"]}
    assert api.client.get(link, headers=same).status_code == 206
    assert api.client.get(link, headers={**same, "If-Range": '"another"'}).content == whole
    refused = api.client.get(link, headers={"Range": "bytes=99-"})
    assert (refused.status_code, refused.headers["content-range"]) == (416, f"bytes */{len(whole)}")
    native = api.client.get(
        f"{API}/cases/1/documents/{document}/native",
        headers={"Range": "bytes=0-6", "Authorization": f"Bearer {api.secrets['rita']}"},
    )
    assert (native.status_code, native.content) == (206, b"coating")


def test_operations_tell_documents_over_time_and_disk(api: Api) -> None:
    told = api.get("rob", "/cases/1/operations").json()
    assert sum(told["pace"]["bars"]) >= 5
    assert told["waiting"] == []
    assert told["disk"]["parts"]["database"] > 0
    assert told["jobs"]


@pytest.mark.requirement("A16")
def test_a16_operations_tell_what_the_files_of_events_say_of_this_case_alone(api: Api, home: Path) -> None:
    bring_up_to_date(home, Settings(), open_statuses(home, Settings()))
    of_a = api.get("rob", "/cases/1/operations").json()["events"]
    of_b = api.get("bob", "/cases/2/operations").json()["events"]
    assert sum(hour["count"] for hour in of_a["hours"]) >= 5 and sum(hour["count"] for hour in of_b["hours"]) == 5
    assert of_a["slow"] and {row["what"] for row in of_a["waiting"]} >= {"extract-text"}
    assert all(row["count"] > 0 for row in of_a["failures"])
    headers = {"Authorization": f"Bearer {api.secrets['rob']}"}
    drawn = api.client.get("/cases/1/operations", headers=headers)
    assert drawn.status_code == 200 and "Failures by kind" in drawn.text and "What imports waited for" in drawn.text


def test_a_thread_is_told_beside_a_mail_and_what_was_decided_otherwise(api: Api, home: Path) -> None:
    folder = home.parent / "thread"
    folder.mkdir()
    for name, date, reply in (("one", "04", ""), ("two", "05", "In-Reply-To: <one@example.org>\r\n")):
        head = f"From: a@example.org\r\nSubject: Gasket\r\nMessage-ID: <{name}@example.org>\r\n{reply}"
        (folder / f"{name}.eml").write_text(
            f"{head}Date: Mon, {date} Apr 2023 10:00:00 +0000\r\n\r\nthe gasket, {name}\r\n"
        )
    import_into(home, "A", folder)
    key = first(api, "rita", 1, "gasket AND two")["document"]["id"]
    mails = api.get("rita", f"/cases/1/documents/{key}/thread").json()["documents"]
    assert [mail["path"] for mail in mails] == ["one.eml", "two.eml"]
    assert api.get("rita", f"/cases/1/documents/{key}/near").json() == {"documents": []}
    tag = api.ask("ada", "POST", "/cases/1/tags", json={"name": "Gaskets"}).json()["id"]
    api.ask("rita", "POST", "/cases/1/coding", json={"tag": tag, "documents": [mails[0]["id"]]})
    headers = {"Authorization": f"Bearer {api.secrets['rita']}"}
    pane = api.client.get(f"/cases/1/documents/{key}/pane", headers=headers).text
    assert "<h2>Thread" in pane
    assert '<span class="warn">Gaskets</span>' in pane
