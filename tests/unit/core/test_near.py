"""Nearly the same: by runs of words, in percent; the first of a set is its master."""

import random

from redwell.adapters.rensa.sketches import sketch_of
from redwell.core.case.near import LEAST, Masters, percent, runs

WORDS = [f"w{n}" for n in range(2_000)]


def changed(words: list[str], count: int, seed: int) -> list[str]:
    dice, new = random.Random(seed), list(words)
    for at in dice.sample(range(len(new)), count):
        new[at] = f"x{seed}"
    return new


def test_a_text_is_all_of_itself_and_nothing_of_another() -> None:
    one, other = runs(WORDS[:100]), runs(WORDS[100:200])
    assert (percent(one, one), percent(one, other)) == (100, 0)
    assert 90 <= percent(one, runs([*WORDS[:100], "more"])) < 100
    assert runs(WORDS[:19]) == frozenset(), "of a few words nothing can be said"


def test_sketches_find_whatever_is_near_enough_and_little_else() -> None:
    dice = random.Random(7)
    texts = [dice.choices(WORDS, k=400) for _ in range(40)]
    masters = Masters({number: sketch_of(runs(text)) for number, text in enumerate(texts)})
    missed, looked_at = 0, 0
    for number, text in enumerate(texts):
        like = runs(changed(text, 6, number))
        assert percent(like, runs(text)) >= LEAST
        likely = masters.likely(sketch_of(like))
        missed += number not in likely
        looked_at += len(likely)
    assert missed == 0 and looked_at == len(texts)
