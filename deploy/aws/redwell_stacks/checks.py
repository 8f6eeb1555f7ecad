"""The scale-in alarm of each service of workers, and the task that it prompts: `redwell workers --check` (SPEC A15, A19).

An alarm decides nothing: whether a job has ended the ledger says. EventBridge hands the name of the service on.
"""

import json

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from constructs import Construct

from redwell_stacks.network import Network
from redwell_stacks.place import Place

IDLE = 0.1  # of the slots of a service, in the mean of five minutes
_NAME = "$.detail.configuration.metrics[0].metricStat.metric.dimensions.ServiceId"
_COMMAND = json.dumps({"containerOverrides": [{"name": "redwell", "command": ["workers", "--check", "@"]}]})


class Checks(Construct):
    """`watch` a service: one rule for all, which runs the small `task` with the name of the one that idles."""

    def __init__(
        self, scope: Construct, place: Place, cluster: ecs.Cluster, task: ecs.FargateTaskDefinition, network: Network
    ) -> None:
        super().__init__(scope, "Checks")
        self._prefix = f"{place.prefix}-scale-in-"
        where = events.CfnRule.AwsVpcConfigurationProperty(
            subnets=[subnet.subnet_id for subnet in network.vpc.isolated_subnets],
            security_groups=[network.tasks.security_group_id],
            assign_public_ip="DISABLED",
        )
        events.CfnRule(
            self,
            "Rule",
            name=f"{place.prefix}-scale-in",
            event_pattern={
                "source": ["aws.cloudwatch"],
                "detail-type": ["CloudWatch Alarm State Change"],
                "detail": {"alarmName": [{"prefix": self._prefix}], "state": {"value": ["ALARM"]}},
            },
            targets=[
                events.CfnRule.TargetProperty(
                    id="check",
                    arn=cluster.cluster_arn,
                    role_arn=self._role(cluster, task).role_arn,
                    ecs_parameters=events.CfnRule.EcsParametersProperty(
                        task_definition_arn=task.task_definition_arn,
                        launch_type="FARGATE",
                        network_configuration=events.CfnRule.NetworkConfigurationProperty(aws_vpc_configuration=where),
                    ),
                    input_transformer=events.CfnRule.InputTransformerProperty(
                        input_paths_map={"service": _NAME}, input_template=_COMMAND.replace('"@"', "<service>")
                    ),
                )
            ],
        )

    def watch(self, name: str, usage: cloudwatch.Metric) -> None:
        """What is not told is no sign of idling: a service without workers tells nothing."""
        cloudwatch.Alarm(
            self,
            name,
            alarm_name=f"{self._prefix}{name}",
            metric=usage,
            threshold=IDLE,
            comparison_operator=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
            evaluation_periods=5,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )

    def _role(self, cluster: ecs.Cluster, task: ecs.FargateTaskDefinition) -> iam.Role:
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("events.amazonaws.com"))
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["ecs:RunTask"],
                resources=[task.task_definition_arn],
                conditions={"ArnEquals": {"ecs:cluster": cluster.cluster_arn}},
            )
        )
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["iam:PassRole"],
                resources=[task.task_role.role_arn, task.obtain_execution_role().role_arn],
                conditions={"StringEquals": {"iam:PassedToService": "ecs-tasks.amazonaws.com"}},
            )
        )
        return role
