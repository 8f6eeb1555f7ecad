"""Which model a case uses, by a person's deliberate choice, and what it may cost. Pure; no secret is in it."""

from urllib.parse import urlsplit

import msgspec

from redwell.core.errors import UserError
from redwell.core.local_hosts import LOCAL_HOSTS

KINDS = ("none", "gguf", "openai", "anthropic", "bedrock")


class ModelChoice(msgspec.Struct, frozen=True, kw_only=True):
    """`kind` none: rules alone."""

    kind: str = "none"
    name: str = ""  # of the model, as its server knows it
    url: str = ""  # of the server
    key_variable: str = ""  # the environment variable that holds the key
    region: str = ""
    file: str = ""  # of a model on this machine
    sha256: str = ""  # of that file
    budget_tokens: int = 0  # of the case, in and out; 0: no limit
    budget_cost: int = 0  # millionths of the currency that the prices are in; 0: no limit
    price_in: int = 0  # millionths for a million tokens
    price_out: int = 0
    window_chars: int = 12_000
    image_pages: int = 0  # pages that are sent as images with a question, at most; 0: text alone
    is_remote_meant: bool = False  # evidence may leave the machine: somebody said so

    @property
    def host(self) -> str:
        if self.kind == "bedrock" and not self.url:
            return f"bedrock-runtime.{self.region}.amazonaws.com"
        return urlsplit(self.url).hostname or ""

    @property
    def is_remote(self) -> bool:
        return self.kind in {"openai", "anthropic", "bedrock"} and self.host not in LOCAL_HOSTS

    @property
    def told(self) -> str:
        """As reports name it."""
        if self.kind == "none":
            return "rules alone"
        if self.kind == "gguf":
            return f"gguf {self.name} ({self.sha256[:12]}) in a child of this machine"
        return f"{self.kind} {self.name} at {self.host}{' (remote)' if self.is_remote else ''}"

    @property
    def has_budget(self) -> bool:
        return bool(self.budget_tokens or self.budget_cost)

    def cost(self, tokens_in: int, tokens_out: int) -> int:
        return (tokens_in * self.price_in + tokens_out * self.price_out) // 1_000_000


def checked(choice: ModelChoice) -> ModelChoice:
    if choice.kind not in KINDS:
        raise UserError(f"a model is one of {', '.join(KINDS)}, not {choice.kind!r}")
    if choice.kind in {"openai", "anthropic"} and urlsplit(choice.url).scheme not in {"http", "https"}:
        raise UserError("name the server: --url http://127.0.0.1:8080/v1")
    if choice.kind == "gguf" and not choice.file:
        raise UserError("name the model's file: --file MODEL.gguf")
    if choice.image_pages and choice.kind not in {"openai", "anthropic", "bedrock"}:
        raise UserError("images of pages go to models behind a server: openai, anthropic or bedrock")
    if choice.kind == "bedrock" and not choice.region:
        raise UserError("name the region that Bedrock is asked in: --region eu-central-1")
    if choice.is_remote and not choice.is_remote_meant:
        raise UserError(
            f"{choice.host} is another machine: evidence would be sent there. If that is meant, say --remote"
        )
    if choice.is_remote and choice.url.startswith("http:"):
        raise UserError("evidence goes to another machine only over https")
    return choice


class Spent(msgspec.Struct, frozen=True):
    tokens: int = 0
    cost: int = 0

    def allows(self, choice: ModelChoice, tokens: int) -> bool:
        """Whether a question of about so many tokens stays within the budgets; asked before it is sent."""
        within = not choice.budget_tokens or self.tokens + tokens <= choice.budget_tokens
        cost = choice.cost(tokens, tokens // 4)
        return within and (not choice.budget_cost or self.cost + cost <= choice.budget_cost)
