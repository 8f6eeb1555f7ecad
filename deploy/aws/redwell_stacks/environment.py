"""What containers of Redwell find in their environment: the same for workers, the review page and uploaders."""

from redwell_stacks.data import Data
from redwell_stacks.place import Place


def environment(place: Place, data: Data, region: str) -> dict[str, str]:
    return {
        "REDWELL_BLOBS": f"s3://{data.evidence.bucket_name}/redwell",
        "REDWELL_MONITOR_FILES": f"s3://{data.statuses.bucket_name}/live",
        "REDWELL_SEARCH": "opensearch",
        "REDWELL_OPENSEARCH": f"https://{data.search.domain_endpoint}",
        "REDWELL_QUEUE": "sqs",
        "REDWELL_BUS": "sns",
        "REDWELL_REGISTRY": "dynamodb",
        "REDWELL_NAME_PREFIX": place.prefix,
        "REDWELL_DELAY_PERCENT": "100",
        "REDWELL_LOG_FORMAT": "json",
        "REDWELL_METRICS": "cloudwatch",
        "REDWELL_DATABASE": f"secret:{place.prefix}/database-url",
        "REDWELL_DATABASE_READER": f"secret:{place.prefix}/{'reader' if place.is_kept else 'database'}-url",
        "AWS_DEFAULT_REGION": region,
    }
