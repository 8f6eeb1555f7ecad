"""When somebody has to look at the flow of events into files (SPEC A16). Pure; a rule for each alarm."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from redwell.core.events.event import Component, Event, EventType, Status

STATE, ALARM = "state", "alarm"  # keys of the event's detail
RAISED, CLEARED = "raised", "cleared"


class Alarm(StrEnum):
    RATE_LIMIT = "rate-limit"
    STALE = "stale"
    UNDELIVERED = "undelivered"
    CONVERSIONS = "conversions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Of a while: events that were taken up, those that are in files, rows that were none, and what still waits."""

    received: int = 0
    delivered: int = 0
    refused: int = 0
    waits_s: float = 0.0  # the oldest one that is in no file
    seconds: float = 60.0
    limit_per_s: int = 1

    def plus(self, *, received: int, delivered: int, refused: int) -> "Flow":
        return Flow(
            received=self.received + received,
            delivered=self.delivered + delivered,
            refused=self.refused + refused,
            limit_per_s=self.limit_per_s,
        )


class Rule(NamedTuple):
    says: str
    value: Callable[[Flow], float]
    limit: float
    is_low: bool = False  # bad below the limit, not above it


RULES: Mapping[Alarm, Rule] = {
    Alarm.RATE_LIMIT: Rule(
        "percent of the events a second that the files can take (`monitor_rate`)",
        lambda flow: 100 * flow.received / max(flow.seconds, 1e-9) / max(flow.limit_per_s, 1),
        90,
    ),
    Alarm.STALE: Rule("seconds that the oldest event waits for its file", lambda flow: flow.waits_s, 300),
    Alarm.UNDELIVERED: Rule(
        "events in files for each that was taken up",
        lambda flow: flow.delivered / flow.received if flow.received else 1.0,
        1,
        is_low=True,
    ),
    Alarm.CONVERSIONS: Rule(
        "percent that can't be written down as events",
        lambda flow: 100 * flow.refused / flow.received if flow.received else 0.0,
        5,
    ),
}


def raised_by(flow: Flow) -> dict[Alarm, float]:
    """The alarms that this flow raises, with their values. All delivered raises none."""
    values = {alarm: rule.value(flow) for alarm, rule in RULES.items()}
    return {each: value for each, value in values.items() if _is_bad(RULES[each], value)}


def _is_bad(rule: Rule, value: float) -> bool:
    return value < rule.limit if rule.is_low else value > rule.limit


def alarm_event(case: int, alarm: Alarm, value: float, *, is_raised: bool) -> Event:
    """As the bus and the webhook tell it."""
    rule = RULES[alarm]
    return Event(
        event_type=EventType.WARNING,
        case_id=case,
        status=Status.ERROR if is_raised else Status.SUCCESS,
        source=Component.MONITOR,
        event_detail={
            "what": f"alarm of the monitor: {rule.says}",
            ALARM: alarm.value,
            STATE: RAISED if is_raised else CLEARED,
            "value": round(value, 3),
            "limit": rule.limit,
        },
    )
