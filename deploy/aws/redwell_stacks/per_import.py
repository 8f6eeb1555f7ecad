"""The template of one import's uploader (SPEC E1-E6), synthesised ahead; the runtime makes a stack of it for each batch."""

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_applicationautoscaling as scaling
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from redwell_stacks.place import Place

RECEIVES = 4
LATER_MIN = 3  # until a PDF that is not there yet is looked for again
STEPS = (200, 500, 2_000, 5_000)


class PerImport(cdk.Stack):
    """Stacks of it are named `{region prefix}-{environment}-UploaderStack-{case}-{batch}`."""

    def __init__(self, scope: Construct, name: str, place: Place) -> None:
        super().__init__(
            scope,
            name,
            description="Redwell: uploader of one import",
            synthesizer=cdk.LegacyStackSynthesizer(),  # no asset, no bootstrap version: any runtime can make one of it
        )
        texts = ("CaseId", "BatchId", "ClusterName", "Image", "EngineImage", "TaskRoleArn", "ExecutionRoleArn", "LogGroup")
        self._given = {text: cdk.CfnParameter(self, text).value_as_string for text in texts}
        self._vpc = cdk.CfnParameter(self, "VpcId", type="AWS::EC2::VPC::Id").value_as_string
        self._subnets = cdk.CfnParameter(self, "SubnetIds", type="List<AWS::EC2::Subnet::Id>").value_as_list
        self._most = cdk.CfnParameter(self, "MostTasks", type="Number", default=10, min_value=1).value_as_number
        self._prefix = place.prefix
        self._queues()
        self._service()
        place.tag(self)
        for tag, value in (("case", "CaseId"), ("batch", "BatchId")):
            cdk.Tags.of(self).add(tag, self._given[value])

    def _name(self, what: str) -> str:
        return f"{self._prefix}_{what}_{self._given['CaseId']}_{self._given['BatchId']}"

    def _queues(self) -> None:
        """Main, PDFs that are not there yet, dead letters."""
        lasts, ssl = int(cdk.Duration.days(14).to_seconds()), {"sqs_managed_sse_enabled": True}
        dead = sqs.CfnQueue(
            self, "DeadLetters", queue_name=self._name("doc_uploader_dead"), message_retention_period=lasts, **ssl
        )
        policy = {"deadLetterTargetArn": dead.attr_arn, "maxReceiveCount": RECEIVES}
        self.main = sqs.CfnQueue(
            self,
            "Main",
            queue_name=self._name("doc_uploader"),
            visibility_timeout=300,  # a flattening may take 240 s
            receive_message_wait_time_seconds=20,
            redrive_policy=policy,
            **ssl,
        )
        self.later = sqs.CfnQueue(
            self,
            "NotYet",
            queue_name=self._name("pdf_retry"),
            delay_seconds=LATER_MIN * 60,
            redrive_policy=policy,
            **ssl,
        )
        for name, queue in (("QueueUrl", self.main), ("RetryQueueUrl", self.later), ("DeadLettersUrl", dead)):
            cdk.CfnOutput(self, name, value=queue.ref)

    def _service(self) -> None:
        """One task: poller, engine, file service; they meet on the task's own address and are scaled together."""
        group = ec2.CfnSecurityGroup(
            self,
            "Group",
            group_description="uploader of one import - nobody calls it",
            vpc_id=self._vpc,
            security_group_egress=[
                ec2.CfnSecurityGroup.EgressProperty(
                    ip_protocol="tcp", from_port=443, to_port=443, cidr_ip="0.0.0.0/0", description="endpoints of AWS"
                ),
                ec2.CfnSecurityGroup.EgressProperty(
                    ip_protocol="tcp", from_port=5432, to_port=5432, cidr_ip="10.0.0.0/8", description="database"
                ),
            ],
        )
        task = ecs.CfnTaskDefinition(
            self,
            "Task",
            family=self._name("uploader"),
            cpu="2048",
            memory="8192",
            network_mode="awsvpc",
            requires_compatibilities=["FARGATE"],
            task_role_arn=self._given["TaskRoleArn"],
            execution_role_arn=self._given["ExecutionRoleArn"],
            container_definitions=[
                self._container("poller", "Image", ["uploader", "poll"]),
                self._container("engine", "EngineImage", None, port=5000),
                self._container("files", "Image", ["uploader", "files", "--port", "80"], port=80),
            ],
        )
        service = ecs.CfnService(
            self,
            "Service",
            service_name=self._name("uploader"),
            cluster=self._given["ClusterName"],
            task_definition=task.ref,
            desired_count=1,
            launch_type="FARGATE",
            network_configuration=ecs.CfnService.NetworkConfigurationProperty(
                awsvpc_configuration=ecs.CfnService.AwsVpcConfigurationProperty(
                    subnets=self._subnets, security_groups=[group.attr_group_id], assign_public_ip="DISABLED"
                )
            ),
        )
        self._scale(service)

    def _container(
        self, name: str, image: str, command: list[str] | None, port: int | None = None
    ) -> ecs.CfnTaskDefinition.ContainerDefinitionProperty:
        made, pair = ecs.CfnTaskDefinition, ecs.CfnTaskDefinition.KeyValuePairProperty
        given = {
            "REDWELL_UPLOADER_CASE": self._given["CaseId"],
            "REDWELL_UPLOADER_BATCH": self._given["BatchId"],
            "REDWELL_NAME_PREFIX": self._prefix,
        }
        return made.ContainerDefinitionProperty(
            name=name,
            image=self._given[image],
            command=command,
            essential=True,
            readonly_root_filesystem=name != "engine",
            port_mappings=[made.PortMappingProperty(container_port=port)] if port else None,
            environment=[pair(name=key, value=value) for key, value in given.items()] if name != "engine" else None,
            log_configuration=made.LogConfigurationProperty(
                log_driver="awslogs",
                options={
                    "awslogs-group": self._given["LogGroup"],
                    "awslogs-region": cdk.Aws.REGION,
                    "awslogs-stream-prefix": f"uploader-{name}",
                },
            ),
        )

    def _scale(self, service: ecs.CfnService) -> None:
        """By depth (E6): up to 200 one task, then low, medium, high and most of what the import may have."""
        resource = cdk.Fn.join("/", ["service", self._given["ClusterName"], service.attr_name])
        target = scaling.CfnScalableTarget(
            self,
            "Target",
            min_capacity=1,
            max_capacity=self._most,
            resource_id=resource,
            scalable_dimension="ecs:service:DesiredCount",
            service_namespace="ecs",
        )
        made = scaling.CfnScalingPolicy
        bounds = [0, *(step - STEPS[0] for step in STEPS[1:]), None]
        counts = [2, 4, 7, 10]
        policy = made(
            self,
            "Steps",
            policy_name=self._name("uploader_steps"),
            policy_type="StepScaling",
            scaling_target_id=target.ref,
            step_scaling_policy_configuration=made.StepScalingPolicyConfigurationProperty(
                adjustment_type="ExactCapacity",
                cooldown=120,
                metric_aggregation_type="Maximum",
                step_adjustments=[
                    made.StepAdjustmentProperty(
                        metric_interval_lower_bound=low, metric_interval_upper_bound=high, scaling_adjustment=count
                    )
                    for low, high, count in zip(bounds[:-1], bounds[1:], counts)
                ],
            ),
        )
        cloudwatch.CfnAlarm(
            self,
            "Deep",
            namespace="AWS/SQS",
            metric_name="ApproximateNumberOfMessagesVisible",
            dimensions=[cloudwatch.CfnAlarm.DimensionProperty(name="QueueName", value=self.main.attr_queue_name)],
            statistic="Maximum",
            period=60,
            evaluation_periods=1,
            threshold=STEPS[0],
            comparison_operator="GreaterThanThreshold",
            alarm_actions=[policy.ref],
        )
