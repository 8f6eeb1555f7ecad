"""Uploaders as stacks of the template of deploy/aws, in a local AWS server: made, rolled back, scaled, taken down."""

import http.client
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.integration.test_uploaders import BRIEF, PLAN, Run, settings_for
from tests.support import aws, stacks
from tests.support.cases import NAME
from tests.support.nutrient_server import NutrientServer
from tests.support.product import command, environment
from tests.support.proxy import Proxy

from redwell.adapters.aws.uploader_stacks import StackCompute
from redwell.core.errors import Recoverable
from redwell.core.events.event import EventType
from redwell.core.jobs.loader_life import Uploader
from redwell.core.jobs.queue_names import uploader_stack
from redwell.core.patience import Patience
from redwell.core.viewing.uploader_life import UploaderPhase
from redwell.ports.viewing.uploader_compute import ComputeSpec, ComputeState
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.upkeep.cancel import cancel

pytestmark = [pytest.mark.xdist_group("services"), pytest.mark.requirement("E1")]
_NAMELESS = {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": {"Fn::ImportValue": "nobody exports this"}}}
BROKEN = {**stacks.template(), "Resources": {"Gone": _NAMELESS}}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    monkeypatch.setattr("redwell.adapters.aws.uploader_stacks.LOOK_S", 0.0)
    stacks.make_lasting()


@pytest.fixture(scope="module")
def template() -> str:
    return stacks.put(stacks.template())


@pytest.fixture
def compute(template: str) -> Iterator[StackCompute]:
    with closing(StackCompute(stacks.PREFIX, template)) as opened:
        yield opened


def spec_of(batch: int, most: int = 10) -> ComputeSpec:
    return ComputeSpec(case=7, batch=batch, queue=f"{stacks.PREFIX}_doc_uploader_7_{batch}", most=most)


def until(compute: StackCompute, spec: ComputeSpec, *states: ComputeState) -> ComputeState:
    for _ in range(200):
        if (state := compute.state(spec)) in states:
            return state
        time.sleep(0.05)
    raise AssertionError(f"it stays {state}")


def described(name: str) -> dict[str, Any]:
    with closing(aws.client("cloudformation")) as known:
        found: dict[str, Any] = known.describe_stacks(StackName=name)["Stacks"][0]
        return found


def stack_names() -> list[str]:
    with closing(aws.client("cloudformation")) as known:
        return [each["StackName"] for each in known.describe_stacks()["Stacks"] if "Uploader" in each["StackName"]]


def test_a_stack_is_named_tagged_and_told_of_its_import_and_a_second_one_is_never_made(compute: StackCompute) -> None:
    spec = spec_of(1)
    assert compute.state(spec) is ComputeState.NONE
    before = compute.running()
    compute.create(spec)
    compute.create(spec)
    until(compute, spec, ComputeState.RUNNING)
    stack = described("c2-production-UploaderStack-7-1")
    told = {each["ParameterKey"]: each["ParameterValue"] for each in stack["Parameters"]}
    assert (told["CaseId"], told["BatchId"], told["Queue"], told["MostTasks"]) == ("7", "1", spec.queue, "10")
    assert {each["Key"]: each["Value"] for each in stack["Tags"]}.items() >= {"case": "7", "batch": "1"}.items()
    assert compute.running() == before + 1
    compute.delete(spec)
    until(compute, spec, ComputeState.NONE)
    compute.delete(spec)
    assert compute.running() == before


@pytest.mark.requirement("E6")
def test_e6_a_job_that_may_have_more_workers_widens_every_step(compute: StackCompute, template: str) -> None:
    spec, wider = spec_of(2), spec_of(2, most=50)
    compute.create(spec)
    until(compute, spec, ComputeState.RUNNING)
    with closing(StackCompute(stacks.PREFIX, template)) as another:  # a process that knows nothing of it
        another.scale(wider, 1)
        until(another, wider, ComputeState.RUNNING)
    told = {
        each["ParameterKey"]: each["ParameterValue"]
        for each in described(uploader_stack("c2-production", spec.queue))["Parameters"]
    }
    assert [told[f"{step}Tasks"] for step in ("Low", "Medium", "High", "Most")] == ["10", "20", "30", "50"]
    assert told["Queue"] == spec.queue
    compute.delete(spec)
    until(compute, spec, ComputeState.NONE)


def test_a_stack_that_is_rolled_back_has_failed_and_can_be_made_again(compute: StackCompute) -> None:
    spec = spec_of(3)
    with closing(StackCompute(stacks.PREFIX, stacks.put(BROKEN))) as failing:
        failing.create(spec)
        until(failing, spec, ComputeState.FAILED)
    compute.delete(spec)
    until(compute, spec, ComputeState.NONE)
    compute.create(spec)
    until(compute, spec, ComputeState.RUNNING)
    compute.delete(spec)


def test_a_service_that_is_cut_off_or_asks_for_patience_is_recoverable(
    monkeypatch: pytest.MonkeyPatch, template: str
) -> None:
    with Proxy(aws.server().port) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{proxy.port}")
        with closing(StackCompute(stacks.PREFIX, template, patience=Patience(tries=1))) as disturbed:
            proxy.refusing = True
            for call in (disturbed.create, disturbed.state, disturbed.delete):
                with pytest.raises(Recoverable):
                    call(spec_of(4))
            with pytest.raises(Recoverable):
                disturbed.running()


@pytest.fixture
def engine() -> Iterator[NutrientServer]:
    with NutrientServer() as running:
        yield running


def cloud_settings(engine: NutrientServer, template: str) -> list[str]:
    return ["queue=sqs", "bus=sns", f"name_prefix={stacks.PREFIX}", f"uploader_template={template}"]


@pytest.fixture
def case(tmp_path: Path, engine: NutrientServer, template: str) -> Iterator[Case]:
    settings = settings_for(engine, *cloud_settings(engine, template))
    with open_case(tmp_path, NAME, settings, create=True) as opened:
        yield opened


@pytest.fixture
def run(case: Case) -> Iterator[Run]:
    made = Run(case)
    yield made
    made.uploading.close()


class Task:
    """What the stack's task is: poller and file service, as the template's commands say, beside an engine."""

    def __init__(self, run: Run, engine: NutrientServer) -> None:
        settings = run.case.settings
        given = {"VIEWER": "nutrient", "VIEWER_URL": engine.url, "VIEWER_TOKEN": settings.viewer_token, "QUEUE": "sqs"}
        given |= {"BUS": "sns", "NAME_PREFIX": stacks.PREFIX, "DELAY_PERCENT": "0"}
        env = {f"REDWELL_{name}": value for name, value in given.items()}
        self._env = {**os.environ, **environment(run.case.home), **env}
        name = uploader_stack(stacks.PREFIX, run.life.queue)
        self._values = {each["ParameterKey"]: each["ParameterValue"] for each in described(name)["Parameters"]}
        poller, _, files = stacks.template()["Resources"]["Task"]["Properties"]["ContainerDefinitions"]
        self.files = self._start([*files["Command"][:-1], "0"], subprocess.PIPE)
        assert self.files.stdout
        self.address = self.files.stdout.readline().rpartition(" ")[2].strip()
        self._env["REDWELL_VIEWER_FILES"] = self.address
        self.poller = self._start([self._said(word) for word in poller["Command"]])

    def _said(self, word: Any) -> str:
        return str(self._values[word["Ref"]] if isinstance(word, dict) else word)

    def _start(self, words: list[str], out: int | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(command(*words), env=self._env, stdout=out, text=True)

    def end(self) -> list[int]:
        for process in (self.poller, self.files):
            process.send_signal(signal.SIGTERM)
        with self.files:
            return [process.wait(60) for process in (self.poller, self.files)]


@pytest.mark.requirement("E3", "E4", "A2")
def test_e1_an_import_has_a_stack_whose_task_hands_over_each_document_and_nothing_is_left(
    run: Run, engine: NutrientServer
) -> None:
    run.begin(BRIEF, PLAN)
    run.until(lambda: run.life.phase is UploaderPhase.STARTED)
    [name] = stack_names()
    assert name == f"c2-production-UploaderStack-{run.case.number}-{run.batch}"
    task = Task(run, engine)
    run.to_the_end()
    assert task.end()[0] == 0
    assert sorted(engine.documents.values()) == [b"%PDF brief", b"%PDF plan"] and len(engine.flattened) == 2
    assert run.told()[-1] is EventType.UPLOADER_FINISHED and stack_names() == []
    assert len(run.events(EventType.DOCUMENT_UPLOADED)) == 2


def test_e1_a_template_that_is_no_good_is_tried_three_times_then_told_and_the_load_goes_on(
    tmp_path: Path, engine: NutrientServer
) -> None:
    settings = settings_for(engine, *cloud_settings(engine, stacks.put(BROKEN)))
    with open_case(tmp_path, NAME, settings, create=True) as case:
        run = Run(case)
        run.begin(BRIEF)
        run.to_the_end()
        run.uploading.close()
        assert run.told()[-1] is EventType.UPLOADER_FAILED and run.life.tries == 4
        assert case.store.loaders()[run.batch].uploader is Uploader.FAILED
        assert [row.type for row in case.journal.log.rows()].count(EventType.LOADER_FINISHED) == 1


def test_e1_a_cancelled_import_takes_its_stack_along(run: Run) -> None:
    run.begin()
    run.until(lambda: run.life.phase is UploaderPhase.STARTED)
    run.uploading.close()  # as if that process were gone: stacks outlive it
    assert len(stack_names()) == 1
    cancel(run.case, run.batch)
    assert run.life.phase is UploaderPhase.CANCELLED and stack_names() == []


@pytest.mark.requirement("E5")
def test_e5_what_other_imports_run_is_counted_in_the_cluster(run: Run, compute: StackCompute) -> None:
    others = [spec_of(batch) for batch in range(100, 103)]
    for other in others:
        compute.create(other)
        until(compute, other, ComputeState.RUNNING)
    object.__setattr__(run.case.settings, "uploader_ceiling", 20)
    run.begin()
    run.until(lambda: run.life.phase is UploaderPhase.THROTTLED)
    for other in others:
        compute.delete(other)
    run.until(lambda: run.life.phase is UploaderPhase.STARTED)
    assert run.told()[:2] == [EventType.UPLOADER_THROTTLED, EventType.UPLOADER_CREATE_INITIATED]
    cancel(run.case, run.batch)


@pytest.mark.requirement("E3")
def test_e3_the_file_service_alone_serves_files_and_no_pages(tmp_path: Path) -> None:
    env = {**os.environ, **environment(tmp_path), "REDWELL_VIEWER": "nutrient"}
    process = subprocess.Popen(command("uploader", "files", "--port", "0"), env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    port = int(process.stdout.readline().rpartition(":")[2])
    try:
        assert answers(port, "/health") == 200 and answers(port, f"http://localhost:{port}/health") == 200
        assert answers(port, "/") == 404 and answers(port, "/api/v1/cases") == 404
        assert answers(port, "/documents/document_1_1_00_a") in (404, 400)
    finally:
        with process:
            process.send_signal(signal.SIGTERM)


def answers(port: int, target: str) -> int:
    """As a client says it, and as one that takes the service for a proxy."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.putrequest("GET", target, skip_host=True)
        connection.putheader("Host", "localhost")
        connection.endheaders()
        return connection.getresponse().status
