"""The template of an import's uploader in the AWS server of the tests, with what it imports from the stacks that stay.

The server knows no Application Auto Scaling, so the template is put there without it (and without its alarms, which
would name it); all else is as deploy/aws made it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support import aws

PREFIX = "c2-production"
CLUSTER = f"{PREFIX}-uploaders"
_SNAPSHOT = Path(__file__).resolve().parents[2] / "deploy" / "aws" / "snapshots" / "UploaderStack.json"
_SCALING = ("AWS::ApplicationAutoScaling::", "AWS::CloudWatch::Alarm")


def template() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(_SNAPSHOT.read_bytes())
    made["Resources"] = {k: v for k, v in made["Resources"].items() if not v["Type"].startswith(_SCALING)}
    return made


def put(made: dict[str, Any]) -> str:
    """The URL of a template in a bucket of its own."""
    bucket, s3 = aws.server().new_bucket(), aws.client("s3")
    s3.put_object(Bucket=bucket, Key="uploader.template.json", Body=json.dumps(made).encode())
    s3.close()
    return f"{aws.server().url}/{bucket}/uploader.template.json"


def make_lasting() -> None:
    """Once for a server: the cluster, and a stack that exports every name which the template imports."""
    ecs, stacks = aws.client("ecs"), aws.client("cloudformation")
    ecs.create_cluster(clusterName=CLUSTER)
    known = {each["StackName"] for each in stacks.describe_stacks()["Stacks"]}
    if "lasting" not in known:
        names = sorted(set(_imported(template())))
        outputs = {f"O{n}": {"Value": _value(name), "Export": {"Name": name}} for n, name in enumerate(names)}
        topic = {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "lasting"}}
        body = json.dumps({"Resources": {"Topic": topic}, "Outputs": outputs})
        stacks.create_stack(StackName="lasting", TemplateBody=body)
        stacks.get_waiter("stack_create_complete").wait(StackName="lasting", WaiterConfig={"Delay": 1})
    ecs.close()
    stacks.close()


def _value(name: str) -> str:
    if "Role" in name:
        return "arn:aws:iam::000000000000:role/uploader"
    return CLUSTER if "RefCluster" in name else "10.0.0.0/16" if "Cidr" in name else f"v{abs(hash(name)):x}"


def _imported(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "Fn::ImportValue" in node:
            yield node["Fn::ImportValue"]
        for each in node.values():
            yield from _imported(each)
    elif isinstance(node, list):
        for each in node:
            yield from _imported(each)
