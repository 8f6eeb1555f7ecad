"""Who somebody is, remembered for a moment."""

from redwell.runtime.serving.recent_people import RECENT_S, Recent, Telling


def test_an_answer_is_known_for_a_moment_and_forgotten_when_something_changes() -> None:
    now = [0.0]
    recent = Recent[str](RECENT_S, lambda: now[0])
    assert recent.get("a") is None and recent.put("a", "ada") == "ada" == recent.get("a")
    now[0] = RECENT_S
    assert recent.get("a") is None
    recent.put("a", "ada")
    recent.clear()
    assert recent.get("a") is None


class Store:
    def look(self) -> int:
        return 1

    def change(self, value: int) -> int:
        raise ValueError(value)


def test_whatever_is_not_known_to_look_alone_is_told_also_where_it_fails() -> None:
    told: list[int] = []
    store = Telling(Store(), frozenset({"look"}), lambda: told.append(1))
    assert store.look() == 1 and told == []
    try:
        store.change(3)
    except ValueError:
        pass
    assert told == [1]
