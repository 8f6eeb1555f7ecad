"""The tasks of uploaders as CloudFormation stacks of one template: ports.viewing.uploader_compute on AWS.

Used by whoever conducts the uploaders of a case. `deploy/aws` makes the template ahead; a stack of it scales its own
tasks by the depth of their queue, so that nobody has to look while an import runs.
"""

import time
from typing import Any

from botocore.exceptions import ClientError

from redwell.adapters.aws.clients import client, code_of, named_failures
from redwell.core.jobs.queue_names import uploader_cluster, uploader_stack, uploader_stacks
from redwell.core.patience import USUAL, Patience
from redwell.core.viewing.uploader_scale import steps_of
from redwell.ports.viewing.uploader_compute import ComputeSpec, ComputeState

LOOK_S = 20.0  # that a stack which runs is taken to go on running
MADE_MIN = 30  # then one that is not made is rolled back
_MISSING = "ValidationError"  # what CloudFormation says of a stack that is not there
_STATES = {
    "CREATE_IN_PROGRESS": ComputeState.CREATING,
    "REVIEW_IN_PROGRESS": ComputeState.CREATING,
    "ROLLBACK_IN_PROGRESS": ComputeState.CREATING,  # not ready to be taken down or tried again
    "CREATE_FAILED": ComputeState.FAILED,
    "ROLLBACK_COMPLETE": ComputeState.FAILED,
    "ROLLBACK_FAILED": ComputeState.FAILED,
    "DELETE_FAILED": ComputeState.FAILED,
    "DELETE_IN_PROGRESS": ComputeState.DELETING,
    "DELETE_COMPLETE": ComputeState.NONE,
}


class StackCompute:
    """`template` is a URL; `role` is what CloudFormation acts as, empty: as whoever calls."""

    def __init__(self, prefix: str, template: str, role: str = "", patience: Patience = USUAL) -> None:
        self._prefix, self._template = prefix, template
        self._role = {"RoleARN": role} if role else {}
        self._stacks, self._cluster = client("cloudformation", patience), client("ecs", patience)
        self._running_since: dict[str, float] = {}
        self._most: dict[str, int] = {}

    def create(self, spec: ComputeSpec) -> None:
        name = self._name(spec)
        with named_failures(f"stack {name}"):
            try:
                self._stacks.create_stack(
                    StackName=name,
                    TemplateURL=self._template,
                    Parameters=_parameters(spec),
                    Tags=[{"Key": key, "Value": value} for key, value in self._tags(spec).items()],
                    TimeoutInMinutes=MADE_MIN,
                    OnFailure="ROLLBACK",
                    **self._role,
                )
            except ClientError as error:
                if code_of(error) != "AlreadyExistsException":
                    raise
                return
        self._most[spec.queue] = spec.most

    def state(self, spec: ComputeSpec) -> ComputeState:
        if time.monotonic() - self._running_since.get(spec.queue, -LOOK_S) < LOOK_S:
            return ComputeState.RUNNING
        stack = self._described(spec)
        state = _STATES.get(stack["StackStatus"], ComputeState.RUNNING) if stack else ComputeState.NONE
        if state is ComputeState.RUNNING:
            self._running_since[spec.queue] = time.monotonic()
        return state

    def scale(self, spec: ComputeSpec, tasks: int) -> None:
        """The stack counts its messages itself; what it needs to be told is when it may have more tasks, or fewer."""
        if self._most.get(spec.queue) == spec.most:
            return
        stack = self._described(spec)
        if not stack or not stack["StackStatus"].endswith("_COMPLETE"):
            return  # another time
        told = {each["ParameterKey"]: each.get("ParameterValue", "") for each in stack.get("Parameters", [])}
        if any(told.get(each["ParameterKey"]) != each["ParameterValue"] for each in _parameters(spec)):
            self._update(spec)
        self._most[spec.queue] = spec.most

    def delete(self, spec: ComputeSpec) -> None:
        self._running_since.pop(spec.queue, None)
        self._most.pop(spec.queue, None)
        with named_failures(f"stack {self._name(spec)}"):
            self._stacks.delete_stack(StackName=self._name(spec), **self._role)

    def running(self) -> int:
        """Tasks that run or begin, and one for each stack that is being made: it will have one in a moment."""
        name = uploader_cluster(self._prefix)
        with named_failures(f"cluster {name}"):
            found = self._cluster.describe_clusters(clusters=[name])["clusters"]
        tasks = sum(each["runningTasksCount"] + each["pendingTasksCount"] for each in found)
        return int(tasks) + sum(1 for _ in self._being_made())

    def close(self) -> None:
        """Stacks outlive whoever made them."""
        self._stacks.close()
        self._cluster.close()

    def _being_made(self) -> list[str]:
        with named_failures("stacks"):
            pages = self._stacks.get_paginator("list_stacks").paginate(StackStatusFilter=["CREATE_IN_PROGRESS"])
            names = [each["StackName"] for page in pages for each in page["StackSummaries"]]
        return [name for name in names if name.startswith(uploader_stacks(self._prefix))]

    def _described(self, spec: ComputeSpec) -> dict[str, Any] | None:
        name = self._name(spec)
        with named_failures(f"stack {name}"):
            try:
                stacks: list[dict[str, Any]] = self._stacks.describe_stacks(StackName=name)["Stacks"]
            except ClientError as error:
                if code_of(error) != _MISSING:
                    raise
                return None
        return stacks[0] if stacks else None

    def _update(self, spec: ComputeSpec) -> None:
        with named_failures(f"stack {self._name(spec)}"):
            self._stacks.update_stack(
                StackName=self._name(spec),
                UsePreviousTemplate=True,
                Parameters=_parameters(spec),
                Tags=[{"Key": key, "Value": value} for key, value in self._tags(spec).items()],
                **self._role,
            )

    def _name(self, spec: ComputeSpec) -> str:
        return uploader_stack(self._prefix, spec.queue)

    def _tags(self, spec: ComputeSpec) -> dict[str, str]:
        return {
            "application": "redwell",
            "prefix": self._prefix,
            "case": str(spec.case),
            "batch": str(spec.batch),
            "queue": spec.queue,
        }


def _parameters(spec: ComputeSpec) -> list[dict[str, str]]:
    """Of one import; everything else the template takes from the stacks that stay."""
    low, medium, high, most = steps_of(spec.most)
    values = {
        "CaseId": spec.case,
        "BatchId": spec.batch,
        "Queue": spec.queue,
        "LowTasks": low,
        "MediumTasks": medium,
        "HighTasks": high,
        "MostTasks": most,
    }
    return [{"ParameterKey": key, "ParameterValue": str(value)} for key, value in values.items()]
