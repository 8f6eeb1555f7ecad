"""The API keeps to its own description, whatever it is sent: Schemathesis makes requests from it, with a fixed seed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance
from tests.support.web import API, Api, hostile_evidence, import_into, served_api

from redwell.core.access.rights import Role

pytestmark = pytest.mark.xdist_group("web")
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance)
LEFT_OUT = {"/api/v1/cases/{case}/batches/{batch}/events"}  # a stream that lasts as long as an import
EXAMPLES = 2  # of each operation: the plainest request and another; with 90 of them some seconds


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    folder: Path = tmp_path_factory.mktemp("described")
    import_into(folder / "home", "A", hostile_evidence(folder / "evidence"))
    with served_api(folder / "home") as api:
        api.person("ada", A=Role.ADMIN)
        yield api


def ask_again_and_again(operation: Any, headers: dict[str, str]) -> int:
    """As often as was asked."""
    asked = 0

    @seed(20261117)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        nonlocal asked
        case = data.draw(operation.as_strategy())
        if "case" in (case.path_parameters or {}) and data.draw(st.booleans()):
            case.path_parameters["case"] = 1
        asked += 1
        case.validate_response(case.call(headers=headers), checks=CHECKS)

    ask()
    return asked


def test_no_request_that_fits_the_description_breaks_the_server_or_the_description(api: Api) -> None:
    schema = schemathesis.openapi.from_url(f"{str(api.client.base_url).rstrip('/')}{API}/openapi.json")
    headers = {"Authorization": f"Bearer {api.secrets['ada']}"}
    operations = [found.ok() for found in schema.get_all_operations()]
    asked = [ask_again_and_again(each, headers) for each in operations if each.path not in LEFT_OUT]
    assert sum(asked) > 100
