"""A page that read badly keeps the picture that it was cleaned to, and both of its readings (SPEC B5, B2)."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from tests.support.pdf_files import saved
from tests.support.product import ask, redwell, verified
from tests.support.scans import noisy, page_of, pdf_of, shaded, skewed
from tests.support.web import Api, served_api

from redwell.core.access.rights import Role

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.requirement("B2", "B5")]
CASE = ("--case", "A")
NUMBER = "RW00000001"
INVOICE = ("INVOICE", "Invoice no: INV-17", "The boiler house was inspected on Monday.", "Total due: EUR 2.50")
SCHEMA = str(Path(__file__).parents[2] / "examples" / "schemas" / "invoice.json")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scans")
    (folder / "in").mkdir()
    scan = noisy(shaded(skewed(page_of(INVOICE).picture, 4)))
    (folder / "in" / "a.pdf").write_bytes(saved(pdf_of(scan)))
    for command in (["import", str(folder / "in"), "--set", "ocr=auto"], ["schema", "add", SCHEMA], ["understand"]):
        run = redwell(folder / "home", *command, *CASE)
        assert run.returncode == 0, run.stderr
    return folder / "home"


@pytest.fixture(scope="module")
def api(home: Path) -> Iterator[Api]:
    with served_api(home) as api:
        api.person("rob", A=Role.READ_ONLY)
        yield api


def test_the_picture_and_the_other_reading_are_handed_out(home: Path, tmp_path: Path) -> None:
    run = redwell(home, "get", NUMBER, "--cleaned", "1", "-o", str(tmp_path / "cleaned.png"), *CASE)
    assert run.returncode == 0, run.stderr
    with Image.open(tmp_path / "cleaned.png") as picture:
        assert picture.mode == "L" and picture.width > 1_000
    text, other = (redwell(home, "get", NUMBER, *what, *CASE) for what in (["--text"], ["--other", "1"]))
    assert "INV-17" in text.stdout and "INV-17" not in other.stdout and other.returncode == 0
    none = redwell(home, "get", NUMBER, "--cleaned", "2", *CASE)
    assert none.returncode != 0 and "page 2 of RW00000001 was not cleaned" in none.stderr


def test_views_of_the_ingestion_name_and_hand_out_both(api: Api) -> None:
    document = api.get("rob", "/cases/1/documents").json()["documents"][0]["id"]
    ingestion = api.home.case(1).understanding.ingestions(document)[-1].id
    files = api.get("rob", f"/cases/1/data/{ingestion}").json()["files"]
    (picture,), (other,) = files["preprocessed"], files["other_transcriptions"]
    assert picture.endswith("/preprocessed.png?page=1") and other.endswith("/transcription-output-other.txt?page=1")
    shown = api.get("rob", f"/cases/1/views/{picture}")
    assert shown.headers["content-type"] == "image/png" and Image.open(io.BytesIO(shown.content)).mode == "L"
    texts = [api.get("rob", f"/cases/1/views/{each}").text for each in (files["transcription"], other)]
    assert "INV-17" in texts[0] and "INV-17" not in texts[1]
    assert api.get("rob", f"/cases/1/views/{picture.replace('=1', '=2')}").status_code == 404


def test_gc_keeps_them_and_verify_accepts_them(home: Path, tmp_path: Path) -> None:
    assert redwell(home, "gc", *CASE).returncode == 0
    verified(home, "A")
    run = redwell(
        home, "import", str(home.parent / "in"), "--case", "B", "--set", "ocr=auto", "--set", "ocr_tries=drop"
    )
    assert run.returncode == 0, run.stderr
    sizes = [json.loads(ask(home, "verify", "--case", case, "--json").stdout)["blobs"] for case in ("A", "B")]
    assert sizes[0] == sizes[1] + 2, "one picture and one reading"
