"""The viewing engine over HTTP, against a server of our own that follows SPEC E2."""

import io
from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.support import nutrient_server as server
from tests.support.nutrient_server import NutrientServer

from redwell.adapters.nutrient.engine import NutrientEngine
from redwell.ports.viewing.viewing_engine import EngineUnavailable, FlattenTimedOut, Pdf

pytestmark = pytest.mark.requirement("E2")
PDF = Pdf(open=lambda: io.BytesIO(b"%PDF-1.7 of the test"))


@pytest.fixture
def nutrient() -> Iterator[NutrientServer]:
    with NutrientServer() as running:
        yield running


@pytest.fixture
def engine(nutrient: NutrientServer) -> Iterator[NutrientEngine]:
    opened = NutrientEngine(nutrient.url, server.TOKEN, flatten_s=0.2, load_s=0.2)
    yield opened
    opened.close()


def test_e2_a_document_is_loaded_as_a_form_and_flattened(nutrient: NutrientServer, engine: NutrientEngine) -> None:
    assert engine.is_there()
    engine.flatten(engine.load("document_1_2_ab_3", PDF))
    assert nutrient.documents == {"document_1_2_ab_3": b"%PDF-1.7 of the test"}
    assert nutrient.flattened == ["document_1_2_ab_3"]


def test_e2_an_engine_that_has_an_address_fetches_the_document_itself(
    nutrient: NutrientServer, engine: NutrientEngine
) -> None:
    with NutrientServer() as files:
        engine.load("document_1_2_ab_3", Pdf(open=lambda: pytest.fail("it was read"), link=f"{files.url}/any"))
    assert nutrient.documents["document_1_2_ab_3"] == b'{"status": "ok"}'


@pytest.mark.parametrize("fault", [server.BUSY, server.BROKEN, server.REFUSED, server.SILENT, server.CUT])
@pytest.mark.parametrize("call", ["load", "flatten"])
def test_e2_whatever_is_not_200_may_be_tried_again_but_for_a_flattening_that_takes_too_long(
    nutrient: NutrientServer, engine: NutrientEngine, call: str, fault: str
) -> None:
    engine.load("a", PDF)
    nutrient.faults[call] = [fault]
    expected = FlattenTimedOut if (call, fault) == ("flatten", server.SILENT) else EngineUnavailable
    with pytest.raises(expected) as failed:
        engine.load("a", PDF) if call == "load" else engine.flatten("a")
    if fault == server.BUSY:
        assert failed.value.after_s == 1.0
    engine.flatten(engine.load("a", PDF))


@pytest.mark.parametrize("fault", [server.NO_JSON, server.NO_ID])
def test_an_answer_of_another_shape_is_no_success(nutrient: NutrientServer, engine: NutrientEngine, fault: str) -> None:
    nutrient.faults["load"] = [fault]
    with pytest.raises(EngineUnavailable):
        engine.load("a", PDF)


def test_a_wrong_token_is_named_by_its_setting(nutrient: NutrientServer) -> None:
    engine = NutrientEngine(nutrient.url, "another", 1)
    with closing(engine), pytest.raises(EngineUnavailable, match="viewer_token"):
        engine.load("a", PDF)


def test_an_engine_that_is_not_there_is_away(nutrient: NutrientServer) -> None:
    url = nutrient.url
    nutrient.close()
    with closing(NutrientEngine(url, server.TOKEN, 1)) as gone:
        assert not gone.is_there()
        with pytest.raises(EngineUnavailable):
            gone.load("a", PDF)
