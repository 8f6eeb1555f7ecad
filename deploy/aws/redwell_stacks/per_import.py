"""The template of one import's uploader (SPEC E1-E6), synthesised ahead; the runtime makes a stack of it for each batch.

Its queues are there before it (SPEC A2: no event is missed while a stack is made), so they are none of its resources.
What all imports share is imported by name from the stacks that stay; an import that runs keeps those from going.
"""

import aws_cdk as cdk
from aws_cdk import aws_applicationautoscaling as scaling
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from constructs import Construct

from redwell_stacks.data import Data
from redwell_stacks.engine import ENGINE_PORT, FILES_PORT, engine_environment, engine_secrets
from redwell_stacks.environment import environment
from redwell_stacks.network import Network
from redwell_stacks.place import Place
from redwell_stacks.uploader import Uploader

STEPS = {"LowTasks": 200, "MediumTasks": 500, "HighTasks": 2_000, "MostTasks": 5_000}  # the depth above which it holds
WRITABLE = ("/tmp", "/var/lib/redwell")


class PerImport(cdk.Stack):
    """Stacks of it are named `{region prefix}-{environment}-UploaderStack-{case}-{batch}`."""

    def __init__(self, scope: Construct, name: str, place: Place, parts: tuple[Network, Data, Uploader]) -> None:
        super().__init__(
            scope,
            name,
            description="Redwell: uploader of one import",
            synthesizer=cdk.LegacyStackSynthesizer(),  # no asset, no bootstrap version: any runtime can make one of it
        )
        self._place = place
        self._network, self._data, self._uploader = parts
        self._given = {text: cdk.CfnParameter(self, text).value_as_string for text in ("CaseId", "BatchId", "Queue")}
        self._tasks = {
            step: cdk.CfnParameter(self, step, type="Number", default=1, min_value=1).value_as_number for step in STEPS
        }
        service = self._service(self._task())
        self._scale(service)
        place.tag(self)
        for tag, value in (("case", "CaseId"), ("batch", "BatchId")):
            cdk.Tags.of(self).add(tag, self._given[value])

    def _name(self, what: str) -> str:
        return f"{self._place.prefix}_{what}_{self._given['CaseId']}_{self._given['BatchId']}"

    def _task(self) -> ecs.CfnTaskDefinition:
        """Poller, engine, file service: they meet on the task's own address and are scaled together."""
        made, shared = ecs.CfnTaskDefinition, self._uploader
        of_import = ["--case-number", self._given["CaseId"], "--batch", self._given["BatchId"], "--queue", self._given["Queue"]]
        return made(
            self,
            "Task",
            family=self._name("uploader"),
            cpu="2048",
            memory="8192",
            network_mode="awsvpc",
            requires_compatibilities=["FARGATE"],
            task_role_arn=shared.task_role.role_arn,
            execution_role_arn=shared.execution_role.role_arn,
            volumes=[made.VolumeProperty(name=_volume(path)) for path in WRITABLE],
            container_definitions=[
                self._container("poller", ["uploader", "poll", *of_import]),
                self._engine(),
                self._container("files", ["uploader", "files", "--port", str(FILES_PORT)]),
            ],
        )

    def _container(self, name: str, command: list[str]) -> ecs.CfnTaskDefinition.ContainerDefinitionProperty:
        made, shared = ecs.CfnTaskDefinition, self._uploader
        beside = {
            "REDWELL_VIEWER": "nutrient",
            "REDWELL_VIEWER_URL": f"http://localhost:{ENGINE_PORT}",
            "REDWELL_VIEWER_FILES": f"http://localhost:{FILES_PORT}",
        }
        token = made.SecretProperty(name="REDWELL_VIEWER_TOKEN", value_from=shared.secrets["token"].secret_arn)
        return made.ContainerDefinitionProperty(
            name=name,
            image=shared.image.value_as_string,
            command=command,
            essential=True,
            user="10001",
            readonly_root_filesystem=True,
            stop_timeout=110,
            environment=_pairs({**environment(self._place, self._data, self.region), **beside}),
            secrets=[token],
            mount_points=[
                made.MountPointProperty(container_path=path, source_volume=_volume(path), read_only=False)
                for path in WRITABLE
            ],
            log_configuration=self._log(name),
        )

    def _engine(self) -> ecs.CfnTaskDefinition.ContainerDefinitionProperty:
        made, shared = ecs.CfnTaskDefinition, self._uploader
        return made.ContainerDefinitionProperty(
            name="engine",
            image=shared.engine_image.value_as_string,
            essential=True,
            environment=_pairs(engine_environment(shared, self.region)),
            secrets=[made.SecretProperty(name=name, value_from=of) for name, of in engine_secrets(shared).items()],
            log_configuration=self._log("engine"),
        )

    def _log(self, name: str) -> ecs.CfnTaskDefinition.LogConfigurationProperty:
        options = {
            "awslogs-group": self._uploader.log.log_group_name,
            "awslogs-region": cdk.Aws.REGION,
            "awslogs-stream-prefix": f"{name}/{self._given['CaseId']}/{self._given['BatchId']}",
        }
        return ecs.CfnTaskDefinition.LogConfigurationProperty(log_driver="awslogs", options=options)

    def _service(self, task: ecs.CfnTaskDefinition) -> ecs.CfnService:
        egress = ec2.CfnSecurityGroup.EgressProperty
        inside = self._network.vpc.vpc_cidr_block
        group = ec2.CfnSecurityGroup(
            self,
            "Group",
            group_description="uploader of one import - nobody calls it",
            vpc_id=self._network.vpc.vpc_id,
            security_group_egress=[
                egress(ip_protocol="tcp", from_port=443, to_port=443, cidr_ip="0.0.0.0/0", description="endpoints of AWS"),
                egress(ip_protocol="tcp", from_port=5432, to_port=5432, cidr_ip=inside, description="databases"),
            ],
        )
        where = ecs.CfnService.AwsVpcConfigurationProperty(
            subnets=[subnet.subnet_id for subnet in self._network.vpc.isolated_subnets],
            security_groups=[group.attr_group_id],
            assign_public_ip="DISABLED",
        )
        return ecs.CfnService(
            self,
            "Service",
            service_name=self._name("uploader"),
            cluster=self._uploader.cluster.cluster_name,
            task_definition=task.ref,
            desired_count=1,
            launch_type="FARGATE",
            network_configuration=ecs.CfnService.NetworkConfigurationProperty(awsvpc_configuration=where),
        )

    def _scale(self, service: ecs.CfnService) -> None:
        """By depth (E6): up to 200 one task, then low, medium, high and most of what the import may have."""
        resource = cdk.Fn.join("/", ["service", self._uploader.cluster.cluster_name, service.attr_name])
        target = scaling.CfnScalableTarget(
            self,
            "Target",
            min_capacity=1,
            max_capacity=self._tasks["MostTasks"],
            resource_id=resource,
            scalable_dimension="ecs:service:DesiredCount",
            service_namespace="ecs",
        )
        step = scaling.CfnScalingPolicy.StepAdjustmentProperty
        least, depths = STEPS["LowTasks"], list(STEPS.values())
        edges = [depth - least for depth in depths]
        deep = [
            step(metric_interval_lower_bound=low, metric_interval_upper_bound=high, scaling_adjustment=self._tasks[name])
            for name, low, high in zip(STEPS, edges, [*edges[1:], None])
        ]
        self._policy("Deep", target, deep, "GreaterThanThreshold")
        self._policy("Shallow", target, [step(metric_interval_upper_bound=0, scaling_adjustment=1)], "LessThanOrEqualToThreshold")

    def _policy(
        self,
        name: str,
        target: scaling.CfnScalableTarget,
        steps: list[scaling.CfnScalingPolicy.StepAdjustmentProperty],
        compared: str,
    ) -> None:
        made = scaling.CfnScalingPolicy
        policy = made(
            self,
            f"{name}Steps",
            policy_name=self._name(f"uploader_{name.lower()}"),
            policy_type="StepScaling",
            scaling_target_id=target.ref,
            step_scaling_policy_configuration=made.StepScalingPolicyConfigurationProperty(
                adjustment_type="ExactCapacity", cooldown=120, metric_aggregation_type="Maximum", step_adjustments=steps
            ),
        )
        cloudwatch.CfnAlarm(
            self,
            name,
            alarm_name=self._name(f"uploader_{name.lower()}"),
            namespace="AWS/SQS",
            metric_name="ApproximateNumberOfMessagesVisible",
            dimensions=[cloudwatch.CfnAlarm.DimensionProperty(name="QueueName", value=self._given["Queue"])],
            statistic="Maximum",
            period=60,
            evaluation_periods=1 if name == "Deep" else 5,
            threshold=STEPS["LowTasks"],
            comparison_operator=compared,
            alarm_actions=[policy.ref],
        )


def _volume(path: str) -> str:
    return path.strip("/").replace("/", "-")


def _pairs(values: dict[str, str]) -> list[ecs.CfnTaskDefinition.KeyValuePairProperty]:
    return [ecs.CfnTaskDefinition.KeyValuePairProperty(name=name, value=value) for name, value in values.items()]
