"""Task protection by the agent of ECS, at the address that it gives its containers: ports.task_protection."""

import json
import logging
import time
import urllib.request

MINUTES = 60  # a worker that dies is protected no longer than this
RENEW_S = 600.0
AGAIN_S = 30.0
WAIT_S = 5.0
log = logging.getLogger(__name__)


class AgentProtection:
    """`agent`: what ECS_AGENT_URI says."""

    def __init__(self, agent: str) -> None:
        self._url = f"{agent.rstrip('/')}/task-protection/v1/state"
        self._is_set, self._due, self._told = False, 0.0, True

    def set(self, *, working: bool) -> None:
        now = time.monotonic()
        if (working == self._is_set and (not working or now < self._due)) or (not self._told and now < self._due):
            return
        try:
            self._put(
                {"ProtectionEnabled": True, "ExpiresInMinutes": MINUTES} if working else {"ProtectionEnabled": False}
            )
        except (OSError, ValueError) as error:
            if self._told:
                log.warning("the task is not protected from being scaled in: %s", error)
            self._told, self._due = False, now + AGAIN_S
            return
        self._is_set, self._told, self._due = working, True, now + RENEW_S

    def _put(self, body: dict[str, object]) -> None:
        asked = urllib.request.Request(
            self._url, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="PUT"
        )
        with urllib.request.urlopen(asked, timeout=WAIT_S) as answer:  # the agent's, on the task's own address
            said = json.loads(answer.read())
        if failure := said.get("failure") or said.get("error"):
            raise ValueError(str(failure))
