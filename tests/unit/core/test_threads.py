"""Threads by headers alone, whatever order mails come in; inclusive is what no other text holds."""

import base64
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from redwell.core.case.threads import conversation_of, inclusive, join, thread_keys

GUID = bytes(range(16))
ONE = bytes([1, 0xD5]) + bytes(4) + GUID


def keys(own: str, *references: str, reply: str = "") -> list[bytes]:
    return thread_keys({"message_id": f"<{own}>", "references": [f"<{r}>" for r in references], "in_reply_to": reply})


def threads(mails: dict[int, list[bytes]], order: list[int], chunk: int) -> dict[int, int]:
    """As the store does it: keys and threads are kept between chunks."""
    known: dict[bytes, int] = {}
    thread_of: dict[int, int] = {}
    for start in range(0, len(order), chunk):
        joined = join({key: mails[key] for key in order[start : start + chunk]}, known)
        known = {key: joined.merged.get(thread, thread) for key, thread in known.items()} | joined.keys
        thread_of = {key: joined.merged.get(thread, thread) for key, thread in thread_of.items()} | joined.thread_of
    return thread_of


def groups(thread_of: dict[int, int]) -> set[frozenset[int]]:
    return {frozenset(k for k, t in thread_of.items() if t == thread) for thread in thread_of.values()}


def test_an_answer_that_comes_late_ties_two_threads_together() -> None:
    mails = {1: keys("a"), 2: keys("c", "b"), 3: keys("b", "a"), 4: keys("z"), 5: keys("d", reply="<c>")}
    for order in permutations(mails):
        for chunk in (1, 2, 5):
            assert groups(threads(mails, list(order), chunk)) == {frozenset({1, 2, 3, 5}), frozenset({4})}


def test_who_answers_himself_in_a_circle_is_in_one_thread() -> None:
    assert groups(threads({1: keys("a", "b"), 2: keys("b", "a"), 3: keys("c", "c")}, [1, 2, 3], 1)) == {
        frozenset({1, 2}),
        frozenset({3}),
    }


def test_both_layouts_of_outlooks_index_name_the_conversation_and_junk_names_none() -> None:
    assert conversation_of(base64.b64encode(ONE).decode()) == GUID
    shifted = base64.b64encode(bytes([1, 1, 0xD5, 0, 0, 0]) + GUID + bytes(5)).decode()
    assert conversation_of(shifted) == GUID
    assert conversation_of("AdX") == conversation_of("!!") == conversation_of("") == b""
    assert len({tuple(thread_keys({"thread_index": i})) for i in (base64.b64encode(ONE).decode(), shifted)}) == 1


def test_mails_without_headers_are_threads_of_their_own() -> None:
    assert threads({1: thread_keys({"subject": "Re: x"}), 2: thread_keys({"subject": "Re: x"})}, [1, 2], 2) == {
        1: 1,
        2: 2,
    }


def test_inclusive_is_judged_by_what_texts_hold_not_by_who_came_last() -> None:
    first, answer = "Shall we meet?", "Yes.\n> Shall we\n> meet?"
    cut = "No, without what you wrote."
    assert inclusive({1: first, 2: answer, 3: cut}) == {2, 3}
    assert inclusive({9: answer, 10: first}) == {9}, "the last one holds nothing of the first"
    assert inclusive({1: first, 2: first}) == {1}, "of two copies one"
    assert inclusive({1: first, 2: answer}, frozenset({1})) == {1, 2}, "what is attached is not in the answer"
    assert inclusive({1: "", 2: answer}) == {1, 2}


@given(st.dictionaries(st.integers(1, 9), st.lists(st.integers(1, 9), max_size=3), max_size=9))
def test_threads_are_what_hangs_together(links: dict[int, list[int]]) -> None:
    """Against a reference that walks from mail to mail."""
    mails = {key: keys(str(key), *map(str, refs)) for key, refs in links.items()}
    expected = set()
    for start in mails:
        seen, todo = {start}, [start]
        while todo:
            at = todo.pop()
            near = [k for k in mails if k not in seen and set(mails[k]) & set(mails[at])]
            seen |= set(near)
            todo += near
        expected.add(frozenset(seen))
    order = sorted(mails, key=lambda key: hash((key, str(links))))
    assert groups(threads(mails, order, 2)) == expected
