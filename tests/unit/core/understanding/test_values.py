"""What is written in documents, read as values."""

import pytest

from redwell.core.understanding.values import Format, read, same


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2023-04-03", "2023-04-03"),
        ("3 April 2023", "2023-04-03"),
        ("April 3rd, 2023", "2023-04-03"),
        ("3. März 2023", "2023-03-03"),
        ("03.04.2023", "2023-04-03"),
        ("15/04/2023", "2023-04-15"),
        ("le 7 août 2021", "2021-08-07"),
    ],
)
def test_a_date_is_one_whatever_the_country(text: str, value: str) -> None:
    reading = read(Format.DATE, text)
    assert reading and reading.value == value and not reading.others


def test_a_date_that_may_be_two_days_says_so() -> None:
    reading = read(Format.DATE, "03/04/2023")
    assert reading and {reading.value, *reading.others} == {"2023-03-04", "2023-04-03"}
    assert read(Format.DATE, "31/31/2023") is None and read(Format.DATE, "30 February 2023") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$1,234.50", "1234.50 USD"),
        ("1.234,50 €", "1234.50 EUR"),
        ("CHF 1'234.50", "1234.50 CHF"),
        ("EUR 12", "12.00 EUR"),
        ("99,90", "99.90"),
        ("1.234.567,00 EUR", "1234567.00 EUR"),
    ],
)
def test_a_sum_is_one_however_it_is_parted(text: str, value: str) -> None:
    reading = read(Format.MONEY, text)
    assert reading and reading.value == value and not reading.others


def test_a_single_point_before_three_digits_can_be_either() -> None:
    reading = read(Format.MONEY, "1.234")
    assert reading and (reading.value, reading.others) == ("1234.00", ("1.23",))


def test_sums_are_the_same_where_the_currency_is_or_is_not_said() -> None:
    assert same(Format.MONEY, "10.00 EUR", "10") and not same(Format.MONEY, "10.00 EUR", "10.00 USD")
    assert same(Format.PARTY, "ACME Ltd.", "Acme  Ltd") and not same(Format.PARTY, "Acme", "Apex")
