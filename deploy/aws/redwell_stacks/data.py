"""What is kept: buckets, the registry of services, the database with its proxies, search."""

import aws_cdk as cdk
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk import aws_opensearchservice as opensearch
from aws_cdk import aws_rds as rds
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from redwell_stacks.network import Network
from redwell_stacks.place import Place


NOT_IN_URLS = " %+~`#$&*()|[]{}:;<>?!'/@\"\\,=^"


class Data(cdk.Stack):
    def __init__(self, scope: Construct, name: str, place: Place, network: Network) -> None:
        super().__init__(scope, name, description="Redwell: buckets, registry, database, search")
        self._place, self._network = place, network
        self.group = ec2.SecurityGroup(
            self, "Group", vpc=network.vpc, description="database, search", allow_all_outbound=False
        )
        self.group.add_ingress_rule(network.tasks, ec2.Port.tcp(5432), "PostgreSQL")
        self.group.add_ingress_rule(network.tasks, ec2.Port.tcp(443), "OpenSearch")
        self.key = kms.Key(self, "Key", enable_key_rotation=True, removal_policy=place.removal)
        self.evidence = self._bucket("evidence", versioned=True)
        self.statuses = self._bucket("statuses", expires_days=730)
        self.registry = dynamodb.Table(
            self,
            "Registry",
            table_name=f"{place.prefix}-services",
            partition_key=dynamodb.Attribute(name="key", type=dynamodb.AttributeType.STRING),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=place.is_kept
            ),
            removal_policy=place.removal,
        )
        self._database()
        self._search()
        place.tag(self)

    def _bucket(self, what: str, *, versioned: bool = False, expires_days: int | None = None) -> s3.Bucket:
        """Uploads that were never finished go after a week; old versions of what gc removed after a month."""
        rule = s3.LifecycleRule(
            abort_incomplete_multipart_upload_after=cdk.Duration.days(7),
            noncurrent_version_expiration=cdk.Duration.days(30) if versioned else None,
            expiration=cdk.Duration.days(expires_days) if expires_days else None,
        )
        return s3.Bucket(
            self,
            what.title(),
            bucket_name=f"{self._place.prefix}-{what}-{cdk.Aws.ACCOUNT_ID}",
            encryption=s3.BucketEncryption.KMS,
            encryption_key=self.key,
            bucket_key_enabled=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            enforce_ssl=True,
            versioned=versioned,
            lifecycle_rules=[rule],
            removal_policy=self._place.removal,
        )

    def _database(self) -> None:
        """Writers and those who only look come through proxies: `database` and `database_reader`."""
        network, subnets = self._network, ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
        self.cluster = rds.DatabaseCluster(
            self,
            "Database",
            engine=rds.DatabaseClusterEngine.aurora_postgres(version=rds.AuroraPostgresEngineVersion.of("16.9", "16")),
            credentials=rds.Credentials.from_generated_secret(
                "redwell", secret_name=f"{self._place.prefix}/database", exclude_characters=NOT_IN_URLS
            ),
            default_database_name="cases",
            writer=rds.ClusterInstance.serverless_v2("Writer"),
            readers=[rds.ClusterInstance.serverless_v2("Reader", scale_with_writer=True)] if self._place.is_kept else [],
            serverless_v2_min_capacity=0.5,
            serverless_v2_max_capacity=32,
            vpc=network.vpc,
            vpc_subnets=subnets,
            security_groups=[self.group],
            storage_encryption_key=self.key,
            backup=rds.BackupProps(retention=cdk.Duration.days(14 if self._place.is_kept else 1)),
            deletion_protection=self._place.is_kept,
            removal_policy=self._place.removal,
        )
        assert self.cluster.secret
        self._secret = self.cluster.secret
        self.proxy = rds.DatabaseProxy(
            self,
            "Proxy",
            proxy_target=rds.ProxyTarget.from_cluster(self.cluster),
            secrets=[self._secret],
            vpc=network.vpc,
            vpc_subnets=subnets,
            security_groups=[self.group],
            require_tls=True,
        )
        self.database_url = self._url("database-url", self.proxy.endpoint)
        self.reader_url = self.database_url
        if self._place.is_kept:
            reader = rds.CfnDBProxyEndpoint(
                self,
                "ReaderProxy",
                db_proxy_name=self.proxy.db_proxy_name,
                db_proxy_endpoint_name=f"{self._place.prefix}-reader",
                target_role="READ_ONLY",
                vpc_subnet_ids=network.vpc.select_subnets(subnet_type=subnets.subnet_type).subnet_ids,
                vpc_security_group_ids=[self.group.security_group_id],
            )
            self.reader_url = self._url("reader-url", reader.attr_endpoint)

    def _url(self, name: str, endpoint: str) -> secrets.Secret:
        """What `database` and `database_reader` refer to; the password is put in by CloudFormation and is in no template."""
        password = self._secret.secret_value_from_json("password").unsafe_unwrap()
        url = f"postgresql://redwell:{password}@{endpoint}:5432/cases?sslmode=require"
        return secrets.Secret(
            self,
            name.title().replace("-", ""),
            secret_name=f"{self._place.prefix}/{name}",
            encryption_key=self.key,
            secret_string_value=cdk.SecretValue.unsafe_plain_text(url),
        )

    def _search(self) -> None:
        kept = self._place.is_kept
        self.search = opensearch.Domain(
            self,
            "Search",
            version=opensearch.EngineVersion.OPENSEARCH_2_19,
            capacity=opensearch.CapacityConfig(
                data_nodes=2 if kept else 1,
                data_node_instance_type="r7g.large.search" if kept else "t3.small.search",
                multi_az_with_standby_enabled=False,
            ),
            ebs=opensearch.EbsOptions(volume_size=200 if kept else 20, volume_type=ec2.EbsDeviceVolumeType.GP3),
            zone_awareness=opensearch.ZoneAwarenessConfig(enabled=kept, availability_zone_count=2 if kept else None),
            vpc=self._network.vpc,
            vpc_subnets=[
                ec2.SubnetSelection(
                    subnets=self._network.vpc.isolated_subnets[: 2 if kept else 1],
                )
            ],
            security_groups=[self.group],
            encryption_at_rest=opensearch.EncryptionAtRestOptions(enabled=True, kms_key=self.key),
            node_to_node_encryption=True,
            enforce_https=True,
            removal_policy=self._place.removal,
        )
