"""Text whose words are as unevenly spread as in real mail: a few everywhere, most of them rare."""

import random

_COMMON_WORDS = (
    "the of and to in for is on that with as by at be this are from or we have not it will an you our was your if has"
    " please order delivery price contract meeting report account payment review project valve pump invoice schedule"
    " question answer attached regards team office customer supplier quality change request draft version agreement"
    " notice claim damage coating inspection crate shipment warehouse budget quarter figures approval confidential"
    " legal counsel board minutes travel update system data file list number total amount date week month year"
)
_ONSETS = "b br c ch d dr f fl g gr h k l m n p pl pr r s st t tr v w"
_VOWELS = "a e i o u ai ea ou"
_CODAS = ("", "l", "n", "r", "s", "t", "nd", "rt", "m")
_RARE_WORDS = 12_000
_POOL = 120_000


class Writer:
    """Draws words, sentences and paragraphs; the same seed draws the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._onsets, self._vowels = _ONSETS.split(), _VOWELS.split()
        vocabulary = _COMMON_WORDS.split() + [self._invented() for _ in range(_RARE_WORDS)]
        weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
        self._pool = self.random.choices(vocabulary, weights, k=_POOL)

    def words(self, count: int) -> list[str]:
        return self.random.choices(self._pool, k=count)

    def text(self, count: int) -> str:
        """About `count` words in lines of twelve, with a full stop at each end."""
        words = self.words(count)
        lines = [" ".join(words[start : start + 12]) for start in range(0, count, 12)]
        return ".\n".join(lines) + ".\n"

    def _invented(self) -> str:
        pick = self.random.choice
        return "".join(pick(self._onsets) + pick(self._vowels) + pick(_CODAS) for _ in range(self.random.randint(2, 3)))
