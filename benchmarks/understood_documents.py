"""Invoices, letters and contracts with known values, in several layouts and qualities: what `make model-eval` reads.

The same every time. Each is lines of text, which become a text file, a PDF, or a scan that is clean, skewed or noisy.
"""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

COMPANIES = (
    "Acme Tools Ltd",
    "Northwind Traders",
    "Brandt & Sohn GmbH",
    "Globex Corporation",
    "Initech LLC",
    "Moreau SARL",
)
PEOPLE = ("Ann Lee", "Bo Carter", "Clara Weiss", "David Okafor", "Eva Lindqvist", "Frank Moretti")
GOODS = (
    "Steel hammers",
    "Copper nails",
    "Safety gloves",
    "Valve coating",
    "Pump housing",
    "Rubber seals",
    "Site visit",
)
MONTHS = "January February March April May June July August September October November December".split()
QUALITIES = ("text", "text", "pdf", "pdf", "scan", "skewed")


class Made(NamedTuple):
    name: str
    quality: str
    lines: list[str]
    data: dict[str, Any]


def documents(count: int = 66) -> Iterator[Made]:
    chance = random.Random(20261118)
    makers = (_invoice_plain, _letter, _invoice_table, _contract, _invoice_german)
    for number in range(count):
        kind, quality = makers[number % len(makers)], QUALITIES[number // len(makers) % len(QUALITIES)]
        lines, data = kind(chance, number)
        yield Made(f"{number:03d}", quality, lines, data)


def _day(chance: random.Random) -> date:
    return date(2021, 1, 1) + timedelta(days=chance.randrange(1_400))


def _said(day: date, style: int) -> str:
    return (
        f"{day.day} {MONTHS[day.month - 1]} {day.year}",
        f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
        day.isoformat(),
    )[style]


def _goods(chance: random.Random) -> tuple[list[tuple[str, int]], int]:
    lines = [(name, chance.randrange(500, 90_000)) for name in chance.sample(GOODS, chance.randint(1, 4))]
    return lines, sum(cents for _, cents in lines)


def _money(cents: int, currency: str = "") -> str:
    return f"{cents / 100:.2f} {currency}".strip()


def _lines_of(goods: list[tuple[str, int]]) -> list[dict[str, str]]:
    return [{"description": name, "amount": _money(cents)} for name, cents in goods]


def _invoice_plain(chance: random.Random, number: int) -> tuple[list[str], dict[str, Any]]:
    goods, net = _goods(chance)
    day, tax = _day(chance), round(net * 0.2)
    due = day + timedelta(days=30)
    seller, buyer = chance.sample(COMPANIES, 2)
    code = f"INV-{day.year}-{number:04d}"
    lines = [
        "INVOICE",
        f"Seller: {seller}",
        f"Bill to: {buyer}",
        f"Invoice no: {code}",
        f"Invoice date: {_said(day, number % 3)}",
        f"Due date: {_said(due, number % 3)}",
        "",
        *(f"{name}    {cents / 100:,.2f}" for name, cents in goods),
        "",
        f"Subtotal: USD {net / 100:,.2f}",
        f"VAT: USD {tax / 100:,.2f}",
        f"Total due: USD {(net + tax) / 100:,.2f}",
    ]
    data = {"number": code, "date": day.isoformat(), "due": due.isoformat(), "seller": seller, "buyer": buyer}
    sums = {"net": _money(net, "USD"), "tax": _money(tax, "USD"), "total": _money(net + tax, "USD")}
    return lines, {**data, **sums, "lines": _lines_of(goods)}


def _invoice_table(chance: random.Random, number: int) -> tuple[list[str], dict[str, Any]]:
    """Labels above their values, sums without labels of our schema's own words, a misleading date."""
    goods, net = _goods(chance)
    day = _day(chance)
    seller, buyer = chance.sample(COMPANIES, 2)
    code = f"{number:05d}/{day.year}"
    lines = [
        seller,
        "Invoice",
        f"Delivered on {_said(day - timedelta(days=9), 0)}",
        "Invoice number",
        code,
        "Date of issue",
        _said(day, 1),
        "Bill to",
        buyer,
        "",
        *(f"{name}    {chance.randint(2, 9)}    {cents / 100:.2f}" for name, cents in goods),
        f"Amount due    {net / 100:.2f} EUR",
    ]
    data = {"number": code, "date": day.isoformat(), "buyer": buyer, "total": _money(net, "EUR")}
    return lines, {**data, "lines": _lines_of(goods)}


def _invoice_german(chance: random.Random, number: int) -> tuple[list[str], dict[str, Any]]:
    goods, net = _goods(chance)
    day, tax = _day(chance), round(net * 0.19)
    seller, buyer = chance.sample(COMPANIES, 2)
    code = f"RE{number:06d}"

    def euro(cents: int) -> str:
        return f"{cents / 100:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".") + " EUR"

    lines = [
        "RECHNUNG",
        f"Verkäufer: {seller}",
        f"Kunde: {buyer}",
        f"Rechnungsnummer: {code}",
        f"Rechnungsdatum: {day:%d.%m.%Y}",
        *(f"{name}    {euro(cents)}" for name, cents in goods),
        f"Netto: {euro(net)}",
        f"MwSt: {euro(tax)}",
        f"Gesamtbetrag: {euro(net + tax)}",
    ]
    data = {"number": code, "date": day.isoformat(), "seller": seller, "buyer": buyer}
    return lines, {**data, "net": _money(net), "tax": _money(tax), "total": _money(net + tax)}


def _letter(chance: random.Random, number: int) -> tuple[list[str], dict[str, Any]]:
    sender, recipient = chance.sample(PEOPLE, 2)
    day = _day(chance)
    lines = [
        f"From: {sender}",
        f"To: {recipient}",
        _said(day, number % 2),
        "",
        f"Dear {recipient.split()[0]},",
        f"thank you for your call about the {chance.choice(GOODS).lower()}.",
        "We will come back to you within the week.",
        "Yours sincerely,",
        sender,
    ]
    return lines, {"sender": sender, "recipient": recipient, "date": day.isoformat()}


def _contract(chance: random.Random, number: int) -> tuple[list[str], dict[str, Any]]:
    """Values stand in sentences: rules find few of them, and may not invent the rest."""
    one, other = chance.sample(COMPANIES, 2)
    day, fee = _day(chance), chance.randrange(1_000, 90_000) * 100
    lines = [
        "SERVICE AGREEMENT",
        f'This agreement is made on {_said(day, 0)} between {one} ("Supplier")',
        f'and {other} ("Customer").',
        f"1. The Customer pays the Supplier a fee of EUR {fee / 100:,.2f} each quarter.",
        f"2. The agreement ends after {chance.randint(1, 5)} years unless it is renewed.",
        f"Contract reference: SA-{number:04d}",
    ]
    data = {"supplier": one, "customer": other, "date": day.isoformat(), "fee": _money(fee, "EUR")}
    return lines, {**data, "reference": f"SA-{number:04d}"}
