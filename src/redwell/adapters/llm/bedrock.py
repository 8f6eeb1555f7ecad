"""Anthropic's models on Amazon Bedrock, by botocore (extra `aws`): its credentials, its retries, one endpoint."""

import json
from typing import Any

from redwell.adapters.llm.anthropic import body_of, reply_of
from redwell.core.understanding.models import ModelChoice
from redwell.ports.language_model import ModelRefusesUs, ModelUnavailable, Question, Reply

_VERSION = "bedrock-2023-05-31"
_AGAIN = {"ThrottlingException", "ServiceUnavailableException", "InternalServerException", "ModelTimeoutException"}


class BedrockModel:
    def __init__(self, choice: ModelChoice) -> None:
        import boto3
        from botocore.config import Config

        config = Config(connect_timeout=10, read_timeout=120, retries={"total_max_attempts": 3, "mode": "standard"})
        self._client: Any = boto3.client(
            "bedrock-runtime", region_name=choice.region or None, endpoint_url=choice.url or None, config=config
        )
        self._model = choice.name
        self.name = f"bedrock {choice.name} {choice.region}"

    def ask(self, question: Question) -> Reply:
        from botocore.exceptions import BotoCoreError, ClientError

        body = json.dumps({"anthropic_version": _VERSION, **body_of(question)})
        try:
            answer = self._client.invoke_model(modelId=self._model, body=body, contentType="application/json")
            said = json.loads(answer["body"].read())
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
            kind = ModelUnavailable if code in _AGAIN or status >= 500 or status == 429 else ModelRefusesUs
            raise kind(f"Bedrock says {code}: {error}") from None
        except (BotoCoreError, ValueError) as error:
            raise ModelUnavailable(f"Bedrock gave no answer: {error}") from None
        return reply_of(said)

    def close(self) -> None:
        self._client.close()
