"""Anthropic's models on Amazon Bedrock, by botocore (extra `aws`): its credentials and signatures, one endpoint."""

import json
from collections.abc import Mapping
from typing import Any

from redwell.adapters.llm.anthropic import body_of, reply_of
from redwell.adapters.llm.patience import Again, Patience, tried, whole
from redwell.core.understanding.models import ModelChoice
from redwell.ports.language_model import ModelRefusesUs, Question, Reply

_VERSION = "bedrock-2023-05-31"
_PIECE = 64  # a stream that drips is looked at between two of them
_AGAIN = {
    "ThrottlingException",
    "ServiceUnavailableException",
    "InternalServerException",
    "ModelTimeoutException",
    "ModelNotReadyException",
    "ModelErrorException",
}


class BedrockModel:
    """Asked again by the same rules as other servers: botocore itself tries once."""

    def __init__(self, choice: ModelChoice, patience: Patience | None = None) -> None:
        import boto3
        from botocore.config import Config

        self._patience = patience or Patience()
        config = Config(
            connect_timeout=self._patience.connect_s,
            read_timeout=self._patience.silent_s,
            retries={"total_max_attempts": 1},
            proxies={},
        )
        self._client: Any = boto3.client(
            "bedrock-runtime", region_name=choice.region or None, endpoint_url=choice.url or None, config=config
        )
        self._model = choice.name
        self.name = f"bedrock {choice.name} {choice.region}"

    def ask(self, question: Question) -> Reply:
        body = json.dumps({"anthropic_version": _VERSION, **body_of(question)})
        return reply_of(tried(self._patience, "Bedrock", lambda: self._once(body)))

    def _once(self, body: str) -> Mapping[str, Any]:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            answer = self._client.invoke_model(modelId=self._model, body=body, contentType="application/json")
            said = json.loads(whole(answer["body"].iter_chunks(_PIECE), self._patience))
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
            if code in _AGAIN or status >= 500 or status == 429:
                raise Again(f"{code} ({status})") from None
            raise ModelRefusesUs(f"Bedrock says {code} ({status}): {error}") from None
        except (BotoCoreError, OSError) as error:
            raise Again(f"{type(error).__name__}: {error}") from None
        if not isinstance(said, dict):
            raise ValueError("an answer that is no object")
        return said

    def close(self) -> None:
        self._client.close()
