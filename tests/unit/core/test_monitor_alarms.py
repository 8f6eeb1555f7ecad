"""The alarms of the monitor: each by its own rule, none while all is well."""

import pytest

from redwell.core.events.monitor_alarms import RULES, Alarm, Flow, alarm_event, raised_by

pytestmark = pytest.mark.requirement("A16")
WELL = Flow(received=1000, delivered=1000, waits_s=300, seconds=10, limit_per_s=1000)


def changed(**values: float) -> Flow:
    return Flow(**{**{name: getattr(WELL, name) for name in WELL.__slots__}, **values})  # type: ignore[arg-type]


def test_a16_nothing_is_raised_while_all_is_delivered_or_nothing_comes() -> None:
    assert raised_by(WELL) == {} and raised_by(Flow()) == {}


@pytest.mark.parametrize(
    ("flow", "alarm", "value"),
    [
        (changed(seconds=1.1), Alarm.RATE_LIMIT, 90.909),
        (changed(waits_s=301), Alarm.STALE, 301),
        (changed(delivered=999), Alarm.UNDELIVERED, 0.999),
        (changed(refused=51), Alarm.CONVERSIONS, 5.1),
    ],
)
def test_a16_each_is_raised_just_beyond_its_limit(flow: Flow, alarm: Alarm, value: float) -> None:
    assert raised_by(flow) == {alarm: pytest.approx(value, abs=0.001)}


@pytest.mark.parametrize(
    "flow", [changed(seconds=1000 / 900), changed(waits_s=300), changed(refused=50)], ids=["rate", "stale", "refused"]
)
def test_a16_at_its_limit_none_is_raised(flow: Flow) -> None:
    assert raised_by(flow) == {}


def test_a16_an_alarm_says_what_it_saw_and_what_its_limit_is() -> None:
    for alarm in Alarm:
        event = alarm_event(7, alarm, 12.3456, is_raised=True)
        assert event.event_detail["alarm"] == alarm and event.event_detail["value"] == 12.346
        assert event.event_detail["limit"] == RULES[alarm].limit and event.status == "ERROR" and event.case_id == 7
        assert alarm_event(7, alarm, 0, is_raised=False).event_detail["state"] == "cleared"
