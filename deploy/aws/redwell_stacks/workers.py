"""Services of workers on Fargate and on spot, the review page, who also conduct uploaders; roles with few rights."""

from collections.abc import Callable

import aws_cdk as cdk
from aws_cdk import aws_applicationautoscaling as scaling
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from constructs import Construct

from redwell_stacks.checks import Checks
from redwell_stacks.data import Data
from redwell_stacks.environment import environment
from redwell_stacks.messages import Messages
from redwell_stacks.network import Network
from redwell_stacks.place import Place
from redwell_stacks.uploader import Uploader

QUEUE_ACTIONS = (
    "CreateQueue DeleteQueue GetQueueUrl GetQueueAttributes SetQueueAttributes TagQueue ListQueueTags SendMessage"
    " ReceiveMessage DeleteMessage ChangeMessageVisibility"
).split()
Allow = Callable[[str, list[str], str], None]
SPOT_DRAIN_S = 110  # AWS takes a spot task away 120 s after SIGTERM


class Workers(cdk.Stack):
    """`services` of workers, each of which has one case at a time (SPEC A3), some of them on spot machines."""

    def __init__(
        self, scope: Construct, name: str, place: Place, parts: tuple[Network, Data, Messages, Uploader], services: int = 2
    ) -> None:
        super().__init__(scope, name, description="Redwell: workers, review page")
        self._place = place
        self._network, self._data, self._messages, uploader = parts
        self._stacks_role, self._templates = uploader.stacks_role, uploader.templates
        self.cluster = ecs.Cluster(self, "Cluster", cluster_name=f"{place.prefix}-workers", vpc=self._network.vpc)
        self.cluster.enable_fargate_capacity_providers()
        self._log = ecs.LogDrivers.aws_logs(
            stream_prefix="redwell",
            log_group=logs.LogGroup(
                self,
                "Log",
                log_group_name=f"/redwell/{place.prefix}",
                retention=logs.RetentionDays.THREE_MONTHS,
                removal_policy=place.removal,
            ),
        )
        self.image = cdk.CfnParameter(self, "Image", description="the image of deploy/Containerfile in ECR")
        self.role = self._role()
        stacks = {"REDWELL_UPLOADER_TEMPLATE": uploader.template_url, "REDWELL_UPLOADER_ROLE": uploader.stacks_role.role_arn}
        self._environment = {**environment(place, self._data, self.region), **stacks, "REDWELL_SCALING": "ecs"}
        self.checks = Checks(self, place, self.cluster, self._task("check", ["workers"], small=True), self._network)
        for number in range(1, services + 1):
            self._service(f"worker{number}", ["worker", "--cluster", "--service", f"worker{number}"], spot=False)
            self._service(f"spot{number}", ["worker", "--cluster", "--spot", "--service", f"spot{number}"], spot=True)
        self._service("serve", ["serve", "--host", "0.0.0.0", "--no-worker"], spot=False, count=1)
        place.tag(self)

    def _role(self) -> iam.Role:
        """What a worker may do: its bucket, queues and topics of its prefix, the registry, numbers, its own protection."""
        role = iam.Role(self, "TaskRole", assumed_by=iam.ServicePrincipal("ecs-tasks.amazonaws.com"))
        data = self._data  # known by their names here: a grant that data gave would make it depend on this stack
        key = kms.Key.from_key_arn(self, "Key", data.key.key_arn)
        key.grant_encrypt_decrypt(role)
        for name, bucket in (("Evidence", data.evidence), ("Statuses", data.statuses)):
            s3.Bucket.from_bucket_arn(self, name, bucket.bucket_arn).grant_read_write(role)
        dynamodb.Table.from_table_arn(self, "Registry", data.registry.table_arn).grant_read_write_data(role)
        prefix = self._place.prefix

        def allow(service: str, names: list[str], resource: str) -> None:
            role.add_to_policy(
                iam.PolicyStatement(actions=[f"{service}:{name}" for name in names], resources=[resource])
            )

        allow("es", ["ESHttp*"], f"{data.search.domain_arn}/*")
        for secret in dict.fromkeys((data.database_url, data.reader_url)):
            allow("secretsmanager", ["GetSecretValue"], secret.secret_arn)
        allow("sqs", QUEUE_ACTIONS, self.format_arn(service="sqs", resource=f"{prefix}*"))
        told = ["CreateTopic", "Publish", "Subscribe", "Unsubscribe", "ListSubscriptionsByTopic"]
        allow("sns", [*told, "SetSubscriptionAttributes"], self._messages.topic.topic_arn)
        allow("sns", ["CreateTopic", "Publish"], self._messages.alarms.topic_arn)
        for resource, names in (("task", ["UpdateTaskProtection"]), ("service", ["UpdateService", "DescribeServices"])):
            where = self.format_arn(service="ecs", resource=resource, resource_name=f"{prefix}-workers/*")
            allow("ecs", names, where)
        allow("sqs", ["ListQueues"], "*")  # it knows no others
        self._may_make_uploaders(role, allow)
        allow("application-autoscaling", ["RegisterScalableTarget"], self._scaled())
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["cloudwatch:PutMetricData"],
                resources=["*"],  # it knows no others
                conditions={"StringEquals": {"cloudwatch:namespace": "Redwell"}},
            )
        )
        return role

    def _scaled(self) -> str:
        """What an import scales: the targets of services (SPEC A3)."""
        return self.format_arn(service="application-autoscaling", resource="scalable-target", resource_name="*")

    def _may_make_uploaders(self, role: iam.Role, allow: Allow) -> None:
        """Stacks of uploaders, made by CloudFormation as a role of its own."""
        prefix = self._place.prefix
        stacks = self.format_arn(service="cloudformation", resource="stack", resource_name=f"{prefix}-UploaderStack-*")
        allow("cloudformation", ["CreateStack", "UpdateStack", "DeleteStack", "DescribeStacks"], stacks)
        allow("cloudformation", ["ListStacks"], "*")  # it knows no others
        cluster = self.format_arn(service="ecs", resource="cluster", resource_name=f"{prefix}-uploaders")
        allow("ecs", ["DescribeClusters"], cluster)
        allow("s3", ["GetObject"], f"{self._templates.bucket_arn}/*")
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["iam:PassRole"],
                resources=[self._stacks_role.role_arn],
                conditions={"StringEquals": {"iam:PassedToService": "cloudformation.amazonaws.com"}},
            )
        )

    def _service(self, name: str, command: list[str], *, spot: bool, count: int = 0) -> None:
        """Begins with no task: the runtime scales it to its job's workers and to 0, the policy below in between."""
        task = self._task(name, command)
        service = ecs.FargateService(
            self,
            name,
            service_name=name,
            cluster=self.cluster,
            task_definition=task,
            desired_count=count,
            assign_public_ip=False,
            security_groups=[self._network.tasks],
            capacity_provider_strategies=[
                ecs.CapacityProviderStrategy(capacity_provider="FARGATE_SPOT" if spot else "FARGATE", weight=1)
            ],
            circuit_breaker=ecs.DeploymentCircuitBreaker(rollback=True),
            min_healthy_percent=0 if count == 0 else 100,
            propagate_tags=ecs.PropagatedTagSource.SERVICE,
        )
        if not count:
            self._scale(service, name)

    def _task(self, name: str, command: list[str], *, small: bool = False) -> ecs.FargateTaskDefinition:
        task = ecs.FargateTaskDefinition(
            self,
            f"{name}Task",
            family=f"{self._place.prefix}-{name}",
            cpu=512 if small else 4096,
            memory_limit_mib=1024 if small else 16_384,
            ephemeral_storage_gib=None if small else 100,
            task_role=self.role,
            runtime_platform=ecs.RuntimePlatform(cpu_architecture=ecs.CpuArchitecture.ARM64),
        )
        container = task.add_container(
            "redwell",
            image=ecs.ContainerImage.from_registry(self.image.value_as_string),
            command=command,
            environment=self._environment,
            logging=self._log,
            readonly_root_filesystem=True,
            user="10001",
            stop_timeout=cdk.Duration.seconds(SPOT_DRAIN_S),
        )
        for place in ("/tmp", "/var/lib/redwell"):
            volume = place.strip("/").replace("/", "-")
            task.add_volume(name=volume)
            container.add_mount_points(
                ecs.MountPoint(container_path=place, source_volume=volume, read_only=False)
            )
        return task

    def _scale(self, service: ecs.FargateService, name: str) -> None:
        """By the part of their slots that the workers of a service use (SPEC A15); to 0 by leaving, never by an alarm."""
        target = service.auto_scale_task_count(min_capacity=0, max_capacity=50)
        usage = cloudwatch.Metric(
            namespace="Redwell",
            metric_name="WorkerCapacityUsage",
            dimensions_map={"ServiceId": name},
            statistic="Average",
            period=cdk.Duration.minutes(1),
        )
        target.scale_on_metric(
            "Usage",
            metric=usage,
            adjustment_type=scaling.AdjustmentType.CHANGE_IN_CAPACITY,
            cooldown=cdk.Duration.minutes(3),
            scaling_steps=[
                scaling.ScalingInterval(upper=0.3, change=-1),
                scaling.ScalingInterval(lower=0.8, upper=0.95, change=2),
                scaling.ScalingInterval(lower=0.95, change=5),
            ],
        )
        self.checks.watch(name, usage)
