"""What the uploaders of all imports share (SPEC E1-E6): cluster, roles, the engine's database and bucket, templates.

The stack of one import is made of a template at run time (per_import.py); CloudFormation acts as `stacks_role` then.
"""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_rds as rds
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from redwell_stacks.data import NOT_IN_URLS, Data
from redwell_stacks.network import Network
from redwell_stacks.place import Place

TEMPLATE = "uploader.template.json"
TAKES = ["GetQueueUrl", "GetQueueAttributes", "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "SendMessage"]


class Uploader(cdk.Stack):
    def __init__(self, scope: Construct, name: str, place: Place, network: Network, data: Data) -> None:
        super().__init__(scope, name, description="Redwell: what the uploaders of all imports share")
        self._place, self._network, self._data = place, network, data
        self.key = kms.Key.from_key_arn(self, "Key", data.key.key_arn)
        self.cluster = ecs.Cluster(self, "Cluster", cluster_name=f"{place.prefix}-uploaders", vpc=network.vpc)
        self.log = logs.LogGroup(
            self,
            "Log",
            log_group_name=f"/redwell/{place.prefix}/uploaders",
            retention=logs.RetentionDays.THREE_MONTHS,
            removal_policy=place.removal,
        )
        self.image = cdk.CfnParameter(self, "Image", description="the image of deploy/Containerfile in ECR")
        self.engine_image = cdk.CfnParameter(self, "EngineImage", description="the viewing engine's image in ECR")
        self.templates = self._bucket("templates")
        self.assets = self._bucket("viewing")
        self._database()
        self.secrets = {
            what: secrets.Secret(self, what.title(), secret_name=f"{place.prefix}/viewer-{what}", encryption_key=self.key)
            for what in ("activation", "token", "jwt")
        }
        self.task_role, self.execution_role = self._task_role(), self._execution_role()
        self.stacks_role = self._stacks_role()
        self.template_url = f"https://{self.templates.bucket_regional_domain_name}/{TEMPLATE}"
        place.tag(self)

    def _bucket(self, what: str) -> s3.Bucket:
        return s3.Bucket(
            self,
            what.title(),
            bucket_name=f"{self._place.prefix}-{what}-{cdk.Aws.ACCOUNT_ID}",
            encryption=s3.BucketEncryption.KMS,
            encryption_key=self.key,
            bucket_key_enabled=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            enforce_ssl=True,
            lifecycle_rules=[s3.LifecycleRule(abort_incomplete_multipart_upload_after=cdk.Duration.days(7))],
            removal_policy=self._place.removal,
        )

    def _database(self) -> None:
        """The engine's own, so that its connections are counted apart (E5); it sleeps while no import runs."""
        group = ec2.SecurityGroup(
            self, "DatabaseGroup", vpc=self._network.vpc, description="engines", allow_all_outbound=False
        )
        group.add_ingress_rule(ec2.Peer.ipv4(self._network.vpc.vpc_cidr_block), ec2.Port.tcp(5432), "PostgreSQL")
        self.database = rds.DatabaseCluster(
            self,
            "Database",
            engine=rds.DatabaseClusterEngine.aurora_postgres(version=rds.AuroraPostgresEngineVersion.of("16.9", "16")),
            credentials=rds.Credentials.from_generated_secret(
                "engine", secret_name=f"{self._place.prefix}/viewer-database", exclude_characters=NOT_IN_URLS
            ),
            default_database_name="engine",
            writer=rds.ClusterInstance.serverless_v2("Writer"),
            serverless_v2_min_capacity=0,
            serverless_v2_max_capacity=8,
            vpc=self._network.vpc,
            vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED),
            security_groups=[group],
            storage_encryption_key=self.key,
            deletion_protection=self._place.is_kept,
            removal_policy=self._place.removal,
        )

    def _task_role(self) -> iam.Role:
        """Of poller and file service: read the evidence, take from the queues of uploaders. Of the engine: its own bucket."""
        role = iam.Role(self, "TaskRole", assumed_by=iam.ServicePrincipal("ecs-tasks.amazonaws.com"))
        s3.Bucket.from_bucket_arn(self, "Evidence", self._data.evidence.bucket_arn).grant_read(role)
        self.assets.grant_read_write(role)
        self.key.grant_encrypt_decrypt(role)
        self._allow(role, "sqs", TAKES, self.format_arn(service="sqs", resource=f"{self._place.prefix}_doc_uploader_*"))
        for secret in dict.fromkeys((self._data.database_url, self._data.reader_url)):
            self._allow(role, "secretsmanager", ["GetSecretValue"], secret.secret_arn)
        return role

    def _execution_role(self) -> iam.Role:
        """Pulls the images, writes the logs, hands the engine its secrets."""
        role = iam.Role(self, "ExecutionRole", assumed_by=iam.ServicePrincipal("ecs-tasks.amazonaws.com"))
        self.log.grant_write(role)
        assert self.database.secret
        for secret in (*self.secrets.values(), self.database.secret):
            secret.grant_read(role)
        pulls = ["BatchCheckLayerAvailability", "GetDownloadUrlForLayer", "BatchGetImage"]
        self._allow(role, "ecr", pulls, self.format_arn(service="ecr", resource="repository", resource_name="*"))
        self._allow(role, "ecr", ["GetAuthorizationToken"], "*")  # it knows no others
        return role

    def _stacks_role(self) -> iam.Role:
        """As what CloudFormation makes the stack of an import: a group, a task, a service, its scaling; no more."""
        role = iam.Role(
            self,
            "StacksRole",
            role_name=f"{self._place.prefix}-uploader-stacks",
            assumed_by=iam.ServicePrincipal("cloudformation.amazonaws.com"),
        )
        prefix, any_of = self._place.prefix, self.format_arn
        self.templates.grant_read(role)
        services = any_of(service="ecs", resource="service", resource_name=f"{prefix}-uploaders/*")
        self._allow(role, "ecs", ["CreateService", "UpdateService", "DeleteService", "DescribeServices", "TagResource"], services)
        task = any_of(service="ecs", resource="task-definition", resource_name=f"{prefix}_uploader_*")
        self._allow(role, "ecs", ["RegisterTaskDefinition", "TagResource"], task)
        self._allow(role, "ecs", ["DeregisterTaskDefinition", "DescribeTaskDefinition"], "*")  # they know no others
        groups = ["CreateSecurityGroup", "DeleteSecurityGroup", "AuthorizeSecurityGroupEgress", "RevokeSecurityGroupEgress"]
        for what in ("security-group", "vpc"):
            self._allow(role, "ec2", [*groups, "CreateTags"], any_of(service="ec2", resource=what, resource_name="*"))
        self._allow(role, "ec2", ["DescribeSecurityGroups", "DescribeSubnets", "DescribeVpcs"], "*")
        scales = ["RegisterScalableTarget", "DeregisterScalableTarget", "PutScalingPolicy", "DeleteScalingPolicy"]
        looks = ["DescribeScalableTargets", "DescribeScalingPolicies", "TagResource", "ListTagsForResource"]
        self._allow(role, "application-autoscaling", [*scales, *looks], "*")  # it knows no others
        alarms = any_of(service="cloudwatch", resource="alarm", resource_name=f"{prefix}*", arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME)
        self._allow(role, "cloudwatch", ["PutMetricAlarm", "DeleteAlarms", "DescribeAlarms", "TagResource"], alarms)
        passed = iam.PolicyStatement(
            actions=["iam:PassRole"],
            resources=[self.task_role.role_arn, self.execution_role.role_arn],
            conditions={"StringEquals": {"iam:PassedToService": "ecs-tasks.amazonaws.com"}},
        )
        role.add_to_policy(passed)
        return role

    def _allow(self, role: iam.Role, service: str, names: list[str], resource: str) -> None:
        actions = [f"{service}:{name}" for name in names]
        role.add_to_policy(iam.PolicyStatement(actions=actions, resources=[resource]))
