"""The templates of deploy/aws: made once, linted, as they were last looked at, and with no more rights than said.

`REDWELL_SNAPSHOTS=write` makes the snapshots anew; look at what changed before you commit it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from redwell.entrypoints.cli.parser import build_parser

pytestmark = [pytest.mark.xdist_group("deploy-aws"), pytest.mark.requirement("F3")]
AWS = Path(__file__).resolve().parents[2] / "deploy" / "aws"
BIN = Path(sys.prefix) / "cdk" / "bin"
PLACE = ("production", "us-east-1")
STACKS = ("Data", "Messages", "Network", "Uploader", "UploaderStack", "Workers")
# actions that know no single resource
WIDE = {
    "cloudwatch:PutMetricData",
    "ecr:GetAuthorizationToken",
    "sqs:ListQueues",
    "cloudformation:ListStacks",
    *(f"ec2:Describe{what}" for what in ("SecurityGroups", "Subnets", "Vpcs")),
    *(f"ecs:{what}TaskDefinition" for what in ("Deregister", "Describe")),
}
Template = dict[str, Any]


def _synthesised(*place: str, folder: Path) -> subprocess.CompletedProcess[str]:
    assert BIN.exists(), "what makes the templates is missing: make setup"
    env = {**os.environ, "HOME": str(folder), "JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION": "1"}
    command = [BIN / "python", "app.py", *place, str(folder / "out")]
    return subprocess.run(command, cwd=AWS, env=env, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cdk")
    run = _synthesised(*PLACE, folder=made)
    assert run.returncode == 0, run.stderr
    return made / "out"


@pytest.fixture(scope="module")
def templates(folder: Path) -> dict[str, Template]:
    return {name: json.loads((folder / f"c2-production-{name}.template.json").read_bytes()) for name in STACKS}


def _resources(templates: dict[str, Template], kind: str) -> list[Template]:
    rows = [row for each in templates.values() for row in each["Resources"].values()]
    return [row["Properties"] for row in rows if row["Type"] == kind]


def test_every_template_is_as_it_was_last_looked_at(templates: dict[str, Template]) -> None:
    for name, template in templates.items():
        kept = AWS / "snapshots" / f"{name}.json"
        text = json.dumps(template, indent=1, sort_keys=True) + "\n"
        if os.environ.get("REDWELL_SNAPSHOTS") == "write":
            kept.write_text(text)
        assert kept.read_text() == text, f"{name} has changed: REDWELL_SNAPSHOTS=write, then look at the difference"


def test_cfn_lint_finds_nothing(folder: Path) -> None:
    made = [str(folder / f"c2-production-{name}.template.json") for name in STACKS]
    command = [BIN / "cfn-lint", "--region", PLACE[1], "--ignore-checks", "W3005", "--", *made]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_nothing_is_reached_from_outside_and_nothing_lies_open(templates: dict[str, Template]) -> None:
    assert not _resources(templates, "AWS::EC2::InternetGateway") and not _resources(templates, "AWS::EC2::NatGateway")
    for subnet in _resources(templates, "AWS::EC2::Subnet"):
        assert subnet["MapPublicIpOnLaunch"] is False
    for service in _resources(templates, "AWS::ECS::Service"):
        assert service["NetworkConfiguration"]["AwsvpcConfiguration"]["AssignPublicIp"] == "DISABLED"
    for bucket in _resources(templates, "AWS::S3::Bucket"):
        assert bucket["PublicAccessBlockConfiguration"]["BlockPublicAcls"] and bucket["BucketEncryption"]
        assert bucket["LifecycleConfiguration"]["Rules"][0]["AbortIncompleteMultipartUpload"]
    databases = _resources(templates, "AWS::RDS::DBCluster")
    assert len(databases) == 2 and all(each["StorageEncrypted"] and each["DeletionProtection"] for each in databases)


def test_workers_have_the_rights_that_are_said_and_no_more(templates: dict[str, Template]) -> None:
    wide = set()
    for policy in _resources(templates, "AWS::IAM::Policy"):
        for statement in policy["PolicyDocument"]["Statement"]:
            actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
            assert "*" not in actions and not any(
                action.startswith("iam:") for action in set(actions) - {"iam:PassRole"}
            )
            if "iam:PassRole" in actions:
                assert statement["Resource"] != "*" and statement["Condition"]["StringEquals"]["iam:PassedToService"]
            wide |= set(actions) if statement["Resource"] == "*" else set()
    assert {action for action in wide if not action.startswith("application-autoscaling:")} <= WIDE
    [metrics] = [
        statement
        for policy in _resources(templates, "AWS::IAM::Policy")
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Action"] == "cloudwatch:PutMetricData"
    ]
    assert metrics["Condition"] == {"StringEquals": {"cloudwatch:namespace": "Redwell"}}


def test_containers_have_no_root_and_a_root_folder_that_is_read_only(templates: dict[str, Template]) -> None:
    tasks = _resources({"Workers": templates["Workers"]}, "AWS::ECS::TaskDefinition")
    assert len(tasks) == 6
    for task in tasks:
        [container] = task["ContainerDefinitions"]
        assert container["User"] == "10001" and container["ReadonlyRootFilesystem"] is True
        assert container["StopTimeout"] < 120  # a spot machine goes after two minutes


@pytest.mark.requirement("A15", "A19")
def test_a15_each_service_has_a_scale_in_alarm_that_prompts_a_look_and_decides_nothing(
    templates: dict[str, Template],
) -> None:
    workers = {"Workers": templates["Workers"]}
    idle = [row for row in _resources(workers, "AWS::CloudWatch::Alarm") if "-scale-in-" in str(row.get("AlarmName"))]
    names = [row["Dimensions"][0]["Value"] for row in idle]
    assert sorted(names) == ["spot1", "spot2", "worker1", "worker2"]
    assert all(row["MetricName"] == "WorkerCapacityUsage" and not row.get("AlarmActions") for row in idle)
    [rule] = _resources(workers, "AWS::Events::Rule")
    assert rule["EventPattern"]["detail"]["state"] == {"value": ["ALARM"]}
    [begins] = rule["EventPattern"]["detail"]["alarmName"]
    assert all(row["AlarmName"].startswith(begins["prefix"]) for row in idle)
    [target] = rule["Targets"]
    given = target["InputTransformer"]
    told = json.loads(given["InputTemplate"].replace("<service>", '"worker2"'))
    [container] = told["containerOverrides"]
    args = build_parser().parse_args(container["command"])
    assert (container["name"], args.command, args.check) == ("redwell", "overview.run_workers", "worker2")
    assert given["InputPathsMap"]["service"].endswith(".dimensions.ServiceId")


@pytest.mark.requirement("A16")
def test_a16_events_become_parquet_by_case_and_batch_and_alarms_go_to_one_topic(templates: dict[str, Template]) -> None:
    [stream] = _resources(templates, "AWS::KinesisFirehose::DeliveryStream")
    where = stream["ExtendedS3DestinationConfiguration"]
    assert where["BufferingHints"] == {"IntervalInSeconds": 60, "SizeInMBs": 64}
    assert where["Prefix"].startswith("statuses/caseid=") and where["ErrorOutputPrefix"].startswith("errors/")
    alarms = _resources({"Messages": templates["Messages"]}, "AWS::CloudWatch::Alarm")
    assert sorted(alarm["Threshold"] for alarm in alarms) == [0, 0, 1, 5, 90, 300]
    assert len({json.dumps(alarm["AlarmActions"]) for alarm in alarms}) == 1
    [group] = _resources(templates, "AWS::Athena::WorkGroup")
    assert group["Name"] == "c2-production-monitor" and len(_resources(templates, "AWS::Athena::NamedQuery")) == 3


@pytest.mark.requirement("E6")
def test_an_import_has_a_task_of_three_that_is_scaled_by_the_depth_of_its_queue(
    templates: dict[str, Template],
) -> None:
    one = {"UploaderStack": templates["UploaderStack"]}
    assert not _resources(one, "AWS::SQS::Queue")  # they are there before it
    [task] = _resources(one, "AWS::ECS::TaskDefinition")
    assert [container["Name"] for container in task["ContainerDefinitions"]] == ["poller", "engine", "files"]
    deep, shallow = _resources(one, "AWS::ApplicationAutoScaling::ScalingPolicy")
    steps = deep["StepScalingPolicyConfiguration"]["StepAdjustments"]
    assert [step["MetricIntervalLowerBound"] + 200 for step in steps] == [200, 500, 2_000, 5_000]
    assert [step["ScalingAdjustment"]["Ref"] for step in steps] == ["LowTasks", "MediumTasks", "HighTasks", "MostTasks"]
    [back] = shallow["StepScalingPolicyConfiguration"]["StepAdjustments"]
    assert back["ScalingAdjustment"] == 1
    poller, engine, _ = task["ContainerDefinitions"]
    assert poller["Command"][:2] == ["uploader", "poll"] and {"Ref": "Queue"} in poller["Command"]
    assert {each["Name"] for each in engine["Secrets"]} >= {"ACTIVATION_KEY", "API_AUTH_TOKEN", "PGPASSWORD"}
    assert "BootstrapVersion" not in templates["UploaderStack"].get("Parameters", {})


def test_names_begin_with_the_region_and_everything_is_tagged(templates: dict[str, Template]) -> None:
    [table] = _resources(templates, "AWS::DynamoDB::Table")
    assert table["TableName"] == "c2-production-services"
    assert [key["AttributeName"] for key in table["KeySchema"]] == ["key"]  # as the registry asks for it
    assert {"Key": "environment", "Value": "production"} in table["Tags"]


def test_a_place_that_is_not_known_is_refused(tmp_path: Path) -> None:
    run = _synthesised("production", "mars-north-1", folder=tmp_path)
    assert run.returncode != 0 and "no such place" in run.stderr and not (tmp_path / "out").exists()
