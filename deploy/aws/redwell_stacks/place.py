"""Where a deployment is: environment and region, and the names that follow from them (SPEC A2, D12)."""

from dataclasses import dataclass

import aws_cdk as cdk

REGIONS = {"us-east-1": "c2", "us-west-1": "c4", "ca-central-1": "c5"}
ENVIRONMENTS = ("dev", "staging", "qa", "production")


@dataclass(frozen=True)
class Place:
    environment: str
    region: str

    def __post_init__(self) -> None:
        """An unknown pair is refused; nothing falls back to production."""
        if self.environment not in ENVIRONMENTS or self.region not in REGIONS:
            raise SystemExit(
                f"no such place: {self.environment}/{self.region}; environments {', '.join(ENVIRONMENTS)},"
                f" regions {', '.join(REGIONS)}"
            )

    @property
    def prefix(self) -> str:
        """What names begin with; the setting `name_prefix` of the workers."""
        return f"{REGIONS[self.region]}-{self.environment}"

    @property
    def is_kept(self) -> bool:
        """Whether data outlive their stack."""
        return self.environment in ("staging", "production")

    @property
    def removal(self) -> cdk.RemovalPolicy:
        return cdk.RemovalPolicy.RETAIN if self.is_kept else cdk.RemovalPolicy.DESTROY

    def tag(self, stack: cdk.Stack) -> None:
        for key, value in {"application": "redwell", "environment": self.environment, "prefix": self.prefix}.items():
            cdk.Tags.of(stack).add(key, value, exclude_resource_types=["AWS::RDS::DBProxyTargetGroup"])
