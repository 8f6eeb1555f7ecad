"""Private subnets only: what the tasks need of AWS is reached through endpoints, and nothing else is reached."""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from redwell_stacks.place import Place

INTERFACES = ("ecr.api", "ecr.dkr", "logs", "sqs", "sns", "ssm", "secretsmanager", "monitoring", "cloudformation", "ecs")


class Network(cdk.Stack):
    def __init__(self, scope: Construct, name: str, place: Place) -> None:
        super().__init__(scope, name, description="Redwell: network without a way out")
        self.vpc = ec2.Vpc(
            self,
            "Vpc",
            max_azs=2,
            nat_gateways=0,
            restrict_default_security_group=False,
            subnet_configuration=[
                ec2.SubnetConfiguration(name="private", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED, cidr_mask=20)
            ],
        )
        self.tasks = ec2.SecurityGroup(self, "Tasks", vpc=self.vpc, description="workers, uploader, review page")
        for service in ("s3", "dynamodb"):
            self.vpc.add_gateway_endpoint(
                service.title(), service=ec2.GatewayVpcEndpointAwsService(service)
            )
        for service in INTERFACES:
            self.vpc.add_interface_endpoint(
                service.replace(".", "-"), service=ec2.InterfaceVpcEndpointAwsService(service), open=True
            )
        place.tag(self)
