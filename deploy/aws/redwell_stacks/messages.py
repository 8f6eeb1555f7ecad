"""The topic of events, the queues of dead letters, the monitor's stream of every event, and the alarms (SPEC A16)."""

import aws_cdk as cdk
from aws_cdk import aws_athena as athena
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_glue as glue
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kinesisfirehose as firehose
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from redwell_stacks.place import Place

COLUMNS = {
    "jobid": "bigint",
    "eventtype": "string",
    "eventdetail": "string",
    "status": "string",
    "documentid": "string",
    "exhibitids": "array<bigint>",
    "timestamp": "bigint",
    "source": "string",
    "version": "int",
}


# new partitions are seen after the first of them
QUERIES = {
    "Partitions": "MSCK REPAIR TABLE statuses",
    "Failures": "SELECT eventtype, source, count(*) AS failures FROM statuses WHERE status = 'ERROR' GROUP BY 1, 2 ORDER BY 3 DESC",
    "Throughput": (
        "SELECT date_trunc('hour', from_unixtime(timestamp / 1000)) AS hour, count(*) AS documents FROM statuses"
        " WHERE eventtype = 'DOCUMENT_PROCESSED' GROUP BY 1 ORDER BY 1"
    ),
}


class Messages(cdk.Stack):
    def __init__(self, scope: Construct, name: str, place: Place, statuses: s3.Bucket, key: kms.IKey) -> None:
        super().__init__(scope, name, description="Redwell: topic, dead letters, monitor, alarms")
        self._place, self._statuses = place, statuses
        self._key = kms.Key.from_key_arn(self, "Key", key.key_arn)
        self.topic = sns.Topic(self, "Events", topic_name=f"{place.prefix}-events")
        self.alarms = sns.Topic(self, "Alarms", topic_name=f"{place.prefix}-alarms")
        self.dead_letters = [self._dead(what) for what in ("failed-extraction-tasks", "uploader-dead-letters")]
        self._monitor()
        self._ask()
        self._watch()
        place.tag(self)

    def _dead(self, what: str) -> sqs.Queue:
        return sqs.Queue(
            self,
            what.title().replace("-", ""),
            queue_name=f"{self._place.prefix}-{what}",
            retention_period=cdk.Duration.days(14),
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
        )

    def _monitor(self) -> None:
        """Events as Parquet by case and batch, as `monitor=live` writes them, for Athena; undeliverable ones apart."""
        role = iam.Role(self, "FirehoseRole", assumed_by=iam.ServicePrincipal("firehose.amazonaws.com"))
        bucket = s3.Bucket.from_bucket_name(self, "Statuses", self._statuses.bucket_name)
        bucket.grant_read_write(role)
        self._key.grant_encrypt_decrypt(role)
        database = glue.CfnDatabase(
            self,
            "Glue",
            catalog_id=cdk.Aws.ACCOUNT_ID,
            database_input=glue.CfnDatabase.DatabaseInputProperty(name=self._glue_name),
        )
        table = self._table()
        table.add_dependency(database)
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["glue:GetTable", "glue:GetTableVersion", "glue:GetTableVersions"],
                resources=[
                    self.format_arn(service="glue", resource="catalog"),
                    self.format_arn(service="glue", resource="database", resource_name=self._glue_name),
                    self.format_arn(service="glue", resource="table", resource_name=f"{self._glue_name}/statuses"),
                ],
            )
        )
        self.stream = firehose.CfnDeliveryStream(
            self,
            "Statuses Stream",
            delivery_stream_name=f"{self._place.prefix}-statuses",
            delivery_stream_type="DirectPut",
            extended_s3_destination_configuration=self._destination(role),
        )
        self.stream.add_dependency(table)
        self.stream.node.add_dependency(role.node.find_child("DefaultPolicy"))  # else it is made before it may write
        told = iam.Role(self, "TopicRole", assumed_by=iam.ServicePrincipal("sns.amazonaws.com"))
        told.add_to_policy(
            iam.PolicyStatement(
                actions=["firehose:PutRecord", "firehose:PutRecordBatch"], resources=[self.stream.attr_arn]
            )
        )
        sns.CfnSubscription(
            self,
            "EveryEvent",
            topic_arn=self.topic.topic_arn,
            protocol="firehose",
            endpoint=self.stream.attr_arn,
            subscription_role_arn=told.role_arn,
            raw_message_delivery=True,
        )

    @property
    def _glue_name(self) -> str:
        return f"{self._place.prefix.replace('-', '_')}_monitor"

    def _table(self) -> glue.CfnTable:
        column = glue.CfnTable.ColumnProperty
        parquet = "org.apache.hadoop.hive.ql.io.parquet"
        return glue.CfnTable(
            self,
            "GlueTable",
            catalog_id=cdk.Aws.ACCOUNT_ID,
            database_name=self._glue_name,
            table_input=glue.CfnTable.TableInputProperty(
                name="statuses",
                table_type="EXTERNAL_TABLE",
                partition_keys=[column(name="caseid", type="int"), column(name="batchid", type="int")],
                parameters={"classification": "parquet", "projection.enabled": "false"},
                storage_descriptor=glue.CfnTable.StorageDescriptorProperty(
                    location=f"s3://{self._statuses.bucket_name}/statuses/",
                    columns=[column(name=name, type=kind) for name, kind in COLUMNS.items()],
                    input_format=f"{parquet}.MapredParquetInputFormat",
                    output_format=f"{parquet}.MapredParquetOutputFormat",
                    serde_info=glue.CfnTable.SerdeInfoProperty(
                        serialization_library=f"{parquet}.serde.ParquetHiveSerDe"
                    ),
                ),
            ),
        )

    def _ask(self) -> None:
        """A workgroup of Athena with the first queries; answers lie in the bucket, and a query reads 1 TB at most."""
        group = athena.CfnWorkGroup(
            self,
            "Athena",
            name=f"{self._place.prefix}-monitor",
            recursive_delete_option=not self._place.is_kept,
            work_group_configuration=athena.CfnWorkGroup.WorkGroupConfigurationProperty(
                bytes_scanned_cutoff_per_query=1 << 40,
                enforce_work_group_configuration=True,
                result_configuration=athena.CfnWorkGroup.ResultConfigurationProperty(
                    output_location=f"s3://{self._statuses.bucket_name}/athena/",
                    encryption_configuration=athena.CfnWorkGroup.EncryptionConfigurationProperty(
                        encryption_option="SSE_KMS", kms_key=self._key.key_arn
                    ),
                ),
            ),
        )
        for name, text in QUERIES.items():
            query = athena.CfnNamedQuery(
                self, f"{name}Query", database=self._glue_name, query_string=text, name=name, work_group=group.name
            )
            query.add_dependency(group)

    def _destination(self, role: iam.Role) -> firehose.CfnDeliveryStream.ExtendedS3DestinationConfigurationProperty:
        """64 MB or 60 s; partitions by what the event says of itself."""
        made = firehose.CfnDeliveryStream
        query = "{caseid:.caseId,batchid:(.batchId // 0)}"
        parameter = made.ProcessorParameterProperty
        return made.ExtendedS3DestinationConfigurationProperty(
            bucket_arn=self._statuses.bucket_arn,
            role_arn=role.role_arn,
            buffering_hints=made.BufferingHintsProperty(interval_in_seconds=60, size_in_m_bs=64),
            prefix="statuses/caseid=!{partitionKeyFromQuery:caseid}/batchid=!{partitionKeyFromQuery:batchid}/",
            error_output_prefix="errors/!{firehose:error-output-type}/!{timestamp:yyyy}/!{timestamp:MM}/!{timestamp:dd}/",
            dynamic_partitioning_configuration=made.DynamicPartitioningConfigurationProperty(enabled=True),
            processing_configuration=made.ProcessingConfigurationProperty(
                enabled=True,
                processors=[
                    made.ProcessorProperty(  # events of documents come many to a message
                        type="RecordDeAggregation",
                        parameters=[parameter(parameter_name="SubRecordType", parameter_value="JSON")],
                    ),
                    made.ProcessorProperty(
                        type="MetadataExtraction",
                        parameters=[
                            parameter(parameter_name="MetadataExtractionQuery", parameter_value=query),
                            parameter(parameter_name="JsonParsingEngine", parameter_value="JQ-1.6"),
                        ],
                    ),
                ],
            ),
            data_format_conversion_configuration=made.DataFormatConversionConfigurationProperty(
                enabled=True,
                input_format_configuration=made.InputFormatConfigurationProperty(
                    deserializer=made.DeserializerProperty(open_x_json_ser_de=made.OpenXJsonSerDeProperty())
                ),
                output_format_configuration=made.OutputFormatConfigurationProperty(
                    serializer=made.SerializerProperty(parquet_ser_de=made.ParquetSerDeProperty())
                ),
                schema_configuration=made.SchemaConfigurationProperty(
                    database_name=self._glue_name, table_name="statuses", role_arn=role.role_arn, region=self.region
                ),
            ),
        )

    def _watch(self) -> None:
        """Four alarms on the stream, one on each queue of dead letters; all to one topic."""
        where = {"DeliveryStreamName": self.stream.delivery_stream_name or ""}

        def metric(name: str, statistic: str) -> cloudwatch.Metric:
            return cloudwatch.Metric(
                namespace="AWS/Firehose",
                metric_name=name,
                dimensions_map=where,
                statistic=statistic,
                period=cdk.Duration.minutes(5),
            )

        over, under = cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD, cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD
        arrived, delivered = metric("IncomingRecords", "Sum"), metric("DeliveryToS3.Records", "Sum")
        failed, good = metric("FailedConversion.Records", "Sum"), metric("SucceedConversion.Records", "Sum")
        rate, limit = metric("BytesPerSecondLimit", "Average"), metric("IncomingBytes", "Sum")

        def ratio(over_this: cloudwatch.Metric, this: cloudwatch.Metric, formula: str) -> cloudwatch.MathExpression:
            return cloudwatch.MathExpression(
                expression=formula, using_metrics={"a": this, "b": over_this}, period=cdk.Duration.minutes(5)
            )

        self._alarm("RateLimit", ratio(rate, limit, "100 * (a / 300) / b"), 90, over)
        self._alarm("Stale", metric("DeliveryToS3.DataFreshness", "Maximum"), 300, over)
        self._alarm("Undelivered", ratio(arrived, delivered, "IF(b > 0, a / b, 1)"), 1, under, periods=3)
        self._alarm("Conversions", ratio(good, failed, "IF(a + b > 0, 100 * a / (a + b), 0)"), 5, over)
        for queue in self.dead_letters:
            depth = queue.metric_approximate_number_of_messages_visible(period=cdk.Duration.minutes(5))
            self._alarm(f"{queue.node.id}Filled", depth, 0, over)

    def _alarm(
        self,
        name: str,
        metric: cloudwatch.IMetric,
        threshold: float,
        operator: cloudwatch.ComparisonOperator,
        periods: int = 1,
    ) -> None:
        alarm = cloudwatch.Alarm(
            self,
            name,
            metric=metric,
            threshold=threshold,
            comparison_operator=operator,
            evaluation_periods=periods,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(actions.SnsAction(self.alarms))
