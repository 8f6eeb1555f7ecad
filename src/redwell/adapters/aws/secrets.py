"""Secrets that AWS keeps: the Parameter Store of SSM, and Secrets Manager. Asked by bootstrap.configuration."""

from redwell.adapters.aws.clients import client, named_failures


def parameter(name: str) -> str:
    with named_failures(f"the parameter {name}"):
        return str(client("ssm").get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"])


def secret(name: str) -> str:
    with named_failures(f"the secret {name}"):
        return str(client("secretsmanager").get_secret_value(SecretId=name)["SecretString"])
